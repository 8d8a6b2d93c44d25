#include "fmu/interface.hpp"

#include "core/math/error.hpp"
#include "core/model/unit.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace tenon::fmu {
namespace {

std::string unit_of(const std::string& unit) { return unit == "1" ? "" : unit; }

/// The array that begins with an element, or the element alone.
template <class Element> Quantity whole(const Element& element) {
    Quantity quantity =
        element.array ? *element.array : Quantity{element.name, {}, element.unit, element.description};
    quantity.unit = unit_of(quantity.unit);
    return quantity;
}

/// Of a unit that is understood, or none.
bool is_si(const std::string& unit) { return unit.empty() || find_unit(unit)->factor == 1; }

/// An input that the model gives a name of its own is known by that name only: two names for one place could both be set.
std::set<std::string, std::less<>> renamed_inputs(const Model& model) {
    std::set<std::string, std::less<>> renamed;
    for (const Alias& alias : model.inputs) {
        renamed.insert(alias.variable);
        for (const Port& port : model.ports)
            if (alias.variable.starts_with(port.name + "."))
                throw Error(ErrorKind::model,
                            "input '" + alias.name + "' renames '" + alias.variable +
                                "', which belongs to the terminal of port '" + port.name +
                                "'; remove the input, the port's own name serves",
                            alias.name);
        for (const Flange& flange : model.flanges)
            if (alias.variable.starts_with(flange.name + ".") && !is_si(alias.unit))
                throw Error(ErrorKind::model,
                            "input '" + alias.name + "' has the unit '" + alias.unit + "', but '" +
                                alias.variable + "' belongs to the terminal of flange '" + flange.name +
                                "', which is in SI units; leave the unit out",
                            alias.name + ".unit");
    }
    return renamed;
}

} // namespace

Interface::Interface(const Simulation& start, const Parameters& parameters) {
    Variable time{{"time", {}, "s", "time"}};
    time.role = Role::time;
    add(time);
    add_parameters(parameters);
    add_inputs(start);
    add_results(start);
    require_unique();
    for (const Variable& v : variables_)
        if (v.group >= static_cast<int>(timed_.size()))
            timed_.resize(static_cast<std::size_t>(v.group) + 1, 0);
    for (std::size_t g = 0; g < timed_.size(); ++g)
        timed_[g] = start.group_follows_time(static_cast<int>(g)) ? 1 : 0;
}

void Interface::add(Variable variable) {
    variable.slot = slots_;
    slots_ += variable.elements();
    owner_.resize(slots_, variables_.size());
    variables_.push_back(std::move(variable));
}

void Interface::add_parameters(const Parameters& parameters) {
    const std::vector<Parameter>& list = parameters.list();
    for (std::size_t i = 0; i < list.size();) {
        Variable v{whole(list[i])};
        v.role = Role::parameter;
        v.type = list[i].type;
        v.enumeration = list[i].enumeration;
        v.tunable = list[i].tunable;
        v.source = i;
        for (const std::size_t end = i + v.elements(); i < end; ++i)
            v.start.push_back(list[i].start);
        add(std::move(v));
    }
}

void Interface::add_inputs(const Simulation& start) {
    const std::set<std::string, std::less<>> renamed = renamed_inputs(start.model());
    const std::vector<Input>& inputs = start.inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        input_starts_.push_back(start.input_start(static_cast<int>(i)));
    const auto is_renamed = [&](const Input& input) { return renamed.contains(input.name); };
    for (std::size_t i = 0; i < inputs.size();) {
        if (is_renamed(inputs[i])) {
            ++i;
            continue;
        }
        // Elements up to the first that is renamed are still an array, those behind it are single numbers.
        Input first = inputs[i];
        const Input* end = &inputs[i] + whole(first).elements();
        const auto left = static_cast<int>(std::find_if(&inputs[i], end, is_renamed) - &inputs[i]);
        if (left == 1)
            first.array.reset();
        else
            first.array->dimensions = {left};
        Variable v{whole(first)};
        v.role = Role::input;
        v.source = i;
        v.group = first.group;
        i += v.elements();
        v.start.assign(&input_starts_[v.source], &input_starts_[v.source] + v.elements());
        add(std::move(v));
    }
}

// Without what comes on request: whoever wants that in an FMU gives it a name, as an [[output]] of the model.
void Interface::add_results(const Simulation& start) {
    const std::size_t first = variables_.size();
    for (const tenon::Variable& result : start.variables()) {
        if (result.on_request)
            break;
        Variable v{result};
        v.unit = unit_of(v.unit);
        v.source = result.column;
        v.group = result.group;
        if (result.rate_of >= 0)
            v.derivative_of = first + static_cast<std::size_t>(result.rate_of);
        add(std::move(v));
    }
}

void Interface::require_unique() const {
    std::set<std::string_view> names;
    for (const Variable& v : variables_)
        if (!names.insert(v.name).second)
            throw Error(ErrorKind::model,
                        "the FMU would have two variables named '" + v.name +
                            "'; rename the element of that name",
                        v.name);
}

bool Interface::depends(const Variable& variable, const Variable& known) const {
    if (variable.role != Role::output || variable.group == -1)
        return false;
    if (variable.group == tenon::Variable::drivers_group)
        return known.role == Role::input && known.group == tenon::Variable::no_group;
    const bool any = variable.group == tenon::Variable::any_group;
    if (known.role == Role::time)
        return any ? std::find(timed_.begin(), timed_.end(), 1) != timed_.end()
                   : timed_[static_cast<std::size_t>(variable.group)] != 0;
    return known.role == Role::input && known.group >= 0 && (any || known.group == variable.group);
}

std::vector<std::size_t> Interface::dependencies(const Variable& variable) const {
    std::vector<std::size_t> result;
    if (variable.group == -1)
        return result;
    for (std::size_t i = 0; i < variables_.size(); ++i)
        if (variables_[i].role != Role::output && depends(variable, variables_[i]))
            result.push_back(i);
    return result;
}

} // namespace tenon::fmu
