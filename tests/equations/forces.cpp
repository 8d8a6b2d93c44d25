// The results that forces give, against their formulas.

#include "core/equations/mechanism.hpp"
#include "tests/support/machines.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

/// The machine at its start, each body with the given velocity of its centre of mass and angular velocity.
std::vector<double> readings(const Model& model, int force, const Vec3& v, const Vec3& w) {
    const Mechanism mechanism(model);
    std::vector<Kinematics> k;
    for (const MechanismBody& body : mechanism.body())
        k.push_back({body.start, v, w});
    Memory memory;
    memory.angle = Vector::Zero(mechanism.slots());
    memory.angle_rate = Vector::Zero(mechanism.slots());
    std::size_t size = 0;
    for (const ForceReading& reading : mechanism.force_readings(force)) {
        CHECK_FALSE((reading.suffix.empty() || reading.unit.empty() || reading.description.empty()));
        size += static_cast<std::size_t>(reading.size);
    }
    std::vector<double> values(size);
    std::vector<Effort> efforts(mechanism.force_efforts(force));
    mechanism.read_force(force, k, 0, memory, efforts, values);
    return values;
}

} // namespace

TEST_CASE("a spring's results are its length, the rate of it and the force that pulls") {
    const Model model = with_spring(3);
    const auto [p1, p2] = model.forces[0].points("points");
    const Vec3 along = (p2 - p1).normalized(), v(0.3, -0.2, 0.7);
    const std::vector<double> values = readings(model, 0, v, Vec3::Zero());
    REQUIRE(values.size() == 3);
    CHECK(values[0] == Approx((p2 - p1).norm()));
    CHECK(values[1] == Approx(along.dot(v)));
    CHECK(values[2] == Approx(40 * ((p2 - p1).norm() - 0.4) + 3 * along.dot(v)));
}

TEST_CASE("a torsion spring's result is the torque on the second body, or the force on a slide") {
    Model model = with_torsion_spring(0.5);
    const std::vector<double> values = readings(model, 1, Vec3::Zero(), Vec3(1, 2, 3));
    REQUIRE(values.size() == 1);
    CHECK(values[0] == Approx(4 * 0.3)); // free_angle 0.3 at angle 0; both bodies turn alike
    CHECK(Mechanism(model).force_readings(1)[0].suffix == "torque");
    model.joints[1].type = "prismatic";
    CHECK(Mechanism(model).force_readings(1)[0].suffix == "force");
    CHECK(Mechanism(model).force_readings(1)[0].unit == "N");
}

TEST_CASE("a bushing's results are deflection, rotation, force and torque in its axes") {
    const Vec3 v(0.1, 0.2, -0.3);
    const std::vector<double> values = readings(with_bushing(2), 0, v, Vec3::Zero());
    REQUIRE(values.size() == 12);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(values[i] == Approx(0).margin(1e-15));
        CHECK(values[3 + i] == Approx(0).margin(1e-15));
        CHECK(values[6 + i] == Approx(-2 * v[static_cast<Eigen::Index>(i)]));
        CHECK(values[9 + i] == Approx(0).margin(1e-15));
    }
}

TEST_CASE("an applied force has no results of its own") {
    CHECK(Mechanism(with_force(true)).force_readings(0).empty());
}
