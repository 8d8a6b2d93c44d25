#pragma once
// Small machines for the matrix of methods: one function a machine. Where nothing else is said, arm A hangs on a ball
// joint at the origin, B is joined to A by what is tested, both start turning as one rigid body, and an off-axis force on B
// loads every direction that the joint forbids.

#include "core/model/model.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace tenon::tests {

inline Body heavy_body(const std::string& name, const Vec3& position, double mass = 1.5) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.com = Vec3(0.02, -0.03, 0.01);
    body.inertia << 0.06, 0.004, -0.003, 0.004, 0.08, 0.005, -0.003, 0.005, 0.05;
    body.inertia *= mass;
    body.position = position;
    return body;
}

inline Joint joint_of(const std::string& name, const std::string& type, int first, int second, const Vec3& at,
                      const Vec3& axis = Vec3::UnitZ()) {
    Joint joint;
    joint.name = name;
    joint.type = type;
    joint.first = first;
    joint.second = second;
    joint.at = at;
    joint.axis = axis;
    return joint;
}

/// All bodies move as one rigid body with this angular velocity about the origin.
inline void turn_all(Model& model, const Vec3& w) {
    for (Body& body : model.bodies) {
        body.angular_velocity = w;
        body.velocity = w.cross(body.position);
    }
}

inline Force push(const std::string& name, int body, const Vec3& at, const Vec3& vector,
                  bool body_axes = false) {
    Force force;
    force.name = name;
    force.type = "force";
    force.second = body;
    force.set("at", at).set("force", vector).set("axes", body_axes ? "body" : "world");
    return force;
}

inline Force twist(const std::string& name, int body, const Vec3& vector, bool body_axes = false) {
    Force force;
    force.name = name;
    force.type = "torque";
    force.second = body;
    force.set("torque", vector).set("axes", body_axes ? "body" : "world");
    return force;
}

inline const Vec3 pin_at(0.5, 0.1, -0.2);     ///< where A and B meet
inline const Vec3 skew_axis(0.3, -0.5, 0.8);  ///< of the joint between them
inline const Vec3 start_turn(0.6, -0.9, 1.3); ///< rad/s

/// A on a ball joint, B joined to it.
inline Model two_bodies(Joint joint) {
    Model model;
    model.bodies = {heavy_body("a", {0.3, 0, -0.1}), heavy_body("b", {0.8, 0.2, -0.4}, 1.0)};
    joint.name = "joint";
    joint.first = 0;
    joint.second = 1;
    model.joints = {joint_of("ball", "spherical", world, 0, Vec3::Zero()), joint};
    model.forces = {push("load", 1, {0.9, 0.5, -0.3}, {1.0, -2.0, 1.5})};
    turn_all(model, start_turn);
    return model;
}

inline Model with_joint(const std::string& type) {
    Joint joint = joint_of("joint", type, 0, 1, pin_at, skew_axis);
    joint.axis2 = skew_axis.cross(Vec3::UnitX());
    joint.pitch = 0.4;
    joint.point1 = Vec3(0.4, 0.1, -0.1);
    joint.point2 = Vec3(0.7, 0.2, -0.5);
    return two_bodies(joint);
}

/// A turns about a fixed axis, B on A; the angle of B is tied to that of A.
inline Model gear_pair() {
    Model model = with_joint("revolute");
    model.joints[0] = joint_of("ball", "revolute", world, 0, Vec3::Zero(), {0.2, 1.0, 0.1});
    Joint gear;
    gear.name = "gear";
    gear.type = "gear";
    gear.joint1 = 0;
    gear.joint2 = 1;
    gear.ratio = -1.5;
    model.joints.push_back(gear);
    turn_all(model, Vec3::Zero());
    return model;
}

