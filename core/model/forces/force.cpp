// Force f on a point p of a body: constant, over time, or an input of the model; in world or body axes.
//
//   generalised force: f at p, torque (p - r) x f; no energy, power f.p'
// Each face applies it (AppliedLoad): along (v, w) of the body, along (r, d1, d2, d3), at the midpoint of a discrete step.

#include "core/model/forces/load_keys.hpp"

namespace tenon::forces {
namespace {

void build_force(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    AppliedLoad load = load_on_body(force);
    load.point = place.point2(force.vector("at"));
    if (!force.flag("input"))
        load.force = force.vector("force");
    load.force_table = force.table("force");
    load.force_input = place.input;
    loads.applied.push_back(std::move(load));
}

} // namespace

ForceType force() {
    std::vector<Key> keys = load_keys("force", "N", "the force, constant or over time");
    keys.insert(keys.begin() + 1, {.name = "at",
                                   .type = ValueType::vector,
                                   .unit = "m",
                                   .required = true,
                                   .meaning = "where it acts, in the world at t = 0",
                                   .space = Space::point});
    return {.name = "force",
            .meaning = "a force on a point of a body",
            .keys = std::move(keys),
            .build = build_force,
            .inputs = {{"f", "N", "force", "force"}}};
}

} // namespace tenon::forces
