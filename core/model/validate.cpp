#include "core/model/validate.hpp"

#include "core/math/error.hpp"
#include "core/math/digits.hpp"
#include "core/model/joints/joint_types.hpp"

#include <Eigen/Eigenvalues>

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace tenon {
namespace {

/// Axes shorter than this are taken for zero: no machine is drawn in nanometres.
constexpr double least_axis = 1e-9;
/// Two directions closer than this (sine of the angle between them) are parallel.
constexpr double least_sine = 1e-6;
/// The axes of a universal joint are at right angles; assembly turns what misses that by a degree.
constexpr double most_cosine = 0.017452406437283512;
/// Inertias may miss semidefiniteness and the triangle inequalities by round-off, relative to the largest moment.
constexpr double inertia_slack = 1e-9;
/// Rotation matrices may miss orthonormality by this.
constexpr double rotation_slack = 1e-9;

constexpr std::array<std::string_view, 5> taken_names = {"world", "time", "energy", "constraint", "solver"};

/// One element of the model under examination. The error's element is `<name>.<key>`, as parameters are called,
/// so that a reader can point at the very line.
struct Element {
    std::string_view kind;
    const std::string& name;

    [[noreturn]] void refuse(const std::string& what, std::string_view key = {}) const {
        throw Error(ErrorKind::model, std::string(kind) + " '" + name + "': " + what,
                    key.empty() ? name : name + "." + std::string(key));
    }

    void finite(double value, std::string_view key) const {
        if (!std::isfinite(value))
            refuse(std::string(key) + " must be a finite number (" + digits(value) + ")", key);
    }
    void finite(const Vec3& value, std::string_view key) const {
        if (!value.allFinite())
            refuse(std::string(key) + " must be finite " + digits(value), key);
    }
    void not_negative(double value, std::string_view key, std::string_view unit) const {
        finite(value, key);
        if (value < 0)
            refuse(std::string(key) + " must not be negative (" + digits(value) + " " + std::string(unit) +
                       ", least 0)",
                   key);
    }
    void positive(double value, std::string_view key, std::string_view unit) const {
        finite(value, key);
        if (value <= 0)
            refuse(std::string(key) + " must be positive (" + digits(value) + " " + std::string(unit) + ")",
                   key);
    }
    void direction(const Vec3& value, std::string_view key) const {
        finite(value, key);
        if (value.norm() < least_axis)
            refuse(std::string(key) + " has no direction (" + digits(value) + " has length " +
                       digits(value.norm()) + ", least " + digits(least_axis) + ")",
                   key);
        if (!std::isfinite(value.squaredNorm()))
            refuse(std::string(key) + " is too long " + digits(value) + "; only its direction counts", key);
    }
    void rotation(const Mat3& value, std::string_view key) const {
        if (!value.allFinite() ||
            (value.transpose() * value - Mat3::Identity()).cwiseAbs().maxCoeff() > rotation_slack ||
            value.determinant() < 0)
            refuse(std::string(key) + " is not a rotation", key);
    }
    void index(int value, std::size_t count, bool world_allowed, std::string_view key) const {
        if (value == world && world_allowed)
            return;
        if (value == world)
            refuse(std::string(key) + " must name an element of the model, not the world", key);
        if (value < 0 || static_cast<std::size_t>(value) >= count)
            refuse(std::string(key) + " has index " + std::to_string(value) + ", but there are " +
                       std::to_string(count),
                   key);
    }
};

bool is_identifier(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; };
    if (name.empty() || !letter(name.front()))
        return false;
    for (char c : name)
        if (!letter(c) && !(c >= '0' && c <= '9'))
            return false;
    return true;
}

class Names {
  public:
    template <class Elements> void add(std::string_view kind, const Elements& elements) {
        for (const auto& element : elements)
            add(kind, element.name);
    }

  private:
    void add(std::string_view kind, const std::string& name) {
        const Element element{kind, name};
        if (!is_identifier(name))
            element.refuse("a name is letters, digits and _ and does not begin with a digit", "name");
        for (std::string_view taken : taken_names)
            if (name == taken)
                element.refuse("this name is taken by the results; choose another", "name");
        if (const auto [place, is_new] = kinds_.emplace(name, kind); !is_new)
            element.refuse("there is a " + std::string(place->second) +
                               " of this name already; all elements share one namespace",
                           "name");
    }

    std::map<std::string, std::string_view> kinds_;
};

void check_inertia(const Element& element, const Mat3& inertia) {
    if (!inertia.allFinite())
        element.refuse("inertia must be finite", "inertia");
    const double size = inertia.cwiseAbs().maxCoeff();
    if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > inertia_slack * size)
        element.refuse("inertia must be symmetric", "inertia");
    if (size == 0)
        return;
    // Scaled, so that tiny and huge moments are judged alike and nothing overflows.
    const Vec3 moments =
        size * Eigen::SelfAdjointEigenSolver<Mat3>(inertia / size, Eigen::EigenvaluesOnly).eigenvalues();
    const double slack = inertia_slack * moments.cwiseAbs().maxCoeff();
    if (moments[0] < -slack)
        element.refuse("inertia is not positive semidefinite (principal moments " + digits(moments) +
                           ", least 0 kg m2); no body has such an inertia",
                       "inertia");
    if (moments[2] > moments[0] + moments[1] + slack)
        element.refuse("inertia violates the triangle inequality (principal moments " + digits(moments) +
                           ", the largest may be at most " + digits(moments[0] + moments[1]) +
                           " kg m2, the sum of the others); no body has such an inertia",
                       "inertia");
}

