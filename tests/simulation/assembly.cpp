// The start state: gaps, velocities, drivers, redundant rows, singular positions, inertia.

#include "tests/support/machine_run.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace tenon;
using namespace tenon::tests;

namespace {

Body rod(const std::string& name, const Vec3& from, const Vec3& to, double width = 0) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.position = 0.5 * (from + to);
    const Vec3 along = to - from;
    body.inertia =
        (along.squaredNorm() * Mat3::Identity() - along * along.transpose()) / 12 + width * Mat3::Identity();
    return body;
}

Joint joint(const std::string& name, const std::string& type, int first, int second, const Vec3& at,
            const Vec3& axis = Vec3::UnitZ()) {
    Joint out;
    out.name = name;
    out.type = type;
    out.first = first;
    out.second = second;
    out.at = at;
    out.axis = axis;
    return out;
}

/// A rod of 1 m along x on a pin at the origin.
Model pendulum() {
    Model model;
    model.bodies = {rod("arm", Vec3::Zero(), Vec3(1, 0, 0), 0.01)};
    model.joints = {joint("pin", "revolute", world, 0, Vec3::Zero(), Vec3(0, 1, 0))};
    return model;
}

Driver driver(const std::string& name, int on, double offset, double rate) {
    Driver out;
    out.name = name;
    out.joint = on;
    out.motion.offset = offset;
    out.motion.rate = rate;
    return out;
}

/// What the core says, and of which element.
struct Refusal {
    std::string what, element;
};

Refusal refusal(const Model& model) {
    try {
        Simulation simulation(model);
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::model);
        return {error.what(), error.element()};
    }
    return {"accepted", ""};
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// N four-bars side by side lying flat along x, all moving as parallelograms do.
Model flat_four_bars(int n) {
    Model model;
    model.gravity = Vec3(0, -9.81, 0);
    for (int i = 0; i <= n; ++i) {
        const Vec3 foot(2.0 * i, 0, 0), tip = foot + Vec3(1, 0, 0);
        Body crank = rod("crank_" + std::to_string(i), foot, tip);
        crank.velocity = Vec3(0, -0.5, 0);
        crank.angular_velocity = Vec3(0, 0, -1);
        model.bodies.push_back(crank);
        model.joints.push_back(joint("foot_" + std::to_string(i), "revolute", world,
                                     static_cast<int>(model.bodies.size()) - 1, foot));
    }
    for (int i = 1; i <= n; ++i) {
        const Vec3 left(2.0 * i - 1, 0, 0), right(2.0 * i + 1, 0, 0);
        Body coupler = rod("coupler_" + std::to_string(i), left, right);
        coupler.velocity = Vec3(0, -1, 0);
        model.bodies.push_back(coupler);
        const int c = static_cast<int>(model.bodies.size()) - 1;
        model.joints.push_back(joint("left_" + std::to_string(i), "revolute", i - 1, c, left));
        model.joints.push_back(joint("right_" + std::to_string(i), "revolute", i, c, right));
    }
    return model;
}

} // namespace

TEST_CASE("a machine that fits is not moved") {
    for (const char* name :
         {"andrews_squeezer", "bricard", "driven_crank", "rolling_disc", "n_four_bar_10"}) {
        const Model model = example(name);
        Simulation simulation(model);
        Results results(simulation);
        results.refresh();
        CAPTURE(name);
        CHECK(simulation.start().position_correction < 1e-10);
        for (const Body& body : model.bodies) {
            CHECK((results.vector(body.name + ".r_0") - body.position).norm() < 1e-10);
            CHECK((results.rotation(body.name) - body.rotation).norm() < 1e-10);
        }
    }
}

