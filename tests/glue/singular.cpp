// Two loops of four bars in line (examples/n_four_bar_2.toml): the rows along the line move nothing there. Exact solution: the cranks
// stay parallel, 3 th'' = 3.5 g sin th, with th their angle from the upright.

#include "tests/glue/glued.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

constexpr double pi = 3.14159265358979323846;

struct Crank {
    double angle = 0, rate = 0;
};

/// Runge-Kutta with 1000 steps.
Crank later(Crank crank, double time) {
    const auto slope = [](const Crank& c) { return Crank{c.rate, 3.5 * 9.81 / 3 * std::sin(c.angle)}; };
    const auto moved = [](const Crank& c, const Crank& d, double h) {
        return Crank{c.angle + h * d.angle, c.rate + h * d.rate};
    };
    const double h = time / 1000;
    for (int i = 0; i < 1000; ++i) {
        const Crank k1 = slope(crank), k2 = slope(moved(crank, k1, h / 2)),
                    k3 = slope(moved(crank, k2, h / 2)), k4 = slope(moved(crank, k3, h));
        crank.angle += h / 6 * (k1.angle + 2 * k2.angle + 2 * k3.angle + k4.angle);
        crank.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
    }
    return crank;
}

/// When the cranks lie for the first time.
double time_to_lie(const Crank& start) {
    double low = 0, high = 2;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (later(start, middle).angle < pi / 2 ? low : high) = middle;
    }
    return high;
}

/// Largest error of any crank's angle.
double error_of(const GluedRun& run, const Crank& start, double step) {
    double largest = 0;
    for (std::size_t i = 1; i < run.motion.size(); ++i) {
        const Crank expected = later(start, static_cast<double>(i) * step);
        const Mat3 R = Eigen::AngleAxisd(-expected.angle, Vec3::UnitZ()).toRotationMatrix();
        for (std::size_t crank = 0; crank < 3; ++crank)
            largest = std::max(largest, (run.motion[i][crank].R - R).norm());
    }
    return largest;
}

/// The machine with its cranks at an angle.
Machine turned(const Crank& crank) {
    Machine machine = n_four_bar();
    const Mat3 R = Eigen::AngleAxisd(-crank.angle, Vec3::UnitZ()).toRotationMatrix();
    const Vec3 tip = R * Vec3::UnitY() - Vec3::UnitY();
    const Vec3 spin(0, 0, -crank.rate);
    for (std::size_t i = 0; i < 5; ++i) {
        Body& body = machine.model.bodies[i];
        if (i < 3) {
            body.rotation = R;
            body.angular_velocity = spin;
        } else {
            body.position += tip;
            body.velocity = spin.cross(R * Vec3::UnitY());
        }
    }
    for (Joint& joint : machine.model.joints)
        if (joint.at.y() > 0.5) // not those on the ground
            joint.at += tip;
    return machine;
}

} // namespace

TEST_CASE("a machine that starts in its singular position leaves it as it should") {
    const std::string method = GENERATE("newton", "difference");
    INFO(method);
    const Crank start{pi / 2, 5};
    const Outside outside{.method = method, .step = 0.01, .stop = 0.4};
    const GluedRun run = GluedMachine(turned(start)).run(outside);
    CHECK(run.failure == "");
    CHECK(error_of(run, start, outside.step) < 5e-4);
    CHECK(run.report.max_gap < 1e-4);
}

TEST_CASE("a machine whose step ends in its singular position goes on") {
    // Of the rows along the line differences show rounding only in that step.
    const auto [method, limit] =
        GENERATE(table<std::string, double>({{"newton", 5e-4}, {"difference", 3e-3}}));
    INFO(method);
    const Crank start{1, 3};
    const double lies = time_to_lie(start);
    const long steps = std::lround(lies / 0.01);
    const double step = lies / static_cast<double>(steps);
    const Outside outside{.method = method, .step = step, .stop = 40 * step};
    const GluedRun run = GluedMachine(turned(start)).run(outside);
    CHECK(run.failure == "");
    CHECK(steps < 30);
    CHECK(error_of(run, start, step) < limit);
    CHECK(run.report.max_gap < 1e-4);
}