/// A heavy wheel that leans, spins and turns; pushed at its rim.
inline Model rolling_wheel() {
    const double lean = 0.25, radius = 0.4;
    const Vec3 axis(0, std::cos(lean), -std::sin(lean));
    Model model;
    Body wheel;
    wheel.name = "wheel";
    wheel.mass = 2;
    wheel.inertia = Vec3(0.08, 0.15, 0.08).asDiagonal();
    wheel.position = Vec3(0, 0, radius * std::cos(lean));
    wheel.rotation = Eigen::AngleAxisd(-lean, Vec3::UnitX()).toRotationMatrix();
    const Vec3 w = 5 * axis + Vec3(0, 0, 0.6);
    const Vec3 down = Vec3::UnitZ() - Vec3::UnitZ().dot(axis) * axis;
    wheel.angular_velocity = w;
    wheel.velocity = w.cross(radius * down.normalized());
    model.bodies = {wheel};
    Joint contact = joint_of("contact", "rolling", world, 0, wheel.position, axis);
    contact.normal = Vec3::UnitZ();
    contact.radius = radius;
    model.joints = {contact};
    model.forces = {push("load", 0, wheel.position + Vec3(0.1, 0.05, 0), {0.5, 0.3, 0})};
    return model;
}

/// One body on a ball joint with a load of the given kind.
inline Model loaded_body(Force load) {
    Model model;
    model.bodies = {heavy_body("a", {0.3, 0, -0.1})};
    model.joints = {joint_of("ball", "spherical", world, 0, Vec3::Zero())};
    load.name = "load";
    model.forces = {std::move(load)};
    turn_all(model, start_turn);
    return model;
}

inline Model with_spring(double damping) {
    Force spring;
    spring.type = "spring_damper";
    spring.first = world;
    spring.second = 0;
    spring.set("points", std::array<Vec3, 2>{Vec3(0.6, -0.3, 0.4), Vec3(0.4, 0.1, -0.1)});
    spring.set("stiffness", 40.0);
    spring.set("damping", damping);
    spring.set("free_length", 0.4);
    return loaded_body(spring);
}

inline Model with_bushing(double damping) {
    Force bushing;
    bushing.type = "bushing";
    bushing.first = world;
    bushing.second = 0;
    bushing.set("at", Vec3(0.4, 0.1, -0.1));
    bushing.set("stiffness", std::vector<double>{40, 30, 50, 3, 4, 2});
    bushing.set("damping",
                std::vector<double>{damping, damping, damping, 0.1 * damping, 0.1 * damping, 0.1 * damping});
    return loaded_body(bushing);
}

inline Model with_force(bool body_axes) {
    return loaded_body(push("load", 0, {0.4, 0.2, 0}, {2, -1, 3}, body_axes));
}
inline Model with_torque(bool body_axes) {
    return loaded_body(twist("load", 0, {0.4, -0.3, 0.5}, body_axes));
}

inline Model with_force_table() {
    Force force = push("load", 0, {0.4, 0.2, 0}, Vec3::Zero());
    force.set("force", VectorTable{Table({0, 0.2, 0.4, 0.6, 0.8}, {0, 2, -1, 1, 0}), Table(),
                                   Table({0, 0.3, 0.6, 0.9}, {1, -2, 3, 0})});
    return loaded_body(force);
}

/// A swings about a fixed axis, B about another on A; a torsion spring between them.
inline Model with_torsion_spring(double damping) {
    Model model = with_joint("revolute");
    Force spring;
    spring.name = "spring";
    spring.type = "torsion_spring";
    spring.joint = 1;
    spring.set("stiffness", 4.0);
    spring.set("damping", damping);
    spring.set("free_angle", 0.3);
    model.forces.push_back(spring);
    return model;
}

inline Model with_friction(const std::string& type) {
    Model model = with_joint(type);
    model.joints[1].friction = {.coulomb = 0.1, .viscous = 0.05, .speed = 0.5};
    return model;
}

