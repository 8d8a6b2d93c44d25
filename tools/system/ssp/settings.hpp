#pragma once
// Parameters of SSP systems, brought to the components that they mean. Names are hierarchical; higher systems win over lower
// ones, and later bindings over earlier ones of the same system.

#include "tools/system/ssp/tree.hpp"
#include "tools/system/units.hpp"

namespace tenon::system {

/// The number of each component's FMU in the flat system.
using SspFmus = std::map<const SspElement*, std::size_t>;

/// What a connector of a system stands for: a variable of a component, behind transformations.
struct SspAlias {
    Endpoint target;
    Linear transformation;
    std::optional<fmi::Unit> unit; ///< of the connector
};
using SspAliases = std::map<const SspElement*, std::map<std::string, std::vector<SspAlias>>>;

/// Fills in SystemFmu::set. Names that mean nothing go to the remarks, as the standard wants them to be passed over.
void apply_parameters(const SspElement& root, const SspFmus& fmus, const SspAliases& aliases, System& system);

} // namespace tenon::system
