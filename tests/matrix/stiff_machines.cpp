// Stiff springs on machines that nobody chose: plates, rods and ordinary bodies in random orientations, on joints, bushings and
// springs that the step does not resolve. What methods promise of the energy there follows from their proofs alone.

#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

enum class Build { plate, rod, block };

/// A box of uniform density with edges of zero length: one for a plate, two for a rod.
Mat3 inertia_of(Build build, double mass, Random& random) {
    Vec3 square(random.between(0.2, 1), random.between(0.2, 1), random.between(0.2, 1));
    square = square.cwiseAbs2();
    if (build != Build::block)
        square[2] = 0;
    if (build == Build::rod)
        square[1] = 0;
    const Mat3 R = random.rotation();
    const Mat3 I = mass / 12 * R * (square.sum() * Vec3::Ones() - square).asDiagonal() * R.transpose();
    return 0.5 * (I + I.transpose());
}

Force spring(const std::string& name, int body, const Vec3& from, const Vec3& to, double stiffness) {
    Force force;
    force.name = name;
    force.type = "spring_damper";
    force.first = world;
    force.second = body;
    force.set("points", std::array<Vec3, 2>{from, to})
        .set("stiffness", stiffness)
        .set("free_length", 0.999 * (to - from).norm());
    return force;
}

/// One to three bodies from the origin on, turning as one: the first on a ball joint (a plate: or on a bushing), the next on
/// ball joints, the last held by a spring to the world.
Model stiff_machine(Build build, std::uint64_t seed, double stiffness) {
    Random random(seed);
    Model model;
    const int bodies = 1 + random.below(3);
    Vec3 at = Vec3::Zero();
    for (int i = 0; i < bodies; ++i) {
        const Vec3 next = at + random.between(0.4, 0.9) * random.direction();
        Body body;
        body.name = "body_" + std::to_string(i);
        body.mass = random.between(0.5, 3);
        body.com = 0.1 * random.vec3();
        body.inertia = inertia_of(build, body.mass, random);
        body.position = 0.5 * (at + next);
        body.rotation = random.rotation();
        model.bodies.push_back(body);
        const std::string name = "joint_" + std::to_string(i);
        // A rod has no inertia about itself: a bushing would turn it at an infinite frequency.
        if (i == 0 && build == Build::plate && random.below(2) == 0) {
            const double k = stiffness;
            Force bushing;
            bushing.name = name;
            bushing.type = "bushing";
            bushing.first = world;
            bushing.second = i;
            bushing.set("at", at).set("stiffness", std::vector<double>{k, k, k, 0.1 * k, 0.1 * k, 0.1 * k});
            model.forces.push_back(bushing);
        } else {
            model.joints.push_back(joint_of(name, "spherical", i - 1, i, at));
        }
        at = next;
    }
    const Vec3 anchor = at + random.between(0.3, 0.8) * random.direction();
    model.forces.push_back(spring("spring", bodies - 1, anchor, at, stiffness));
    turn_all(model, random.between(0.5, 1.5) * random.direction());
    return model;
}

struct EnergyOverTime {
    double start = 0, largest_rise = 0, lost = 0, scale = 0;
};

EnergyOverTime watch(const Model& model, const Method& method, double step, double stop) {
    Simulation simulation(with(model, method, step, stop));
    Results results(simulation);
    EnergyOverTime out;
    bool first = true;
    double last = 0;
    run(simulation, step, stop, [&](const Simulation&) {
        results.refresh();
        const double energy = results.energy() - results("energy.work");
        if (first)
            out.start = energy;
        else
            out.largest_rise = std::max(out.largest_rise, energy - last);
        first = false;
        out.scale = std::max({out.scale, std::abs(energy), std::abs(results("energy.kinetic"))});
        out.lost = out.start - energy;
        last = energy;
    });
    return out;
}

} // namespace

TEST_CASE("energy-decaying never gains energy on plates and rods with stiff springs, however they lie") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Build build = seed % 2 == 0 ? Build::plate : Build::rod;
        const Model model = stiff_machine(build, seed, build == Build::plate ? 1e5 : 1e4);
        const EnergyOverTime out = watch(model, {.integrator = "energy-decaying"}, 0.005, 0.2);
        INFO("seed " << seed);
        CHECK(out.largest_rise < 1e-9 * (1 + out.scale));
        CHECK(out.lost > 0);
    }
}

// Joints outside the plate's plane, or off the rod's axis, load directors that have no mass: 2 instead of 3.
TEST_CASE(
    "energy-decaying has order 2 where joints load the directors of plates and rods that have no mass") {
    for (const Build build : {Build::plate, Build::rod}) {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            Model model = stiff_machine(build, 2 * seed + 100, 1);
            model.forces.clear();
            if (model.joints.empty() || model.joints[0].first != world) {
                continue; // a plate that hung on its bushing
            }
            const auto tip = [&](const std::string& integrator, double step) {
                Simulation simulation(with(model, {.integrator = integrator}, step, 0.4));
                Results results(simulation);
                run(simulation, step, 0.4);
                results.refresh();
                return results.vector(model.bodies.back().name + ".r_0");
            };
            const Vec3 exact = tip("munthe-kaas", 5e-4);
            const double coarse = (tip("energy-decaying", 0.02) - exact).norm();
            const double fine = (tip("energy-decaying", 0.01) - exact).norm();
            INFO("seed " << seed << (build == Build::rod ? " rod " : " plate ") << coarse << " " << fine);
            CHECK(order(coarse, fine) > 1.9);
        }
    }
}

TEST_CASE("conserving-projection in the mass metric never gains energy with stiff springs, in the tangent's "
          "it does") {
    int rising = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Build build = seed % 3 == 0 ? Build::plate : Build::block;
        const Model model = stiff_machine(build, seed, 1e7);
        const EnergyOverTime mass = watch(model, {.integrator = "conserving-projection"}, 0.01, 0.5);
        const EnergyOverTime tangent =
            watch(model,
                  {.integrator = "conserving-projection",
                   .options = {{"metric", std::string("tangent")}, {"accept_divergence", true}}},
                  0.01, 0.5);
        INFO("seed " << seed);
        CHECK(mass.largest_rise < 1e-8 * (1 + mass.scale)); // what the tolerance of the step leaves
        rising += tangent.largest_rise > 1e-6 * (1 + tangent.scale) ? 1 : 0;
    }
    CHECK(rising >= 10);
}