/// The motion of the joint between A and B is prescribed: what formula and table say starts at rest.
inline Model with_driver(const std::string& type, bool table) {
    Model model = with_joint(type);
    Driver driver;
    driver.name = "motor";
    driver.joint = 1;
    if (type == "cylindrical")
        driver.coordinate = "distance";
    if (table) {
        driver.table = Table({0, 0.25, 0.5, 1}, {0, 0.1, -0.1, 0.2});
    } else {
        const double amplitude = 0.3, frequency = 1, pi = 3.14159265358979323846;
        driver.motion = {.offset = 0,
                         .rate = -2 * pi * frequency * amplitude,
                         .amplitude = amplitude,
                         .frequency = frequency,
                         .phase = 0};
    }
    model.drivers = {driver};
    return model;
}

/// Crank, coupler and rocker in a plane: three redundant rows in space where all joints are revolute.
inline Model four_bar(bool redundant) {
    Model model;
    const double tip = std::sqrt(0.99);
    model.bodies = {heavy_body("crank", {0, 0.2, 0}), heavy_body("coupler", {0.45, 0.7, 0}),
                    heavy_body("rocker", {0.95, 0.5, 0})};
    for (Body& body : model.bodies) {
        body.com.setZero();
        body.inertia = Vec3(0.05, 0.06, 0.08).asDiagonal();
    }
    const Vec3 a(0, 0, 0), b(0.1, 0.4, 0), c(0.9, tip, 0), d(1.1, 0, 0);
    model.joints = {joint_of("a", "revolute", world, 0, a), joint_of("b", "revolute", 0, 1, b),
                    joint_of("c", redundant ? "revolute" : "point_on_line", 1, 2, c),
                    joint_of("d", "revolute", world, 2, d)};
    model.gravity = Vec3(3, -9.81, 0);
    model.forces = {push("load", 1, {0.5, 0.5, 0.1}, {1, 1, 0})};
    return model;
}

/// A loop in space without a redundant row: crank - ball joint - rod - universal joint - rocker.
inline Model spatial_loop() {
    Model model;
    model.bodies = {heavy_body("crank", {0.1, 0.1, 0}), heavy_body("rod", {0.5, 0.3, 0.3}),
                    heavy_body("rocker", {1.0, 0.2, 0.3})};
    model.joints = {joint_of("a", "revolute", world, 0, Vec3::Zero(), Vec3::UnitZ()),
                    joint_of("b", "spherical", 0, 1, {0.2, 0.2, 0.1}),
                    joint_of("c", "universal", 1, 2, {0.9, 0.4, 0.5}, Vec3::UnitX()),
                    joint_of("d", "revolute", world, 2, {1.1, 0, 0}, Vec3::UnitY())};
    model.joints[2].axis2 = Vec3::UnitZ();
    model.gravity = Vec3(2, 1, -9.81);
    model.forces = {twist("motor", 0, {0, 0, 8})};
    return model;
}

/// A door on two hinges: five rows follow from the others.
inline Model door() {
    Model model;
    model.bodies = {heavy_body("door", {0.4, 0, 0.5})};
    model.joints = {joint_of("lower", "revolute", world, 0, {0, 0, 0}, Vec3(0.1, 0, 1)),
                    joint_of("upper", "revolute", world, 0, {0.1, 0, 1}, Vec3(0.1, 0, 1))};
    model.gravity = Vec3(0, 6, -8);
    return model;
}

/// A tree: a trunk on a slide carries two arms, one of them a hinge and a ball joint further.
inline Model tree() {
    Model model;
    model.bodies = {heavy_body("trunk", {0, 0, 0}), heavy_body("left", {0.4, 0.2, 0}),
                    heavy_body("right", {-0.4, 0.1, 0}), heavy_body("hand", {0.8, 0.3, -0.2})};
    model.joints = {joint_of("slide", "prismatic", world, 0, Vec3::Zero(), Vec3(1, 0, -0.3)),
                    joint_of("shoulder", "universal", 0, 1, {0.2, 0, 0}, Vec3::UnitY()),
                    joint_of("hip", "revolute", 0, 2, {-0.2, 0, 0}, Vec3(0, 1, 0.2)),
                    joint_of("wrist", "spherical", 1, 3, {0.6, 0.25, -0.1})};
    model.joints[1].axis2 = Vec3::UnitX();
    return model;
}

} // namespace tenon::tests
