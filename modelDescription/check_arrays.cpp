// Rules about dimensions.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

namespace tenon::fmi {
namespace {

void sizes(Check& check, const Variable& variable) {
    constexpr std::uint64_t elements_limit = 100'000'000; // that of the reader
    std::uint64_t product = 1;
    for (const Dimension& dimension : variable.dimensions) {
        if (dimension.size == 0)
            check.report("dimension-size", variable, "a dimension is 0");
        else if (dimension.size > elements_limit / product) {
            check.report("dimension-size", variable,
                         fmt::format("the array has more than {} elements", elements_limit));
            return;
        } else
            product *= dimension.size;
    }
}

/// What is wrong with `giver` as the size of an array; empty where nothing is.
std::string fault_of_size(const Variable& giver, std::uint64_t size) {
    const auto* start = std::get_if<std::vector<std::uint64_t>>(&giver.start);
    if (giver.type != Type::uint64)
        return fmt::format("is a {}, not a UInt64", word(giver.type));
    if (giver.causality != Causality::structural_parameter && giver.variability != Variability::constant)
        return "is neither a structural parameter nor a constant";
    if (!giver.dimensions.empty())
        return "is an array itself";
    if (!start || start->size() != 1 || start->front() != size)
        return fmt::format("does not have start value {}", size);
    return {};
}

void givers_of_sizes(Check& check, std::size_t variable) {
    const std::vector<Variable>& variables = check.description.variables;
    for (const Dimension& dimension : variables[variable].dimensions) {
        if (!dimension.variable)
            continue;
        if (*dimension.variable >= variables.size() || *dimension.variable == variable) {
            check.report("dimension-variable", variables[variable],
                         fmt::format("its size is given by variable {}, which is {}", *dimension.variable,
                                     *dimension.variable == variable ? "itself" : "none"));
            continue;
        }
        const Variable& giver = variables[*dimension.variable];
        const std::string fault = fault_of_size(giver, dimension.size);
        if (!fault.empty())
            check.report("dimension-variable", variables[variable],
                         fmt::format("{}, which gives its size, {}", quoted(giver.name), fault));
    }
}

void structural_parameters(Check& check, const Variable& variable) {
    if (variable.causality == Causality::structural_parameter && !variable.dimensions.empty())
        check.report("structural-scalar", variable,
                     fmt::format("a structural parameter has {} dimensions", variable.dimensions.size()));
}

} // namespace

void check_arrays(Check& check, std::size_t variable) {
    sizes(check, check.description.variables[variable]);
    givers_of_sizes(check, variable);
    structural_parameters(check, check.description.variables[variable]);
}

} // namespace tenon::fmi
