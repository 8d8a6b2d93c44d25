#pragma once
// The names of the functions that the standard gives to the library of an FMU.

#include "modelDescription/description.hpp"

#include <span>
#include <string_view>

namespace tenon::check {

enum class FunctionGroup {
    common,         ///< needed by every FMU
    co_simulation,  ///< 2.0: needed by FMUs for Co-Simulation
    model_exchange, ///< 2.0: needed by FMUs for Model Exchange
};

struct FmiFunction {
    std::string_view name;
    FunctionGroup group = FunctionGroup::common;
};

/// 44 for FMI 2.0 (25 common, 9 Co-Simulation, 10 Model Exchange); the 75 of FMI 3.0, all common: a library must have
/// every one of them, whatever it is for.
std::span<const FmiFunction> fmi_functions(fmi::Version version);

} // namespace tenon::check