TEST_CASE("a small gap of a length is closed and reported, a larger one is refused by the joint's name") {
    Model model = pendulum();
    model.bodies.push_back(rod("bob", Vec3(1, 0, -1), Vec3(1, 0, -2), 0.01));
    Joint link = joint("link", "distance", 0, 1, Vec3::Zero());
    link.point1 = Vec3(1, 0, 0);
    link.point2 = Vec3(1, 0, -1);
    link.length = 1.004;
    model.joints.push_back(link);
    Simulation simulation(model);
    CHECK(simulation.start().position_correction == Approx(0.004).epsilon(1e-6));
    CHECK(simulation.start().corrected_joint == "link");
    Results results(simulation);
    results.refresh();
    CHECK(results("link.distance") == Approx(1.004).epsilon(1e-12));
    CHECK(results("constraint.position") < 1e-12);

    model.joints[1].length = 1.05;
    const Refusal refused = refusal(model);
    CHECK(refused.element == "link");
    CHECK(contains(refused.what, "joint 'link'"));
    CHECK(contains(refused.what, "0.05 m"));
    CHECK(contains(refused.what, "0.01 m"));
    model.joints[1].length = 0.95;
    CHECK(contains(refusal(model).what, "0.05 m"));
}

TEST_CASE("axes of a universal joint that miss the right angle by half a degree are turned") {
    Model model;
    model.bodies = {rod("shaft", Vec3::Zero(), Vec3(0, 0, 1), 0.01)};
    Joint cross = joint("cross", "universal", world, 0, Vec3::Zero(), Vec3::UnitX());
    const double miss = 0.5 * std::numbers::pi / 180;
    cross.axis2 = Vec3(std::sin(miss), std::cos(miss), 0);
    model.joints = {cross};
    Simulation simulation(model);
    CHECK(simulation.start().position_correction == Approx(std::sin(miss)).epsilon(1e-6));
    CHECK(simulation.start().corrected_joint == "cross");
    Results results(simulation);
    results.refresh();
    CHECK((results.rotation("shaft") * cross.axis2).dot(Vec3::UnitX()) == Approx(0).margin(1e-12));
}

TEST_CASE("a driver that starts elsewhere moves its body within a degree and is refused by its name beyond") {
    Model model = pendulum();
    model.drivers = {driver("motor", 0, 0.01, 0)};
    Simulation simulation(model);
    Results results(simulation);
    results.refresh();
    CHECK(simulation.start().position_correction == Approx(0.01).epsilon(1e-9));
    CHECK(results("pin.angle") == Approx(0.01).epsilon(1e-9));
    model.drivers = {driver("motor", 0, 0.1, 0)};
    const Refusal refused = refusal(model);
    CHECK(refused.element == "motor");
    CHECK(contains(refused.what, "driver 'motor'"));
    CHECK(contains(refused.what, "0.1 rad"));
}

TEST_CASE("start velocities that miss a joint by little are corrected and reported, by more are refused") {
    Model model = pendulum();
    model.bodies[0].angular_velocity = Vec3(0, 2, 0);
    model.bodies[0].velocity = Vec3(0, 0, -1); // of the middle: w x (0.5, 0, 0)
    CHECK(Simulation(model).start().velocity_correction < 1e-12);
    model.bodies[0].velocity = Vec3(0, 0, -1.004);
    Simulation simulation(model);
    CHECK(simulation.start().velocity_correction == Approx(0.004).epsilon(1e-6));
    CHECK(simulation.start().corrected_joint == "pin");
    Results results(simulation);
    results.refresh();
    CHECK(results("constraint.velocity") < 1e-12);
    CHECK(results("pin.rate") == Approx(2).epsilon(0.01));
    model.bodies[0].velocity = Vec3(0, 0, -1.5);
    const Refusal refused = refusal(model);
    CHECK(refused.element == "pin");
    CHECK(contains(refused.what, "joint 'pin'"));
    CHECK(contains(refused.what, "0.5 m/s"));
}

TEST_CASE("a driver sets bodies moving whose velocities are not given, and those given must agree with it") {
    Model model = pendulum();
    model.drivers = {driver("motor", 0, 0, 3)};
    Simulation simulation(model);
    Results results(simulation);
    results.refresh();
    CHECK(results.vector("arm.w_0").isApprox(Vec3(0, 3, 0)));
    CHECK(results.vector("arm.v_0").isApprox(Vec3(0, 0, -1.5)));
    CHECK(results("pin.rate") == Approx(3));
    CHECK(simulation.start().degrees_of_freedom == 0);
    model.bodies[0].angular_velocity = Vec3(0, 3, 0);
    model.bodies[0].velocity = Vec3(0, 0, -1.5);
    CHECK(refusal(model).what == "accepted");
    model.bodies[0].angular_velocity = Vec3(0, 1, 0);
    model.bodies[0].velocity = Vec3(0, 0, -0.5);
    const Refusal refused = refusal(model);
    CHECK(refused.element == "motor");
    CHECK(contains(refused.what, "2 rad/s"));
}

