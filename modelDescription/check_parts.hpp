#pragma once
// What the rules share: the description with its names looked up, and the list of findings.

#include "modelDescription/checker.hpp"
#include "modelDescription/position_index.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::fmi {

class Check {
  public:
    explicit Check(const Description& checked);

    const Description& description;
    const bool fmi2;
    /// Names to positions; among the variables also their aliases.
    Index<std::string_view> variables, units, types;
    Index<std::pair<std::string_view, std::string_view>> display_units; ///< by unit and display unit
    Index<std::pair<std::string_view, std::int64_t>> items;             ///< by type and value

    const Unit* unit(std::string_view name) const;
    const TypeDefinition* type(std::string_view name) const;

    /// `rule` must be in the catalogue, which says how grave it is.
    void report(std::string_view rule, std::string place, std::string message, std::string hint = {});
    void report(std::string_view rule, const Variable& variable, std::string message, std::string hint = {});

    DescriptionFindings take() { return std::move(findings_); }

  private:
    DescriptionFindings findings_;
};

/// "modelDescription.xml unit 'N.m'".
std::string place_in_description(std::string_view what, std::string_view name);

void check_model(Check& check);
void check_units(Check& check);
void check_types(Check& check);
void check_names(Check& check);
void check_variables(Check& check);
void check_start(Check& check, const Variable& variable);
void check_arrays(Check& check, std::size_t variable);
void check_structure(Check& check);
void check_terminals(Check& check);
/// `path` names the terminal with those around it.
void check_joint(Check& check, const Terminal& terminal, const std::string& path);

} // namespace tenon::fmi
