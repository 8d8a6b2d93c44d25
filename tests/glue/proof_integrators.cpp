// Unlike parts: each integrator of the core on one side of the glue, munthe-kaas on the other.

#include "tests/glue/glued.hpp"
#include "tests/support/machine_run.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

/// Error of the whole machine with this integrator: what a glued part cannot be expected to beat.
double own_error(const Model& model, const Inside& inside, double every, double stop) {
    Simulation simulation(
        with(model, {inside.integrator, inside.options, "", inside.tolerance}, inside.step, stop));
    Results results(simulation);
    const Motion exact = whole_motion(model, 2.5e-4, every, stop);
    double largest = 0;
    const long inner = std::lround(every / inside.step);
    for (std::size_t i = 0; i < exact.size(); ++i) {
        results.refresh();
        for (std::size_t b = 0; b < model.bodies.size(); ++b)
            largest =
                std::max(largest, (results.vector(model.bodies[b].name + ".r_0") - exact[i][b].r).norm());
        for (long k = 0; k < inner && i + 1 < exact.size(); ++k)
            simulation.step(inside.step);
    }
    return largest;
}

} // namespace

TEST_CASE("every integrator is glued to munthe-kaas with no more error than its own", "[slow]") {
    for (const std::string& name : all_methods()) {
        INFO(name);
        const Inside inside{.integrator = name, .step = 2.5e-3};
        const GluedMachine glued(skew_double_pendulum(), inside, fmi::Version::fmi3,
                                 [&](std::size_t part) { return part == 0 ? Inside{} : inside; });
        Outside outside;
        outside.stop = 0.5;
        const Sweep errors = sweep(glued, outside, {0.01});
        INFO(errors.text());
        CHECK(errors.runs[0].failure == "");
        CHECK(errors.gap[0] < 1e-6);
        // Of the same order, not the same: each method samples the wrench in its own way.
        CHECK(errors.error[0] < 10 * own_error(glued.machine().model, inside, 0.01, 0.5) + 3 * 6.7e-7);
    }
}

TEST_CASE("parts with unlike steps are glued as well as the coarser one allows") {
    const GluedMachine glued(skew_double_pendulum(), {}, fmi::Version::fmi3,
                             [](std::size_t part) { return Inside{.step = part == 0 ? 1e-3 : 5e-3}; });
    check_errors(sweep(glued, {}, {0.02, 0.01, 0.005}), {8.4e-6, 6.8e-7, 1.3e-7}, 3);
}

TEST_CASE("FMI 2.0 and FMI 3.0 carry the glue equally well") {
    const GluedMachine two(skew_double_pendulum(), {}, fmi::Version::fmi2);
    check_errors(sweep(two, {}, {0.02, 0.01, 0.005}), {8.4e-6, 6.7e-7, 4.4e-8}, 3);
}
