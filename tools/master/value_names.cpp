#include "tools/master/value_names.hpp"

namespace tenon::master {

system::Sizes sizes_of(const system::CheckedSystem& system, std::size_t fmu) {
    system::Sizes sizes;
    for (const system::CheckedSystem::Assignment& assignment : system.assignments[fmu]) {
        const fmi::Variable& variable = system.fmus[fmu]->description().variables[assignment.variable];
        if (variable.causality != fmi::Causality::structural_parameter)
            continue;
        if (const auto* values = std::get_if<std::vector<std::uint64_t>>(&assignment.values))
            sizes[assignment.variable] = values->front();
        else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&assignment.values))
            sizes[assignment.variable] = static_cast<std::uint64_t>(numbers->front());
    }
    return sizes;
}

std::string value_name(const fmi::Variable& variable, const system::Sizes& sizes, std::size_t element) {
    std::vector<std::uint64_t> indices(variable.dimensions.size());
    std::uint64_t rest = element;
    for (std::size_t d = indices.size(); d-- > 0;) {
        const fmi::Dimension& dimension = variable.dimensions[d];
        const auto set = dimension.variable ? sizes.find(*dimension.variable) : sizes.end();
        const std::uint64_t size = set == sizes.end() ? dimension.size : set->second;
        indices[d] = rest % size + 1;
        rest /= size;
    }
    return variable.name + system::shape_text(indices);
}

std::string value_name(const system::CheckedSystem& system, std::size_t fmu, std::size_t variable,
                       std::size_t element) {
    return system.system.fmus[fmu].name + "." +
           value_name(system.fmus[fmu]->description().variables[variable], sizes_of(system, fmu), element);
}

} // namespace tenon::master