TEST_CASE("a driver against a joint that holds is refused") {
    Model model = pendulum();
    model.joints.push_back(joint("lock", "fixed", world, 0, Vec3(1, 0, 0)));
    model.drivers = {driver("motor", 0, 0, 1)};
    const Refusal refused = refusal(model);
    CHECK(contains(refused.what, "velocity"));
    CHECK((refused.element == "motor" || refused.element == "lock" || refused.element == "pin"));
}

TEST_CASE("redundant rows are counted and their joints named") {
    const auto start = [](const char* name) { return Simulation(example(name)).start(); };
    const StartReport bricard = start("bricard");
    CHECK(bricard.rows == 30);
    CHECK(bricard.rank_deficiency == 1);
    CHECK(bricard.redundant_joints.size() == 1);
    CHECK(start("four_revolutes").rank_deficiency == 11);
    for (int n : {1, 2, 10, 40}) {
        const StartReport report = start(("n_four_bar_" + std::to_string(n)).c_str());
        CAPTURE(n);
        CHECK(report.rank_deficiency == 3 * n);
        CHECK(static_cast<int>(report.redundant_joints.size()) == n);
        CHECK(report.degrees_of_freedom == 1);
    }
    CHECK(start("cart").rank_deficiency == 3 * 4 + 5 * 4 - (30 - 1));
    CHECK(start("driven_crank").redundant_joints.size() == 1); // 19 rows of a planar loop that cannot move
    for (const char* name : {"chain_10", "slider_crank", "rolling_disc", "heavy_top", "geared_arms"}) {
        CAPTURE(name);
        CHECK(start(name).rank_deficiency == 0);
        CHECK(start(name).redundant_joints.empty());
    }
    Model twice = pendulum();
    twice.joints.push_back(joint("pin_again", "revolute", world, 0, Vec3(0, 0.3, 0), Vec3(0, 1, 0)));
    const StartReport report = Simulation(twice).start();
    CHECK(report.rows == 10);
    CHECK(report.rank_deficiency == 5);
    CHECK(report.degrees_of_freedom == 1);
    CHECK(report.redundant_joints == std::vector<std::string>{"pin_again"});
}

TEST_CASE("degrees of freedom of all examples are those that counting by hand gives") {
    const std::map<std::string, int> expected = {
        {"andrews_squeezer", 1}, {"bricard", 1},         {"cart", 1},          {"chain_10", 10},
        {"double_four_bar", 1},  {"double_pendulum", 2}, {"driven_crank", 0},  {"four_revolutes", 1},
        {"free_body", 6},        {"geared_arms", 1},     {"heavy_top", 3},     {"n_four_bar_1", 1},
        {"n_four_bar_2", 1},     {"n_four_bar_10", 1},   {"n_four_bar_40", 1}, {"parallel_four_bar", 1},
        {"ports_flanges", 1},    {"robot_arm", 0},       {"rolling_disc", 3},  {"satellite", 7},
        {"screw_press", 1},      {"simple_pendulum", 1}, {"slider_crank", 1},  {"spherical_pendulum", 3},
        {"spring_pendulum", 13}, {"universal_shaft", 2}, {"wind_rotor", 5}};
    for (const auto& [name, freedom] : expected) {
        const Model model = example(name);
        const StartReport report = Simulation(model).start();
        CAPTURE(name);
        CHECK(report.degrees_of_freedom == freedom);
        CHECK(report.rank_deficiency == report.rows - (6 * static_cast<int>(model.bodies.size()) - freedom));
    }
}

