#include "modelDescription/checker.hpp"

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tenon::fmi {
namespace {

template <typename Named> void add_names(Index<std::string_view>& index, const std::vector<Named>& named) {
    for (std::size_t i = 0; i < named.size(); ++i)
        index.add(named[i].name, i);
}

} // namespace

Check::Check(const Description& checked) : description(checked), fmi2(checked.version == Version::fmi2) {
    add_names(variables, checked.variables);
    for (std::size_t i = 0; i < checked.variables.size(); ++i)
        for (const AliasName& alias : checked.variables[i].aliases)
            variables.add(alias.name, i);
    add_names(units, checked.units);
    add_names(types, checked.types);
    for (const Unit& unit : checked.units)
        for (std::size_t i = 0; i < unit.display_units.size(); ++i)
            display_units.add({unit.name, unit.display_units[i].name}, i);
    for (const TypeDefinition& type : checked.types)
        for (std::size_t i = 0; i < type.items.size(); ++i)
            items.add({type.name, type.items[i].value}, i);
    variables.finish();
    units.finish();
    types.finish();
    display_units.finish();
    items.finish();
}

const Unit* Check::unit(std::string_view name) const {
    const auto found = units.find(name);
    return found ? &description.units[*found] : nullptr;
}

const TypeDefinition* Check::type(std::string_view name) const {
    const auto found = types.find(name);
    return found ? &description.types[*found] : nullptr;
}

void Check::report(std::string_view id, std::string place, std::string message, std::string hint) {
    const Rule& rule = rule_of(id);
    FindingList& list = rule.degree == Degree::refused  ? findings_.refused
                        : rule.degree == Degree::letter ? findings_.letter
                                                        : findings_.advice;
    list.add({rule.severity, std::string(id), std::move(place), std::move(message), std::move(hint)});
}

void Check::report(std::string_view rule, const Variable& variable, std::string message, std::string hint) {
    const std::string line = variable.line > 0 ? fmt::format(":{}", variable.line) : "";
    report(rule, fmt::format("modelDescription.xml{} variable {}", line, quoted(variable.name)),
           std::move(message), std::move(hint));
}

const Rule& rule_of(std::string_view id) {
    for (const Rule& rule : rule_catalogue())
        if (rule.id == id)
            return rule;
    throw std::logic_error(fmt::format("rule {} is not in the catalogue", id));
}

std::string place_in_description(std::string_view what, std::string_view name) {
    return fmt::format("modelDescription.xml {} {}", what, quoted(name));
}

DescriptionFindings findings_of(const Description& description) {
    Check check(description);
    check_model(check);
    check_units(check);
    check_types(check);
    check_names(check);
    check_variables(check);
    check_structure(check);
    check_terminals(check);
    return check.take();
}

std::vector<Finding> check_description(const Description& description) {
    const DescriptionFindings found = findings_of(description);
    std::vector<Finding> all = found.refused.all();
    for (const FindingList* list : {&found.letter, &found.advice})
        for (Finding& finding : list->all())
            all.push_back(std::move(finding));
    return all;
}

} // namespace tenon::fmi
