#pragma once
// From tables of a model file to elements of a model: one function an element.

#include "core/model/model.hpp"
#include "tools/model_file/model_table.hpp"

#include <map>
#include <string>

namespace tenon {

/// What elements refer to by name.
struct ModelNames {
    std::map<std::string, int> bodies;
    std::map<std::string, int> joints;
};

/// Each throws InputError with file and line; `table` need not be checked before.
Body read_body(const ModelTable& table);
/// `bodies` are those of the model, complete.
Joint read_joint(const ModelTable& table, const ModelNames& names, const std::vector<Body>& bodies);
Driver read_driver(const ModelTable& table, const ModelNames& names);
Road read_road(const ModelTable& table);
Force read_force(const ModelTable& table, const ModelNames& names);
Port read_port(const ModelTable& table, const ModelNames& names);
Flange read_flange(const ModelTable& table, const ModelNames& names);
/// `section` is "input" or "output".
Alias read_alias(const ModelTable& table, std::string_view section);
SolverSettings read_solver(const ModelTable& table);

} // namespace tenon