void check_body(const Body& body) {
    const Element element{"body", body.name};
    element.not_negative(body.mass, "mass", "kg");
    element.finite(body.com, "com");
    check_inertia(element, body.inertia);
    element.finite(body.position, "position");
    element.rotation(body.rotation, "orientation");
    if (body.velocity)
        element.finite(*body.velocity, "velocity");
    if (body.angular_velocity)
        element.finite(*body.angular_velocity, "angular_velocity");
}

void check_two_bodies(const Element& element, const Model& model, int first, int second) {
    element.index(first, model.bodies.size(), true, "bodies");
    element.index(second, model.bodies.size(), true, "bodies");
    if (first == second)
        element.refuse("bodies must differ, but both are '" + model.body_name(first) + "'", "bodies");
}

void check_not_parallel(const Element& element, const Vec3& a, const Vec3& b, std::string_view first,
                        std::string_view second) {
    if (a.normalized().cross(b.normalized()).norm() < least_sine)
        element.refuse(std::string(second) + " must not be parallel to " + std::string(first) + " (" +
                           digits(b) + " and " + digits(a) + ")",
                       second);
}

const JointType& type_of(const Model& model, int joint) {
    return *find_joint_type(model.joints[static_cast<std::size_t>(joint)].type);
}

/// That `joint` is one whose angle or distance can be measured.
void check_measurable(const Element& element, const Model& model, int joint, std::string_view key) {
    element.index(joint, model.joints.size(), false, key);
    const JointType& type = type_of(model, joint);
    if (!type.has_angle && !type.has_distance)
        element.refuse("joint '" + model.joints[static_cast<std::size_t>(joint)].name + "' is " +
                           std::string(type.name) + " and has neither angle nor distance",
                       key);
}

void check_friction(const Element& element, const Joint& joint, const JointType& type) {
    const Friction& friction = joint.friction;
    element.not_negative(friction.coulomb, "friction.coulomb", type.has_angle ? "N m" : "N");
    element.not_negative(friction.viscous, "friction.viscous", type.has_angle ? "N m s/rad" : "N s/m");
    element.positive(friction.speed, "friction.speed", type.has_angle ? "rad/s" : "m/s");
    if ((friction.coulomb > 0 || friction.viscous > 0) && !type.has_angle && !type.has_distance)
        element.refuse("a " + joint.type + " joint has no angle or distance for friction to act along",
                       "friction");
}

