#include "tests/glue/machines.hpp"

#include "core/math/rotation.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/machines.hpp"

#include <cmath>

namespace tenon::tests {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A uniform rod along the x axis of its frame, which is at its middle. A little inertia about itself keeps it a body when
/// nothing but glue holds it; in a plane it does not matter.
Body rod(const std::string& name, double mass, double length, const Vec3& middle, const Mat3& rotation) {
    Body body;
    body.name = name;
    body.mass = mass;
    const double across = mass * length * length / 12;
    body.inertia = Vec3(0.1 * across, across, across).asDiagonal();
    body.position = middle;
    body.rotation = rotation;
    body.shape = {"box", {length, 0.05, 0.05}, 0, 0, {}, "", ""};
    return body;
}

Mat3 about_z(double angle) { return Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix(); }

/// A rod in the x-y plane from `from` at an angle, which turns about it and moves with it.
Body planar_rod(const std::string& name, double mass, double length, const Vec3& from, double angle) {
    return rod(name, mass, length, from + 0.5 * length * Vec3(std::cos(angle), std::sin(angle), 0),
               about_z(angle));
}

Model planar_model(const std::string& name) {
    Model model;
    model.name = name;
    model.gravity = Vec3(0, -9.81, 0);
    return model;
}

} // namespace

Machine planar_double_pendulum() {
    Model model = planar_model("planar_double_pendulum");
    model.bodies = {planar_rod("upper", 1, 1, Vec3::Zero(), 0), planar_rod("lower", 1, 1, Vec3::UnitX(), 0)};
    model.joints = {joint_of("shoulder", "revolute", world, 0, Vec3::Zero()),
                    joint_of("elbow", "revolute", 0, 1, Vec3::UnitX())};
    return {model, {"elbow"}};
}

Machine planar_four_bar() {
    Model model = planar_model("planar_four_bar");
    // Angles and velocities of the first row of the reference.
    const double coupler_angle = 0.5121611931861502, coupler_rate = -0.21916219471300386;
    const double rocker_angle = 1.7253864163355366, rocker_rate = 1.4888714458745924;
    const Vec3 tip(0, 1, 0), pivot(3, 0, 0);
    const Vec3 end = tip + 3 * Vec3(std::cos(coupler_angle), std::sin(coupler_angle), 0);
    model.bodies = {planar_rod("crank", 2, 1, Vec3::Zero(), pi / 2),
                    planar_rod("coupler", 3, 3, tip, coupler_angle),
                    planar_rod("rocker", 2.5, 2.5, pivot, rocker_angle)};
    const std::array<double, 3> rates = {4, coupler_rate, rocker_rate};
    const std::array<Vec3, 3> velocities = {
        4 * Vec3::UnitZ().cross(0.5 * tip), Vec3(-3.8388953144566615, -0.28656139373034584, 0),
        rocker_rate * Vec3::UnitZ().cross(model.bodies[2].position - pivot)};
    for (std::size_t i = 0; i < 3; ++i) {
        model.bodies[i].angular_velocity = rates[i] * Vec3::UnitZ();
        model.bodies[i].velocity = velocities[i];
    }
    model.joints = {joint_of("crank_pin", "revolute", world, 0, Vec3::Zero()),
                    joint_of("left", "revolute", 0, 1, tip), joint_of("right", "revolute", 1, 2, end),
                    joint_of("rocker_pin", "revolute", world, 2, pivot)};
    return {model, {"left", "right"}};
}

Machine swinging_arm(const std::string& joint_type) {
    Model model;
    model.name = "swinging_arm_" + joint_type;
    model.bodies = {rod("upper", 1, 1, {0.5, 0, 0}, Mat3::Identity()),
                    rod("lower", 1, 0.8, {1, 0.4, 0}, about_z(pi / 2))};
    model.bodies[1].inertia = Vec3(0.02, 0.06, 0.05).asDiagonal();
    model.joints = {joint_of("shoulder", "revolute", world, 0, Vec3::Zero(), {0.3, 1, 0.2}),
                    joint_of("elbow", joint_type, 0, 1, {1, 0, 0}, {1, 0.2, 0.5})};
    model.joints[1].axis2 = Vec3(0, 1, -0.4);
    model.gravity = Vec3(6.5, 1.5, -7.2); // not far from where it would hang
    return {model, {"elbow"}};
}

Machine turning_four_bar(const std::string& cut) {
    Model model = planar_four_bar().model;
    model.name = "turning_four_bar";
    model.bodies.push_back(heavy_body("table", Vec3::Zero(), 20));
    const Vec3 spin(0, 1.5, 0);
    for (Body& body : model.bodies) {
        body.angular_velocity = body.angular_velocity.value_or(Vec3::Zero()) + spin;
        body.velocity = body.velocity.value_or(Vec3::Zero()) + spin.cross(body.position);
    }
    for (Joint& joint : model.joints)
        if (joint.first == world)
            joint.first = 3;
    model.joints.push_back(joint_of("axle", "revolute", world, 3, Vec3::Zero(), Vec3::UnitY()));
    return {model, {cut}};
}

Machine skew_double_pendulum() {
    Machine machine = swinging_arm("revolute");
    machine.model.name = "skew_double_pendulum";
    return machine;
}

