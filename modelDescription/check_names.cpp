// Rules about names and value references of variables.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/name_grammar.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::fmi {
namespace {

void name_form(Check& check, const Variable& variable, std::string_view name) {
    if (name.empty())
        check.report("name-empty", variable, "a variable or alias has no name");
    else if (check.description.naming_convention == "structured") {
        if (!is_structured_name(name))
            check.report("name-structured", variable,
                         fmt::format("{} is not a structured name", quoted(name)),
                         "put parts with other characters than letters, digits and _ between ' and '");
    } else if (name.find_first_of("\t\r\n") != name.npos)
        check.report("name-flat", variable, fmt::format("{} has a tab or a line break", quoted(name)));
}

void names_differ(Check& check) {
    const std::vector<Variable>& variables = check.description.variables;
    check.variables.groups([&](const auto& group) {
        for (const auto& [name, position] : group.subspan(1))
            check.report("name-duplicate", variables[position],
                         fmt::format("the name {} is used twice", quoted(name)));
    });
}

/// The numbers between the last brackets.
std::vector<std::uint64_t> indices_of(std::string_view name, std::string_view array) {
    std::vector<std::uint64_t> indices;
    std::string_view list = name.substr(array.size() + 1, name.size() - array.size() - 2);
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        std::uint64_t index = 0;
        if (parse_number(list.substr(0, comma), index) != Parse::good)
            return {};
        indices.push_back(index);
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return indices;
}

/// x[1,1] x[1,2] x[2,1] x[2,2], with nothing between.
void elements_in_order(Check& check) {
    if (!check.fmi2 || check.description.naming_convention != "structured")
        return;
    const std::vector<Variable>& variables = check.description.variables;
    Index<std::string_view> first_elements; // where a run of elements of an array begins
    std::string_view array;
    std::vector<std::uint64_t> last;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const std::string_view next = array_of_element(variables[i].name);
        if (next.empty()) {
            array = {};
            continue;
        }
        const std::vector<std::uint64_t> indices = indices_of(variables[i].name, next);
        if (next != array)
            first_elements.add(next, i);
        else if (indices <= last)
            check.report("name-order", variables[i],
                         fmt::format("it comes after {}", quoted(variables[i - 1].name)),
                         "write the elements of an array row by row");
        array = next;
        last = indices;
    }
    first_elements.finish();
    first_elements.repeated([&](std::size_t, std::size_t again) {
        check.report("name-order", variables[again],
                     fmt::format("other variables stand between it and the first elements of {}",
                                 quoted(array_of_element(variables[again].name))));
    });
}

void references_differ(Check& check) {
    const std::vector<Variable>& variables = check.description.variables;
    Index<std::uint32_t> references;
    for (std::size_t i = 0; i < variables.size(); ++i)
        references.add(variables[i].reference, i);
    references.finish();
    references.repeated([&](std::size_t first, std::size_t repeated) {
        check.report("reference-duplicate", variables[repeated],
                     fmt::format("value reference {} is that of {} as well", variables[repeated].reference,
                                 quoted(variables[first].name)),
                     "in FMI 3.0 another name for a variable is an Alias element");
    });
}

bool can_be_set(const Variable& variable) {
    return variable.causality == Causality::input || variable.causality == Causality::parameter;
}

/// The variables with the value reference of `first` and its base type.
void aliases(Check& check, const std::vector<const Variable*>& group) {
    const Variable& first = *group.front();
    const auto is_constant = [](const Variable* v) { return v->variability == Variability::constant; };
    const auto has_start = [&](const Variable* v) {
        return !std::holds_alternative<std::monostate>(v->start) && !is_constant(v);
    };
    const auto report = [&](std::string_view rule, std::string_view what) {
        check.report(rule, first,
                     fmt::format("value reference {}, shared by {} variables: {}", first.reference,
                                 group.size(), what));
    };
    if (std::ranges::count_if(group, [](const Variable* v) { return can_be_set(*v); }) > 1)
        report("alias-settable", "more than one can be set");
    if (std::ranges::count_if(group, has_start) > 1)
        report("alias-start", "more than one has a start value");
    const auto differs = [&](auto member) {
        return std::ranges::any_of(group, [&](const Variable* v) { return v->*member != first.*member; });
    };
    if (differs(&Variable::unit))
        report("alias-unit", "they have different units");
    const auto constants = std::ranges::count_if(group, is_constant);
    if (constants > 0 && (static_cast<std::size_t>(constants) < group.size() || differs(&Variable::start)))
        report("alias-constant", "a constant is the alias of what is not equal to it");
}

void aliases_of_fmi2(Check& check) {
    const std::vector<Variable>& variables = check.description.variables;
    Index<std::uint64_t> references; // base type and value reference
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Type base = variables[i].type == Type::enumeration ? Type::int32 : variables[i].type;
        references.add(static_cast<std::uint64_t>(base) << 32 | variables[i].reference, i);
    }
    references.finish();
    references.groups([&](const auto& entries) {
        std::vector<const Variable*> group;
        for (const auto& [reference, position] : entries)
            group.push_back(&variables[position]);
        aliases(check, group);
    });
}

} // namespace

void check_names(Check& check) {
    if (check.description.variables.empty())
        check.report("variables", "modelDescription.xml ModelVariables", "there are no variables");
    for (const Variable& variable : check.description.variables) {
        name_form(check, variable, variable.name);
        for (const AliasName& alias : variable.aliases)
            name_form(check, variable, alias.name);
    }
    names_differ(check);
    elements_in_order(check);
    if (check.fmi2)
        aliases_of_fmi2(check);
    else
        references_differ(check);
}

} // namespace tenon::fmi
