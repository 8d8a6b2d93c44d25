#pragma once
// Changes that break one rule each of a sample description that breaks none.

#include "modelDescription/description.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tenon::fmi {

struct Violation {
    std::string rule;
    Version version;
    std::function<void(Description&)> change;
    std::set<std::string> also = {}; ///< rules that cannot but be broken with it
};

std::vector<Violation> violations_of_the_model();
std::vector<Violation> violations_of_units_and_types();
std::vector<Violation> violations_of_variables();
std::vector<Violation> violations_of_start_values();
std::vector<Violation> violations_of_structure();
std::vector<Violation> violations_of_terminals();

/// The variable of that name.
Variable& find(Description& description, const std::string& name);
/// A change of that variable.
std::function<void(Description&)> of(const std::string& name, const std::function<void(Variable&)>& change);

} // namespace tenon::fmi
