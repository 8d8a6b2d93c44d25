#pragma once
// The registry of stepping schemes for signals: one line per scheme, one file <name>.cpp each. Their words and help texts are those of
// tools/system/methods.hpp.

#include "tools/master/ensemble.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace tenon::master {

struct SchemeType {
    std::string_view name;
    std::unique_ptr<Scheme> (*make)(Ensemble&) = nullptr;
    /// What it needs of an FMU as "...", which fmu 'x' does not support, with the FMU's capability flag; and who does not. Null: it takes all.
    std::string_view need = {}, capability = {};
    std::vector<std::size_t> (*unfit)(const Ensemble&) = nullptr;
    bool parallel = true;       ///< FMUs step at the same time, where there are threads
    bool beside_joints = false; ///< what signals are exchanged by in systems with joints, too
    bool iterates = false;      ///< until inputs and outputs agree: chosen where inputs depend on themselves

    std::vector<std::size_t> unfit_of(const Ensemble& ensemble) const {
        return unfit ? unfit(ensemble) : std::vector<std::size_t>();
    }
};

template <class S> std::unique_ptr<Scheme> make_scheme(Ensemble& ensemble) {
    return std::make_unique<S>(ensemble);
}

/// Each is defined in the file of its name.
namespace schemes {
SchemeType jacobi(), gauss_seidel(), iterate();
}

const std::vector<SchemeType>& scheme_types();
/// Null where there is no such scheme.
const SchemeType* find_scheme_type(std::string_view name);
/// What is chosen where nothing is asked for: where inputs depend on themselves, and elsewhere.
const SchemeType& scheme_for_loops();
const SchemeType& usual_scheme();

} // namespace tenon::master
