#pragma once
// What the checks of a system share: its FMUs' variables by name, and how something is refused.

#include "tools/files/errors.hpp"
#include "tools/system/system.hpp"
#include "tools/system/variable_index.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tenon::system {

/// What messages call a file of the system; systems that a program made have none.
inline std::string source_name(const System& system, std::size_t source) {
    return source < system.sources.size() ? system.sources[source] : system.file.string();
}

/// Anything of a system that has `line` and `source`.
template <class Thing>
[[noreturn]] void refuse(const System& system, const Thing& thing, const std::string& what) {
    throw bad_input(source_name(system, thing.source), thing.line, what);
}

struct CheckContext {
    const System& system;
    std::vector<std::shared_ptr<const VariableIndex>> indices; ///< one per FMU
    std::vector<Sizes> sizes;                                  ///< one per FMU
};

/// Files of a package are said to be in the package, not where it was unpacked.
std::string without_folder(const System& system, std::string message);

/// "'engine.torque'"
std::string shown(const System& system, std::size_t fmu, const std::string& variable);

} // namespace tenon::system