Machine bricard(int parts) {
    const std::vector<std::string> cuts = parts == 2   ? std::vector<std::string>{"p_4"}
                                          : parts == 3 ? std::vector<std::string>{"p_3", "p_5"}
                                                       : std::vector<std::string>{"p_2", "p_3", "p_4", "p_5"};
    return {example("bricard"), cuts};
}

Machine spatial_slider_crank() {
    Model model;
    model.name = "spatial_slider_crank";
    const Vec3 pin(0, 0.2, 0.5), eye(1.5, 0, 0); // ball joint on the crank, cross of the slider
    Body crank = rod("crank", 2, 0.5, {0, 0.2, 0.25}, Mat3::Identity());
    crank.inertia = Vec3(0.1, 0.1, 0.02).asDiagonal();
    const Vec3 along = eye - pin;
    Body con =
        rod("rod", 1, along.norm(), 0.5 * (pin + eye), shortest_rotation(Vec3::UnitX(), along.normalized()));
    Body slider = rod("slider", 2, 0.1, eye, Mat3::Identity());
    model.bodies = {crank, con, slider};
    model.joints = {joint_of("bearing", "revolute", world, 0, {0, 0.2, 0}, Vec3::UnitX()),
                    joint_of("ball", "spherical", 0, 1, pin),
                    joint_of("cross", "universal", 1, 2, eye, Vec3::UnitZ()),
                    joint_of("slide", "prismatic", world, 2, eye, Vec3::UnitX())};
    model.joints[2].axis2 = Vec3::UnitY();
    model.forces = {twist("motor", 0, {3, 0, 0})};
    return {model, {"cross"}};
}

Machine spatial_chain(int links, int parts) {
    constexpr double length = 0.2;
    Model model;
    model.name = "spatial_chain";
    std::vector<std::string> cuts;
    for (int i = 0; i < links; ++i) {
        const std::string number = std::to_string(i + 1);
        const Vec3 from(length * i, 0, 0);
        model.bodies.push_back(
            rod("link_" + number, 0.2, length, from + Vec3(0.5 * length, 0, 0), Mat3::Identity()));
        model.joints.push_back(joint_of("pin_" + number, "revolute", i == 0 ? world : i - 1, i, from,
                                        i % 2 == 0 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitZ())));
        if (i > 0 && i % (links / parts) == 0)
            cuts.push_back("pin_" + number);
    }
    model.gravity = Vec3(0, 3, -9.81);
    return {model, cuts};
}

Machine plate_on_four_cranks() {
    return {example("four_revolutes"),
            {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"}};
}

Machine n_four_bar() { return {example("n_four_bar_2"), {"b_1_right", "b_2_left"}}; }

Machine stiff_hidden_mass(double port_mass, double hidden_mass) {
    Model model;
    model.name = "stiff_hidden_mass";
    model.gravity = Vec3(6.5, 1.5, -7.2);
    const double inertia = 0.02;
    model.bodies = {rod("arm", 1, 1, {0.5, 0, 0}, Mat3::Identity()),
                    rod("carrier", port_mass, 0.2, {1.1, 0, 0}, Mat3::Identity()),
                    rod("load", hidden_mass, 0.2, {1.4, 0, 0}, Mat3::Identity())};
    for (std::size_t i : {1U, 2U})
        model.bodies[i].inertia = inertia * model.bodies[i].mass * Mat3::Identity();
    model.joints = {joint_of("shoulder", "revolute", world, 0, Vec3::Zero(), Vec3::UnitY()),
                    joint_of("elbow", "revolute", 0, 1, {1, 0, 0}, {0, 1, 0.3}),
                    joint_of("guide", "prismatic", 1, 2, {1.4, 0, 0}, Vec3::UnitX())};
    Force spring;
    spring.name = "spring";
    spring.type = "spring_damper";
    spring.first = 1;
    spring.second = 2;
    spring.set("points", std::array<Vec3, 2>{Vec3(1.1, 0, 0), Vec3(1.4, 0, 0)});
    spring.set("stiffness", 1e6);
    spring.set("damping", 40.0);
    model.forces = {spring};
    return {model, {"elbow"}};
}

Machine fast_rotor() {
    constexpr double spin = 100;
    Model model;
    model.name = "fast_rotor";
    model.gravity = Vec3(9.2, 0, -3.4);
    Body disc;
    disc.name = "disc";
    disc.mass = 1;
    disc.inertia = Vec3(0.02, 0.01, 0.01).asDiagonal(); // twice about its axis: nutation at twice the spin
    disc.position = Vec3(1, 0, 0);
    disc.angular_velocity = Vec3(spin, 0, 0);
    model.bodies = {rod("arm", 0.5, 1, {0.5, 0, 0}, Mat3::Identity()), disc};
    model.joints = {joint_of("shoulder", "universal", world, 0, Vec3::Zero(), Vec3::UnitZ()),
                    joint_of("bearing", "revolute", 0, 1, {1, 0, 0}, Vec3::UnitX())};
    model.joints[0].axis2 = Vec3::UnitY();
    return {model, {"bearing"}};
}

} // namespace tenon::tests
