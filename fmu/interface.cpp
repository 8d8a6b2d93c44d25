#include "fmu/interface.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace tenon::fmu {
namespace {

/// "r_0[2]" -> "r_0", {2}; "R[1,3]" -> "R", {1, 3}; "mass" -> "mass", {}.
struct Indexed {
    std::string_view base;
    std::vector<int> index;
};

Indexed split(std::string_view name) {
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || name.back() != ']')
        return {name, {}};
    Indexed result{name.substr(0, open), {0}};
    for (const char c : name.substr(open + 1, name.size() - open - 2)) {
        if (c == ',')
            result.index.push_back(0);
        else
            result.index.back() = 10 * result.index.back() + (c - '0');
    }
    return result;
}

/// "centre of mass, x" -> "centre of mass".
std::string without_component(const std::string& description) {
    const std::size_t comma = description.rfind(", ");
    const bool component =
        comma != std::string::npos && description.find_first_not_of("xyz", comma + 2) == std::string::npos;
    return component ? description.substr(0, comma) : description;
}

/// What is the rate of what, by the ends of their names.
constexpr std::array<std::array<std::string_view, 2>, 10> rates = {{{".v_0", ".r_0"},
                                                                    {".aux.a_0", ".v_0"},
                                                                    {".aux.al_0", ".w_0"},
                                                                    {".rate", ".angle"},
                                                                    {".rate", ".distance"},
                                                                    {".speed", ".distance"},
                                                                    {".w", ".phi"},
                                                                    {".v", ".s"},
                                                                    {".aux.al", ".w"},
                                                                    {".aux.a", ".v"}}};

} // namespace

std::string Variable::element_name(std::size_t element) const {
    if (dimensions.empty())
        return name;
    if (dimensions.size() == 1)
        return name + '[' + std::to_string(element + 1) + ']';
    const auto columns = static_cast<std::size_t>(dimensions[1]);
    return name + '[' + std::to_string(element / columns + 1) + ',' + std::to_string(element % columns + 1) +
           ']';
}

Interface::Interface(const Simulation& start, const Parameters& parameters) {
    Variable time;
    time.name = "time";
    time.role = Role::time;
    time.unit = "s";
    time.description = "time";
    variables_.push_back(time);
    owner_.push_back(0);
    slots_ = 1;

    std::vector<Element> elements;
    for (const Parameter& p : parameters.list())
        elements.push_back(
            {p.name, p.unit, p.description, p.enumeration, p.type, p.tunable, p.start, -1, elements.size()});
    add(Role::parameter, elements);

    // An input that the model gives a name of its own is known by that name only: two names for one place could both be set.
    const Model& model = start.model();
    const std::vector<tenon::Variable>& inputs = start.inputs();
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
    }
    elements.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        input_starts_.push_back(start.input_start(static_cast<int>(i)));
        if (!renamed.contains(inputs[i].name))
            elements.push_back({inputs[i].name, inputs[i].unit, inputs[i].description, "", ValueType::real,
                                false, input_starts_.back(), inputs[i].group, i});
    }
    add(Role::input, elements);

    elements.clear();
    for (const tenon::Variable& v : start.variables())
        elements.push_back({v.name, v.unit == "1" ? "" : v.unit, v.description, "", ValueType::real, false, 0,
                            v.group, elements.size()});
    add(Role::output, elements);

    link_derivatives();
    require_unique();
    for (const Variable& v : variables_)
        if (v.group >= static_cast<int>(timed_.size()))
            timed_.resize(static_cast<std::size_t>(v.group) + 1, 0);
    for (std::size_t g = 0; g < timed_.size(); ++g)
        timed_[g] = start.group_follows_time(static_cast<int>(g)) ? 1 : 0;
}

// Elements of one base name that follow each other and are complete become an array.
void Interface::add(Role role, const std::vector<Element>& elements) {
    for (std::size_t first = 0; first < elements.size();) {
        const Indexed head = split(elements[first].name);
        std::size_t end = first + 1;
        std::vector<int> last = head.index;
        if (!head.index.empty() && std::all_of(last.begin(), last.end(), [](int i) { return i == 1; })) {
            for (; end < elements.size(); ++end) {
                const Indexed next = split(elements[end].name);
                if (next.base != head.base || next.index.size() != head.index.size() ||
                    elements[end].unit != elements[first].unit)
                    break;
                last = next.index;
            }
        }
        std::size_t product = 1;
        for (const int n : last)
            product *= static_cast<std::size_t>(n);
        const bool array = !head.index.empty() && end - first > 1 && product == end - first;
        if (!array)
            end = first + 1;
        const Element& e = elements[first];
        Variable v;
        v.name = array ? std::string(head.base) : e.name;
        v.dimensions = array ? last : std::vector<int>{};
        v.role = role;
        v.type = e.type;
        v.enumeration = e.enumeration;
        v.unit = e.unit;
        v.description = array ? without_component(e.description) : e.description;
        v.tunable = e.tunable;
        v.slot = slots_;
        v.elements = end - first;
        v.source = e.source;
        v.group = e.group;
        for (std::size_t i = first; i < end; ++i) {
            if (role != Role::output)
                v.start.push_back(elements[i].start);
            owner_.push_back(variables_.size());
        }
        slots_ += v.elements;
        variables_.push_back(std::move(v));
        first = end;
    }
}

void Interface::link_derivatives() {
    std::map<std::string_view, std::size_t> outputs;
    for (std::size_t i = 0; i < variables_.size(); ++i)
        if (variables_[i].role == Role::output)
            outputs[variables_[i].name] = i;
    for (Variable& v : variables_) {
        if (v.role != Role::output)
            continue;
        for (const auto& [rate, value] : rates) {
            if (v.derivative_of || !v.name.ends_with(rate))
                continue;
            const std::string name = v.name.substr(0, v.name.size() - rate.size()) + std::string(value);
            const auto found = outputs.find(name);
            if (found != outputs.end() && variables_[found->second].elements == v.elements)
                v.derivative_of = found->second;
        }
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
