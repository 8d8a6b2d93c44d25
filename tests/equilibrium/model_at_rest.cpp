// The model that is drawn at rest is the same machine: at rest where it is drawn, with the same forces and stiffness.

#include "core/simulation/rest_model.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace tenon;
using namespace tenon::tests;

void check_same_machine(Model model, bool exact = true) {
    for (Body& body : model.bodies)
        body.velocity = body.angular_velocity = std::nullopt;
    StandingMachine machine(model);
    const EquilibriumReport first = machine.rest();
    double moved = 0;
    for (const BodyMove& move : first.moves)
        moved = std::max(moved, move.shift.norm() + move.turn.norm());
    CHECK(moved > 0.01); // else the test shows nothing
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