TEST_CASE("a start exactly in a singular position drops only the rows that are redundant everywhere") {
    for (int n : {1, 2, 4}) {
        Model model = flat_four_bars(n);
        for (const char* integrator : {"munthe-kaas", "projection", "explicit-correction"}) {
            Simulation simulation(with(model, {integrator}, 1e-3, 1));
            CAPTURE(n, integrator);
            CHECK(simulation.start().rank_deficiency == 3 * n);
            CHECK(simulation.start().degrees_of_freedom == 1);
            for (int i = 0; i < 100; ++i)
                simulation.step(1e-3);
            CHECK(simulation.report().max_position_violation < 1e-6);
            // As a pendulum of n + 1 rods and n couplers: all cranks turn alike.
            Results results(simulation);
            results.refresh();
            for (int i = 1; i <= n; ++i)
                CHECK(results("foot_" + std::to_string(i) + ".angle") ==
                      Approx(results("foot_0.angle")).epsilon(1e-4));
            CHECK(results("foot_0.angle") < -0.1);
        }
    }
}

TEST_CASE("a body that the joints let move without inertia is refused by its name") {
    Model model;
    model.bodies = {rod("left", Vec3(0, 0, 0), Vec3(0, 1, 0), 0.01),
                    rod("right", Vec3(1, 0, 0), Vec3(1, 1, 0), 0.01),
                    rod("needle", Vec3(0, 1, 0), Vec3(1, 1, 0))};
    model.joints = {
        joint("a", "revolute", world, 0, Vec3(0, 0, 0)), joint("b", "revolute", world, 1, Vec3(1, 0, 0)),
        joint("c", "spherical", 0, 2, Vec3(0, 1, 0)), joint("d", "spherical", 1, 2, Vec3(1, 1, 0))};
    const Refusal refused = refusal(model);
    CHECK(refused.element == "needle");
    CHECK(contains(refused.what, "needle"));
    CHECK(contains(refused.what, "inertia"));
    model.joints[3] = joint("d", "universal", 1, 2, Vec3(1, 1, 0), Vec3::UnitZ()); // holds the spin
    model.joints[3].axis2 = Vec3::UnitY();
    CHECK(refusal(model).what == "accepted");

    Model point; // a massless body in the air
    point.bodies = {rod("thing", Vec3::Zero(), Vec3::UnitX(), 0.01)};
    point.bodies[0].mass = 0;
    point.bodies[0].inertia.setZero();
    CHECK(refusal(point).element == "thing");
}

TEST_CASE("thin rods and a massless slider move like the machine without them") {
    // Crank and rod as of a planar slider-crank; the slider is massless, or there is a point on a line instead of it.
    Model line;
    line.gravity = Vec3(0, -9.81, 0);
    const Vec3 tip(0.3, 0.4, 0), end(0.3 + std::sqrt(1 - 0.16), 0, 0);
    line.bodies = {rod("crank", Vec3::Zero(), tip), rod("coupler", tip, end)};
    line.joints = {joint("pin", "revolute", world, 0, Vec3::Zero()), joint("knee", "revolute", 0, 1, tip),
                   joint("slot", "point_on_plane", world, 1, end, Vec3::UnitY())};
    Model slider = line;
    Body block;
    block.name = "block";
    block.position = end;
    slider.bodies.push_back(block);
    slider.joints[2] = joint("slide", "prismatic", world, 2, end, Vec3::UnitX());
    slider.joints.push_back(joint("wrist", "revolute", 1, 2, end));
    for (const char* integrator : {"munthe-kaas", "projection", "explicit-correction", "energy-preserving"}) {
        Simulation with_line(with(line, {integrator}, 1e-3, 1)),
            with_slider(with(slider, {integrator}, 1e-3, 1));
        CAPTURE(integrator);
        CHECK(with_slider.start().degrees_of_freedom == 1);
        CHECK(with_slider.start().rank_deficiency == 3);
        for (int i = 0; i < 300; ++i) {
            with_line.step(1e-3);
            with_slider.step(1e-3);
        }
        Results a(with_line), b(with_slider);
        a.refresh();
        b.refresh();
        CHECK(std::abs(a("pin.angle")) > 0.1);
        CHECK(b("pin.angle") == Approx(a("pin.angle")).epsilon(1e-7));
        CHECK(b("slide.distance") ==
              Approx((a.vector("coupler.r_0") + a.rotation("coupler") * (0.5 * (end - tip)) - end).x())
                  .epsilon(1e-6));
    }
}