void check_joint_geometry(const Element& element, const Model& model, const Joint& joint,
                          std::string_view key) {
    if (key == "at") {
        element.finite(joint.at, key);
    } else if (key == "axis") {
        element.direction(joint.axis, key);
    } else if (key == "axis2") {
        element.direction(joint.axis2, key);
        check_not_parallel(element, joint.axis, joint.axis2, "axis", key);
        if (std::abs(joint.axis.normalized().dot(joint.axis2.normalized())) > most_cosine)
            element.refuse("axis and axis2 must be at right angles within 1 degree at t = 0 (" +
                               digits(joint.axis) + " and " + digits(joint.axis2) + ")",
                           key);
    } else if (key == "points") {
        element.finite(joint.point1, key);
        element.finite(joint.point2, key);
        if (!((joint.point2 - joint.point1).norm() >= least_axis))
            element.refuse("points must differ, but both are " + digits(joint.point1), key);
    } else if (key == "length") {
        if (joint.length)
            element.positive(*joint.length, key, "m");
    } else if (key == "pitch") {
        element.finite(joint.pitch, key);
        if (joint.pitch == 0)
            element.refuse("pitch must not be 0 m; a screw without pitch is a revolute joint", key);
    } else if (key == "joints") {
        check_measurable(element, model, joint.joint1, key);
        check_measurable(element, model, joint.joint2, key);
        if (joint.joint1 == joint.joint2)
            element.refuse("joints must differ, but both are '" +
                               model.joints[static_cast<std::size_t>(joint.joint1)].name + "'",
                           key);
    } else if (key == "ratio") {
        element.finite(joint.ratio, key);
        if (joint.ratio == 0)
            element.refuse("ratio must not be 0; to hold the second joint still use a driver", key);
    } else if (key == "normal") {
        element.direction(joint.normal, key);
        check_not_parallel(element, joint.axis, joint.normal, "axis", key);
    } else if (key == "radius") {
        element.positive(joint.radius, key, "m");
    }
}

void check_joint(const Model& model, const Joint& joint) {
    const Element element{"joint", joint.name};
    const JointType& type = *find_joint_type(joint.type);
    if (type.build)
        check_two_bodies(element, model, joint.first, joint.second);
    for (std::string_view key : type.keys)
        check_joint_geometry(element, model, joint, key);
    check_friction(element, joint, type);
}

void check_driver(const Model& model, const Driver& driver, std::set<std::pair<int, bool>>& driven) {
    const Element element{"driver", driver.name};
    check_measurable(element, model, driver.joint, "joint");
    const JointType& type = type_of(model, driver.joint);
    const std::string& joint = model.joints[static_cast<std::size_t>(driver.joint)].name;
    if (type.name == "distance")
        element.refuse("joint '" + joint + "' keeps its distance already; a driver cannot prescribe it",
                       "joint");
    if (!driver.coordinate.empty() && driver.coordinate != "angle" && driver.coordinate != "distance")
        element.refuse("coordinate must be \"angle\" or \"distance\" (\"" + driver.coordinate + "\")",
                       "coordinate");
    if (driver.coordinate.empty() && type.name == "cylindrical")
        element.refuse("joint '" + joint +
                           "' is cylindrical; say with coordinate = \"angle\" or \"distance\" which of "
                           "the two is driven",
                       "joint");
    const bool distance = driver.coordinate == "distance" || (driver.coordinate.empty() && !type.has_angle);
    if (distance ? !type.has_distance : !type.has_angle)
        element.refuse("joint '" + joint + "' is " + std::string(type.name) + " and has no " +
                           driver.coordinate,
                       "coordinate");
    // Angle and distance of a screw are one motion.
    if (!driven.emplace(driver.joint, type.name == "screw" ? false : distance).second)
        element.refuse("the " + std::string(distance ? "distance" : "angle") + " of joint '" + joint +
                           "' has a driver already",
                       "joint");
    element.finite(driver.motion.offset, "offset");
    element.finite(driver.motion.rate, "rate");
    element.finite(driver.motion.amplitude, "amplitude");
    element.finite(driver.motion.frequency, "frequency");
    element.finite(driver.motion.phase, "phase");
}

void check_spring(const Element& element, const Model& model, const Force& force) {
    check_two_bodies(element, model, force.first, force.second);
    element.finite(force.point1, "points");
    element.finite(force.point2, "points");
    element.not_negative(force.stiffness, "stiffness", "N/m");
    element.not_negative(force.damping, "damping", "N s/m");
    if (force.free_length)
        element.not_negative(*force.free_length, "free_length", "m");
    if ((force.point2 - force.point1).norm() < least_axis)
        element.refuse("points must differ, but both are " + digits(force.point1) +
                           ": the spring has no direction to push along",
                       "points");
}

