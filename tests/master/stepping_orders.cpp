// Orders of convergence of all schemes, on linear oscillators whose motion is known (tests/reference/cosim_linear.json).

#include "tests/master/run_support.hpp"
#include "tests/support/reference.hpp"

#include <cmath>
#include <numbers>

using namespace tenon;
using namespace tenon::master;
using namespace tenon::system;

namespace {

/// Two masses on springs, with a spring between them: each FMU is one mass and all springs that hold it, and gets the
/// position of the other one times the stiffness of the spring between.
SystemBuilder two_masses(int version, const std::string& method, int order, double h, double stop) {
    constexpr double k = 4 * std::numbers::pi * std::numbers::pi, between = 4 * k;
    SystemBuilder builder(version);
    builder.foreign("a", "oscillator", {setting("k", k + between)})
        .foreign("b", "oscillator", {setting("k", k + between), setting("x", 0.0)})
        .connect("b.x", "a.F", between)
        .connect("a.x", "b.F", between)
        .method(method, h, stop);
    builder.system.master.extrapolation = order;
    return builder;
}

/// The largest error of positions and velocities (these divided by the frequency of 2 pi) at the end.
double error_at_end(const SystemBuilder& builder, const tests::Json& row) {
    Run run(builder.check());
    run.go();
    REQUIRE(run.failure == "");
    const std::vector<double> exact = row["x1_x2_v1_v2"].numbers();
    const double w = 2 * std::numbers::pi;
    return std::max({std::abs(run.last("a.x") - exact[0]), std::abs(run.last("b.x") - exact[1]),
                     std::abs(run.last("a.v") - exact[2]) / w, std::abs(run.last("b.v") - exact[3]) / w});
}

tests::Json precice_row() { return tests::reference("cosim_linear")["precice_oscillator"]["rows"][1]; }

/// From the errors with h and h / 2.
double order_between(double coarse, double fine) { return std::log2(coarse / fine); }

} // namespace

TEST_CASE("jacobi with extrapolation of order k converges with order k + 1") {
    const int version = GENERATE(2, 3), order = GENERATE(0, 1, 2);
    const tests::Json row = precice_row();
    const double coarse = error_at_end(two_masses(version, "jacobi", order, 0.1 / 64, 0.1), row),
                 fine = error_at_end(two_masses(version, "jacobi", order, 0.1 / 128, 0.1), row);
    CAPTURE(version, order, coarse, fine);
    CHECK(order_between(coarse, fine) == Approx(order + 1).margin(0.2));
}

TEST_CASE("gauss-seidel with extrapolation of order k converges with order k + 1") {
    const int version = GENERATE(2, 3), order = GENERATE(0, 1, 2);
    const tests::Json row = precice_row();
    const double coarse = error_at_end(two_masses(version, "gauss-seidel", order, 0.1 / 64, 0.1), row),
                 fine = error_at_end(two_masses(version, "gauss-seidel", order, 0.1 / 128, 0.1), row);
    CAPTURE(version, order, coarse, fine);
    CHECK(order_between(coarse, fine) == Approx(order + 1).margin(0.2));
}

TEST_CASE("iterate with interpolation of order k converges with order k + 1, by either iteration") {
    const int version = GENERATE(2, 3), order = GENERATE(0, 1, 2);
    const std::string iteration = GENERATE("fixed-point", "quasi-newton");
    const tests::Json row = precice_row();
    const auto error = [&](double h) {
        SystemBuilder builder = two_masses(version, "iterate", order, h, 0.1);
        builder.system.master.iteration = iteration;
        builder.system.master.tolerance = 1e-12;
        return error_at_end(builder, row);
    };
    const double coarse = error(0.1 / 32), fine = error(0.1 / 64);
    CAPTURE(version, order, iteration, coarse, fine);
    CHECK(order_between(coarse, fine) == Approx(order + 1).margin(0.2));
}

TEST_CASE("at the same order and step iterate is more accurate than extrapolating") {
    const int order = GENERATE(1, 2);
    const tests::Json row = precice_row();
    CHECK(error_at_end(two_masses(2, "iterate", order, 0.1 / 32, 0.1), row) <
          0.5 * error_at_end(two_masses(2, "jacobi", order, 0.1 / 32, 0.1), row));
}

