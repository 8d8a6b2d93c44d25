#pragma once
// Which call is allowed in which state of Co-Simulation: the tables of the standard as data.

#include "modelDescription/description.hpp"

#include <span>
#include <string_view>

namespace tenon::check {

/// A state, and the calls that lead to it from a fresh instance, separated by spaces. The last of them may be one that is
/// meant to fail.
struct LegalState {
    std::string_view name;
    std::string_view way;
    bool event_mode = false;    ///< only of instances with event mode
    bool after_error = false;   ///< the last call of the way must return an error
    bool configuration = false; ///< only of FMUs with structural parameters
};

/// One letter for each state: y allowed, - forbidden, t forbidden by the letter but tolerated by the field (masters do it, and
/// no harm comes of an answer).
struct LegalCall {
    std::string_view function;
    std::string_view states;
};

std::span<const LegalState> legal_states(fmi::Version version);
std::span<const LegalCall> legal_calls(fmi::Version version);

} // namespace tenon::check
