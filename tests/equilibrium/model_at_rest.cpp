// The model that is drawn at rest is the same machine: at rest where it is drawn, with the same forces and stiffness.

#include "core/simulation/rest_model.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/machines.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace tenon;
using namespace tenon::tests;

void check_same_machine(Model model, bool exact = true, double least = 0.01) {
    for (Body& body : model.bodies)
        body.velocity = body.angular_velocity = std::nullopt;
    StandingMachine machine(model);
    const EquilibriumReport first = machine.rest();
    double moved = 0;
    for (const BodyMove& move : first.moves)
        moved = std::max(moved, move.shift.norm() + move.turn.norm());
    CHECK(moved > least); // else the test shows nothing
    const RestModel rest = model_at_rest(machine);
    CHECK(rest.remarks.empty() == exact);
    if (!exact)
        return;
    StandingMachine again(rest.model);
    const EquilibriumReport second = again.rest();
    for (const BodyMove& move : second.moves)
        CHECK(move.shift.norm() + move.turn.norm() < 1e-8);
    CHECK(second.least_stiffness == Approx(first.least_stiffness).epsilon(1e-5));
    for (int f = 0; f < static_cast<int>(model.forces.size()); ++f) {
        const std::vector<double> before = machine.force_values(f), after = again.force_values(f);
        for (std::size_t i = 0; i < before.size(); ++i)
            CHECK(after[i] == Approx(before[i]).epsilon(1e-7).margin(1e-7));
    }
}

} // namespace

TEST_CASE("springs, torsion springs and drivers mean the same in the model at rest") {
    check_same_machine(with_spring(0.5));
    check_same_machine(with_torsion_spring(0.5));
    check_same_machine(with_driver("revolute", false));
    check_same_machine(with_driver("prismatic", true));
    check_same_machine(with_joint("universal"));
    check_same_machine(with_joint("distance"));
    check_same_machine(spatial_loop());
}

TEST_CASE("a loaded bushing does not mean the same in the model at rest, and that is said") {
    check_same_machine(with_bushing(0.5), false);
}

TEST_CASE("limits of joints, actuators and planes that bodies carry mean the same in the model at rest") {
    check_same_machine(parse_model(R"([[body]]
name = "flap"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
position = [0.5, 0.0, 0.0]
[[joint]]
name = "hinge"
type = "revolute"
bodies = ["world", "flap"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
[[force]]
name = "stop"
type = "joint_limit"
joint = "hinge"
lower = -0.5
upper = 0.1
stiffness = 90.0
[[body]]
name = "table"
mass = 4.0
inertia = [0.1, 0.1, 0.1]
position = [3.0, 0.0, 0.0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "table"]
at = [2.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
[[force]]
name = "leg"
type = "spring_damper"
bodies = ["world", "table"]
points = [[3.0, 0.0, -1.0], [3.0, 0.0, 0.0]]
axis = [0.0, 0.0, 1.0]
free_length = 1.0
stiffness = 500.0
[[body]]
name = "ball"
mass = 1.0
inertia = [0.01, 0.01, 0.01]
position = [3.0, 0.0, 0.3]
[[joint]]
name = "guide"
type = "prismatic"
bodies = ["world", "ball"]
at = [3.0, 0.0, 0.3]
axis = [0.0, 0.0, 1.0]
[[force]]
name = "touch"
type = "contact"
bodies = ["table", "ball"]
at = [3.0, 0.0, 0.3]
radius = 0.2
point = [3.0, 0.0, 0.1]
normal = [0.0, 0.0, 1.0]
stiffness = 2000.0
[[force]]
name = "push"
type = "actuator"
bodies = ["table", "ball"]
points = [[2.8, 0.0, 0.1], [3.0, 0.0, 0.3]]
effort = 2.0
)",
                                   "rests.toml"));
}

TEST_CASE("vehicles on tyres, a lift arm and a suspension mean the same in the model at rest") {
    Model iltis = read_model(source_folder() + "/examples/iltis.toml");
    for (Road& road : iltis.roads)
        road.features.clear();
    check_same_machine(iltis, true, 0.005);
    Model arm = read_model(source_folder() + "/examples/lift_arm.toml");
    check_same_machine(arm, true, 1e-6);
    Model suspension = read_model(source_folder() + "/examples/suspension.toml");
    suspension.gravity *= 1.2; // it is drawn at rest
    check_same_machine(suspension);
}