namespace {

/// A spring and a damper between the masses: the force needs position and velocity of the other mass, which a state space
/// without states adds up.
SystemBuilder damped_masses(int version, const std::string& method, int order, double h) {
    const std::vector<Setting> adder =
        version == 2 ? std::vector<Setting>{setting("C[1,1]", 0.0), setting("C[2,2]", 0.0),
                                            setting("D[1,1]", 10.0), setting("D[1,2]", 0.5)}
                     : std::vector<Setting>{setting("C", std::vector<double>(4, 0)),
                                            setting("D", std::vector<double>{10, 0.5, 0, 0})};
    SystemBuilder builder(version);
    builder.foreign("a", "oscillator", {setting("k", 20.0), setting("d", 0.7), setting("x", 0.0)})
        .foreign("b", "oscillator", {setting("k", 30.0), setting("d", 0.8), setting("x", 0.5)})
        .foreign("to_a", "statespace", adder)
        .foreign("to_b", "statespace", adder)
        .connect("b.x", "to_a.u[1]")
        .connect("b.v", "to_a.u[2]")
        .connect("to_a.y[1]", "a.F")
        .connect("a.x", "to_b.u[1]")
        .connect("a.v", "to_b.u[2]")
        .connect("to_b.y[1]", "b.F")
        .method(method, h, 1);
    builder.system.master.extrapolation = order;
    return builder;
}

} // namespace

TEST_CASE("two masses with spring and damper between them converge to the reference") {
    const int version = GENERATE(2, 3);
    const auto [method, order, expected] = GENERATE(table<std::string, int, double>(
        {{"jacobi", 0, 1}, {"gauss-seidel", 0, 1}, {"iterate", 0, 1}, {"iterate", 1, 2}, {"iterate", 2, 3}}));
    const tests::Json row = tests::reference("cosim_linear")["dual_mass_oscillator"]["rows"][3];
    const double coarse = error_at_end(damped_masses(version, method, order, 1.0 / 64), row),
                 fine = error_at_end(damped_masses(version, method, order, 1.0 / 128), row);
    CAPTURE(version, method, order, coarse, fine);
    CHECK(order_between(coarse, fine) == Approx(expected).margin(0.25));
}

TEST_CASE("an FMU that takes one value a step gets the mean of the curve, which is of second order") {
    // The description says nothing of what the binary could do.
    const int version = GENERATE(2, 3);
    Scratch scratch;
    std::vector<ArchiveContent> content = fmi::content_of("oscillator", version);
    std::string& xml = fmi::entry_of(content, "modelDescription.xml");
    xml = fmi::replaced(xml, version == 2 ? "canInterpolateInputs" : "providesIntermediateUpdate",
                        "noSuchAttribute");
    if (version == 3)
        xml = fmi::replaced(xml, "canReturnEarlyAfterIntermediateUpdate", "noOtherAttribute");
    write_archive(scratch / "oscillator.fmu", content);
    const int order = GENERATE(1, 2);
    const tests::Json row = precice_row();
    const auto error = [&](double h) {
        SystemBuilder builder = two_masses(version, "jacobi", order, h, 0.1);
        for (SystemFmu& fmu : builder.system.fmus)
            fmu.file = scratch / "oscillator.fmu";
        CHECK(Run(builder.check()).remarks("takes one value of each input per step"));
        return error_at_end(builder, row);
    };
    const double coarse = error(0.1 / 64), fine = error(0.1 / 128);
    CAPTURE(version, order, coarse, fine);
    CHECK(order_between(coarse, fine) == Approx(2).margin(0.25));
}

TEST_CASE("with adaptive steps the error follows the tolerance and results are on the grid") {
    const std::string method = GENERATE(every_scheme());
    const tests::Json row = precice_row();
    const auto run_with = [&](double tolerance) {
        SystemBuilder builder = two_masses(2, method, 1, 0.02, 0.1);
        builder.system.master.adaptive = true;
        builder.system.master.tolerance = tolerance;
        Run run(builder.check());
        run.go();
        REQUIRE(run.failure == "");
        REQUIRE(run.times.size() == 6);
        for (std::size_t i = 0; i < 6; ++i)
            CHECK(run.times[i] == (i == 5 ? 0.1 : static_cast<double>(i) * 0.02));
        const std::vector<double> exact = row["x1_x2_v1_v2"].numbers();
        const double error =
            std::max(std::abs(run.last("a.x") - exact[0]), std::abs(run.last("b.x") - exact[1]));
        CHECK(run.master.report().smallest_step < 0.02);
        return std::pair(error, run.master.report().dosteps);
    };
    const auto [rough_error, rough_steps] = run_with(1e-4);
    const auto [fine_error, fine_steps] = run_with(1e-6);
    CAPTURE(method, rough_error, fine_error, rough_steps, fine_steps);
    CHECK(rough_error < 1e-2);
    CHECK(fine_error < rough_error / 10);
    CHECK(fine_steps > rough_steps);
}
