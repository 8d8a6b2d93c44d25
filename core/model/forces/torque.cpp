// Torque m on a body: constant, over time, or an input of the model; in world or body axes.
//
//   generalised force: m; no energy, power m.w
// Each face applies it (AppliedLoad): along w of the body, along (d1, d2, d3), at the midpoint of a discrete step.

#include "core/model/forces/load_keys.hpp"

namespace tenon::forces {
namespace {

void build_torque(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    AppliedLoad load = load_on_body(force);
    if (!force.flag("input"))
        load.torque = force.vector("torque");
    load.torque_table = force.table("torque");
    load.torque_input = place.input;
    loads.applied.push_back(std::move(load));
}

} // namespace

ForceType torque() {
    return {.name = "torque",
            .meaning = "a torque on a body",
            .keys = load_keys("torque", "N m", "the torque, constant or over time"),
            .build = build_torque,
            .inputs = {{"t", "N.m", "torque", "torque"}}};
}

} // namespace tenon::forces
