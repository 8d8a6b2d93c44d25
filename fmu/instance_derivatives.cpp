// Derivatives of results. By inputs they are exact: the core solves its linear equations for them (Simulation::
// input_response). By parameters, which count while initializing only, and by time they are central differences. Where the
// machine starts at its equilibrium and has none with a changed parameter, as a car that gravity aslant pushes along its road, it is
// held along the directions in which nothing holds it.

#include "fmu/instance.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::fmu {

namespace {

/// Of a parameter: itself, or where it is zero the largest of its array.
double size_of(std::span<const double> array, double value) {
    double size = std::abs(value);
    for (const double x : array)
        size = value == 0 ? std::max(size, std::abs(x)) : size;
    return size > 0 ? size : 1.0;
}

struct Node {
    double place, weight;
};
/// Central differences of fourth order, and of second where places may not be far: world_R may miss a rotation by 1e-6.
constexpr Node five_points[] = {{1, 2.0 / 3}, {-1, -2.0 / 3}, {2, -1.0 / 12}, {-2, 1.0 / 12}};
constexpr Node three_points[] = {{1, 0.5}, {-1, -0.5}};

/// A start velocity that the model leaves out and its drivers decide.
bool left_to_drivers(const Model& model, const Variable& v) {
    if (model.drivers.empty())
        return false;
    return std::ranges::any_of(model.bodies, [&](const Body& body) {
        return !body.velocity && !body.angular_velocity &&
               (v.name == body.name + ".velocity" || v.name == body.name + ".angular_velocity");
    });
}

bool starts_at_equilibrium(const Model& model) {
    const auto start = model.solver.options.find("start");
    return start != model.solver.options.end() && start->second == OptionValue(std::string("equilibrium"));
}

} // namespace

void Instance::add_start_response(const Variable& v, std::size_t parameter, double seed) {
    const double value = now_.parameters[parameter];
    if (v.name.starts_with("solver."))
        return; // they decide how the start is found, not where it is
    const bool maybe_decided = left_to_drivers(blueprint_.model, v);
    const std::vector<double> before = response_;
    const bool rotation = v.name == "world_R";
    double change =
        (rotation ? 2e-7 : 1e-4) * size_of(std::span(now_.parameters).subspan(v.source, v.elements()), value);
    if (v.unit == "m/s" || v.unit == "rad/s")
        change = std::min(change, 2e-3); // parts that start further apart are not assembled,
    if (v.unit == "m")
        change = std::min(change, 2e-5); // and what turns fast turns a distance into a velocity
    try {
        add_differences(parameter, change, rotation, seed);
    } catch (const Error&) {
        if (!maybe_decided)
            throw;
        response_ = before; // no other velocity is a start: nothing follows it
    }
}

void Instance::add_differences(std::size_t parameter, double change, bool few, double seed) {
    const Simulation& original = up_to_date();
    const std::vector<double> before = response_;
    const double value = now_.parameters[parameter];
    std::vector<double> at = now_.parameters;
    part_.resize(response_.size());
    const auto add = [&](const Node& node, bool held) {
        at[parameter] = value + node.place * change;
        const Model changed = blueprint_.parameters.apply(blueprint_.model, at);
        Simulation start = held ? Simulation(changed, original) : Simulation(changed, Checks::none);
        for (std::size_t i = 0; i < now_.inputs.size(); ++i)
            if (now_.inputs[i].value != start.input_start(static_cast<int>(i)))
                start.set_input(static_cast<int>(i), now_.inputs[i].value);
        start.read(part_);
        for (std::size_t i = 0; i < part_.size(); ++i)
            response_[i] += seed * node.weight * part_[i] / change;
    };
    const auto nodes = few ? std::span<const Node>(three_points) : std::span<const Node>(five_points);
    try {
        for (const Node& node : nodes)
            add(node, false);
    } catch (const Error&) {
        if (!starts_at_equilibrium(original.model()))
            throw;
        response_ = before;
        for (const Node& node : nodes)
            add(node, true);
    }
}

// Of all results, along a change of the knowns.
const std::vector<double>& Instance::response(std::span<const std::size_t> knowns,
                                              std::span<const double> seed) {
    Simulation& s = up_to_date();
    response_.assign(s.columns().size(), 0.0);
    seed_.assign(s.inputs().size(), 0.0);
    bool by_inputs = false;
    double by_time = 0;
    for (std::size_t k = 0; k < knowns.size(); ++k) {
        const Variable& v = variable(knowns[k]);
        const std::size_t at = v.source + (knowns[k] - v.slot);
        if (v.role == Role::input) {
            seed_[at] += seed[k];
            by_inputs = true;
        } else if (v.role == Role::time) {
            by_time += seed[k];
        } else if (v.role != Role::parameter) {
            throw Error(ErrorKind::usage, "'" + v.name +
                                              "' is computed; derivatives are by inputs, time and, while "
                                              "initializing, parameters");
        }
    }
    if (by_inputs)
        s.input_response(seed_, response_);
    if (by_time != 0) {
        part_.resize(response_.size());
        s.time_response(part_);
        for (std::size_t i = 0; i < part_.size(); ++i)
            response_[i] += by_time * part_[i];
    }
    for (std::size_t k = 0; k < knowns.size(); ++k) {
        const Variable& v = variable(knowns[k]);
        if (v.role != Role::parameter || seed[k] == 0)
            continue;
        if (now_.moving)
            throw Error(ErrorKind::usage,
                        "derivatives by parameter '" + v.name + "' exist while initializing only");
        if (v.type != ValueType::real)
            throw Error(ErrorKind::usage, "'" + v.name + "' is not a number; there is no derivative by it");
        add_start_response(v, v.source + (knowns[k] - v.slot), seed[k]);
    }
    return response_;
}

void Instance::directional_derivative(std::span<const std::size_t> unknowns,
                                      std::span<const std::size_t> knowns, std::span<const double> seed,
                                      std::span<double> sensitivity) {
    const std::vector<double>& all = response(knowns, seed);
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
        const Variable& v = variable(unknowns[i]);
        if (v.role != Role::output)
            throw Error(ErrorKind::usage, "'" + v.name + "' is not an output; there is no derivative of it");
        sensitivity[i] = all[v.source + (unknowns[i] - v.slot)];
    }
}

// One solution for each known: the matrix is small where masters ask for it (ports), and exact this way.
void Instance::adjoint_derivative(std::span<const std::size_t> unknowns, std::span<const std::size_t> knowns,
                                  std::span<const double> seed, std::span<double> sensitivity) {
    std::vector<double> column(unknowns.size());
    for (std::size_t k = 0; k < knowns.size(); ++k) {
        const double one = 1;
        directional_derivative(unknowns, knowns.subspan(k, 1), {&one, 1}, column);
        sensitivity[k] = 0;
        for (std::size_t i = 0; i < column.size(); ++i)
            sensitivity[k] += column[i] * seed[i];
    }
}

} // namespace tenon::fmu
