// Random machines hung on springs: what Newton's method finds is where the machine comes to rest when it is simulated with
// dampers, by other equations and another method.

#include "core/simulation/linearisation.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace tenon;
using namespace tenon::tests;

/// A chain of bodies on random joints, every body held to the world by three springs of short free length, and damped.
Model hung_chain(std::uint64_t seed) {
    Random random(seed);
    Model model;
    const int bodies = 1 + random.below(3);
    Vec3 at = Vec3::Zero();
    const std::string types[] = {"revolute", "spherical", "universal", "cylindrical"};
    for (int b = 0; b < bodies; ++b) {
        const Vec3 way = 0.5 * random.direction();
        Body body = heavy_body("b" + std::to_string(b), at + 0.5 * way, random.between(0.5, 2));
        model.bodies.push_back(body);
        Joint joint =
            joint_of("j" + std::to_string(b), types[random.below(4)], b - 1, b, at, random.direction());
        joint.axis2 = joint.axis.cross(Vec3(0.3, -0.5, 0.8)).normalized();
        model.joints.push_back(joint);
        for (int s = 0; s < 3; ++s) {
            Force spring;
            spring.name = "s" + std::to_string(3 * b + s);
            spring.type = "spring_damper";
            spring.first = world;
            spring.second = b;
            const Vec3 on = body.position + 0.3 * random.vec3();
            spring.set("points", std::array<Vec3, 2>{on + 0.6 * random.direction(), on});
            spring.set("stiffness", random.between(100, 300)).set("free_length", 0.02);
            model.forces.push_back(spring);
        }
        // Damps every motion, and keeps the body from resting upside down.
        Force bushing;
        bushing.name = "damper" + std::to_string(b);
        bushing.type = "bushing";
        bushing.first = world;
        bushing.second = b;
        bushing.set("at", body.position).set("stiffness", std::vector<double>{0, 0, 0, 40, 40, 40});
        bushing.set("damping", std::vector<double>{40, 40, 40, 10, 10, 10});
        model.forces.push_back(bushing);
        at += way;
    }
    return model;
}

} // namespace

TEST_CASE("twenty random machines on springs rest where a damped simulation of them comes to rest",
          "[slow]") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Model model = hung_chain(seed);
        model.solver.integrator = "energy-decaying";
        StandingMachine machine(model);
        const EquilibriumReport& report = machine.rest();
        CHECK(report.unstable.empty());
        Simulation simulation(model);
        for (int i = 0; i < 1500; ++i)
            simulation.step(0.02);
        std::vector<double> values(simulation.columns().size());
        simulation.read(values);
        for (std::size_t b = 0; b < model.bodies.size(); ++b) {
            const Kinematics k = machine.kinematics()[b];
            const Vec3 origin = k.r - k.D * model.bodies[b].com;
            const std::string name = model.bodies[b].name + ".r_0[1]";
            const auto column = std::ranges::find(simulation.columns(), name, &Column::name);
            const auto i = static_cast<std::size_t>(column - simulation.columns().begin());
            CHECK((Vec3(values[i], values[i + 1], values[i + 2]) - origin).norm() <
                  1e-5); // what 30 s of damping leave
        }
    }
}