void check_force(const Model& model, const Force& force) {
    const Element element{"force", force.name};
    switch (force.type) {
    case ForceType::spring_damper:
        return check_spring(element, model, force);
    case ForceType::torsion_spring:
        check_measurable(element, model, force.joint, "joint");
        element.not_negative(force.stiffness, "stiffness", "N m/rad");
        element.not_negative(force.damping, "damping", "N m s/rad");
        return element.finite(force.free_angle, "free_angle");
    case ForceType::bushing:
        check_two_bodies(element, model, force.first, force.second);
        element.finite(force.at, "at");
        for (std::size_t i = 0; i < 6; ++i) {
            element.not_negative(force.stiffness6[i], "stiffness", i < 3 ? "N/m" : "N m/rad");
            element.not_negative(force.damping6[i], "damping", i < 3 ? "N s/m" : "N m s/rad");
        }
        return;
    case ForceType::force:
        element.finite(force.at, "at");
        element.finite(force.vector, "force");
        return element.index(force.second, model.bodies.size(), false, "body");
    case ForceType::torque:
        element.finite(force.vector, "torque");
        return element.index(force.second, model.bodies.size(), false, "body");
    }
}

void check_port(const Model& model, const Port& port) {
    const Element element{"port", port.name};
    element.index(port.body, model.bodies.size(), false, "body");
    element.finite(port.at, "at");
    element.rotation(port.rotation, "orientation");
}

void check_flange(const Model& model, const Flange& flange) {
    const Element element{"flange", flange.name};
    element.index(flange.joint, model.joints.size(), false, "joint");
    const std::string& type = model.joints[static_cast<std::size_t>(flange.joint)].type;
    if (type != "revolute" && type != "prismatic")
        element.refuse("joint '" + model.joints[static_cast<std::size_t>(flange.joint)].name + "' is " +
                           type + "; a flange needs a revolute or prismatic joint",
                       "joint");
}

void check_alias(std::string_view kind, std::string_view key, const Alias& alias) {
    if (alias.variable.empty())
        Element{kind, alias.name}.refuse(std::string(key) + " must name a variable", key);
}

void check_solver(const SolverSettings& solver) {
    const auto refuse = [](const std::string& what, const std::string& key) {
        throw Error(ErrorKind::model, "solver: " + what, "solver." + key);
    };
    const auto positive = [&](double value, const std::string& key) {
        if (!(value > 0) || !std::isfinite(value))
            refuse(key + " must be positive and finite (" + digits(value) + ")", key);
    };
    positive(solver.step, "step");
    positive(solver.tolerance, "tolerance");
    if (!(solver.stop >= 0) || !std::isfinite(solver.stop))
        refuse("stop must be a time of at least 0 s (" + digits(solver.stop) + ")", "stop");
}

void check_names(const Model& model) {
    Names names;
    names.add("body", model.bodies);
    names.add("joint", model.joints);
    names.add("driver", model.drivers);
    names.add("force", model.forces);
    names.add("port", model.ports);
    names.add("flange", model.flanges);
    names.add("input", model.inputs);
    names.add("output", model.outputs);
}

} // namespace

void validate(const Model& model) {
    if (!model.gravity.allFinite())
        throw Error(ErrorKind::model, "gravity must be finite " + digits(model.gravity), "model.gravity");
    if (model.bodies.empty())
        throw Error(ErrorKind::model, "the model has no bodies (0, least 1)", "model");
    check_names(model);
    for (const Body& body : model.bodies)
        check_body(body);
    // All types before any joint, because gears ask for the types of others.
    for (const Joint& joint : model.joints)
        if (!find_joint_type(joint.type))
            Element{"joint", joint.name}.refuse("there is no joint type '" + joint.type + "'", "type");
    for (const Joint& joint : model.joints)
        check_joint(model, joint);
    std::set<std::pair<int, bool>> driven;
    for (const Driver& driver : model.drivers)
        check_driver(model, driver, driven);
    for (const Force& force : model.forces)
        check_force(model, force);
    for (const Port& port : model.ports)
        check_port(model, port);
    for (const Flange& flange : model.flanges)
        check_flange(model, flange);
    for (const Alias& input : model.inputs)
        check_alias("input", "to", input);
    for (const Alias& output : model.outputs)
        check_alias("output", "from", output);
    check_solver(model.solver);
}

} // namespace tenon
