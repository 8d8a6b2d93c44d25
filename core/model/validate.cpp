#include "core/model/validate.hpp"

#include "core/math/error.hpp"
#include "core/model/element.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/roads/road_features.hpp"
#include "core/model/suggest.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace tenon {
namespace {

/// Inertias may miss semidefiniteness and the triangle inequalities by round-off, relative to the largest moment.
constexpr double inertia_slack = 1e-9;
constexpr std::array<std::string_view, 5> taken_names = {"world", "time", "energy", "constraint", "solver"};

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

void check_friction(const Element& element, const Joint& joint, const JointType& type) {
    const Friction& friction = joint.friction;
    element.not_negative(friction.coulomb, "friction.coulomb", type.has_angle ? "N m" : "N");
    element.not_negative(friction.viscous, "friction.viscous", type.has_angle ? "N m s/rad" : "N s/m");
    element.positive(friction.speed, "friction.speed", type.has_angle ? "rad/s" : "m/s");
    if ((friction.coulomb > 0 || friction.viscous > 0) && !type.has_angle && !type.has_distance)
        element.refuse("a " + joint.type + " joint has no angle or distance for friction to act along",
                       "friction");
}

void check_key(const Element& element, const Model& model, const Joint& joint, const JointKey& key) {
    const auto check = [&](const auto& member) {
        if constexpr (requires { joint.*member; }) {
            if constexpr (requires { *(joint.*member); }) {
                if (joint.*member)
                    element.within(key.key, *(joint.*member), key.key.unit);
            } else if constexpr (std::is_same_v<decltype(joint.*member), const double&>) {
                element.within(key.key, joint.*member, key.key.unit);
            } else {
                element.within(key.key, joint.*member);
            }
        } else if constexpr (std::is_same_v<decltype(joint.*member[0]), const Vec3&>) {
            element.within(key.key, joint.*member[0]);
            element.within(key.key, joint.*member[1]);
        } // names of elements: by the key's own check
    };
    std::visit(check, key.member);
    if (key.check)
        key.check(element, model, joint);
}

void check_joint(const Model& model, const Joint& joint) {
    const Element element{"joint", joint.name};
    const JointType& type = type_of(joint);
    if (!type.couples_joints())
        element.two_bodies(model, joint.first, joint.second);
    for (const JointKeyUse& use : type.keys)
        check_key(element, model, joint, joint_key(use.name));
    check_friction(element, joint, type);
}

void check_driver(const Model& model, const Driver& driver, std::set<std::pair<int, bool>>& driven) {
    const Element element{"driver", driver.name};
    element.measurable(model, driver.joint, "joint");
    const JointType& type = type_of(model.joints[static_cast<std::size_t>(driver.joint)]);
    const std::string& joint = model.joints[static_cast<std::size_t>(driver.joint)].name;
    if (type.keeps_distance)
        element.refuse("joint '" + joint + "' keeps its distance already; a driver cannot prescribe it",
                       "joint");
    if (!driver.coordinate.empty() &&
        std::ranges::find(driver_coordinates, driver.coordinate) == driver_coordinates.end())
        element.refuse("coordinate must be \"angle\" or \"distance\" (\"" + driver.coordinate + "\")",
                       "coordinate");
    if (driver.coordinate.empty() && type.has_angle && type.has_distance && !type.one_motion)
        element.refuse("joint '" + joint + "' is " + std::string(type.name) +
                           "; say with coordinate = \"angle\" or \"distance\" which of "
                           "the two is driven",
                       "joint");
    const bool distance = type.driven_along(driver);
    if (distance ? !type.has_distance : !type.has_angle)
        element.refuse("joint '" + joint + "' is " + std::string(type.name) + " and has no " +
                           driver.coordinate,
                       "coordinate");
    if (!driven.emplace(driver.joint, type.one_motion ? false : distance).second)
        element.refuse("the " + std::string(distance ? "distance" : "angle") + " of joint '" + joint +
                           "' has a driver already",
                       "joint");
    element.finite(driver.motion.offset, "offset");
    element.finite(driver.motion.rate, "rate");
    element.finite(driver.motion.amplitude, "amplitude");
    element.finite(driver.motion.frequency, "frequency");
    element.finite(driver.motion.phase, "phase");
}

void check_road_name(const Element& element, const Model& model, const Force& force, const Key& key) {
    const std::string given = force.text(key.name);
    if (!force.has(key.name) || std::ranges::find(model.roads, given, &Road::name) != model.roads.end())
        return;
    std::vector<std::string> names;
    for (const Road& road : model.roads)
        names.push_back(road.name);
    element.refuse("there is no road '" + given + "'; " +
                       (names.empty() ? "a road is written [[road]]" : suggestion(given, names)),
                   key.name);
}

void check_road(const Road& road) {
    const Element element{"road", road.name};
    element.not_negative(road.friction, "friction", "");
    element.finite(road.at, "at");
    element.direction(road.axis, "axis");
    element.direction(road.normal, "normal");
    element.not_parallel(road.axis, road.normal, "axis", "normal");
    for (const Choice& feature : road.features) {
        element.choice(road_feature_choices(), feature, "features");
        if (const RoadFeatureType* type = find_road_feature(feature.type); type->check)
            type->check(element, feature, "features");
    }
    for (const auto& [key, place] : {std::pair{"start", road.start}, std::pair{"end", road.end}})
        if (place)
            element.finite(*place, key);
    if (road.start && road.end && !(*road.start < *road.end))
        element.refuse("a road must end behind its start (" + digits(*road.start) + " to " +
                           digits(*road.end) + " m)",
                       "end");
    element.not_negative(road.length, "length", "m");
    element.not_negative(road.width, "width", "m");
}

std::string numbered(std::string_view key, std::size_t i) {
    return std::string(key) + "[" + std::to_string(i + 1) + "]";
}

void check_law(const Element& element, const std::string& key, const Law& law) {
    if (const auto fault = fault_of_law(law))
        element.refuse(key + " " + *fault, key);
}

void check_stop(const Element& element, const std::string& key, const Stop& stop) {
    element.finite(stop.at, key + ".at");
    element.not_negative(stop.stiffness, key + ".stiffness", "N/m or N m/rad");
    element.not_negative(stop.damping, key + ".damping", "N s/m or N m s/rad");
}

void check_range(const Element& element, const Force& force, const Key& key) {
    const auto [least, most] = force.range(key.name);
    if (std::isnan(least) || std::isnan(most) || least > most)
        element.refuse(std::string(key.name) + " must be [least, largest] ([" + digits(least) + ", " +
                           digits(most) + "])",
                       key.name);
}

/// What the force gives for a key, absent values included.
void check_key(const Element& element, const Model& model, const Force& force, const Key& key) {
    using enum ValueType;
    switch (key.type) {
    case two_bodies:
        return element.two_bodies(model, force.first, force.second);
    case body:
        return element.index(force.second, model.bodies.size(), false, key.name);
    case joint:
        return element.measurable(model, force.joint, key.name);
    case range:
        return check_range(element, force, key);
    case number:
    case effort:
        return element.within(key, force.number(key.name), key.unit);
    case law:
        if (force.has(key.name))
            check_law(element, std::string(key.name), force.law(key.name));
        return;
    case six_laws: {
        const std::vector<Law> laws = force.six_laws(key.name);
        for (std::size_t i = 0; i < laws.size(); ++i)
            if (!laws[i].empty())
                check_law(element, numbered(key.name, i), laws[i]);
        return;
    }
    case stop:
        if (const auto given = force.stop(key.name))
            check_stop(element, std::string(key.name), *given);
        return;
    case six_stops: {
        const auto stops = force.six_stops(key.name);
        for (std::size_t i = 0; i < stops.size(); ++i)
            if (stops[i])
                check_stop(element, numbered(key.name, i), *stops[i]);
        return;
    }
    case vector:
    case load:
        return element.within(key, force.vector(key.name));
    case two_points:
        for (const Vec3& point : force.points(key.name))
            element.within(key, point);
        return;
    case six_numbers:
        for (std::size_t i = 0; i < 6; ++i)
            element.within(key, force.six(key.name)[i], unit_of(key, i));
        return;
    case orientation:
        return element.rotation(force.rotation(key.name), key.name);
    case choice:
        if (force.has(key.name))
            element.choice(key.choices(), force.choice(key.name), key.name);
        return;
    case road:
        return check_road_name(element, model, force, key);
    case word:
        if (std::ranges::find(key.words, force.word(key.name)) == key.words.end())
            element.refuse(std::string(key.name) + " must not be \"" + force.word(key.name) + "\"", key.name);
        return;
    default:
        return;
    }
}

void check_force(const Model& model, const Force& force) {
    const Element element{"force", force.name};
    const ForceType& type = type_of(force);
    for (const auto& [name, value] : force.values)
        if (!type.key(name))
            element.refuse("a " + force.type + " has no '" + name + "'", name);
    for (const Key& key : type.keys)
        if ((key.required && key.instead.empty()) || is_given(force, key) ||
            (key.type != ValueType::two_bodies && key.type != ValueType::joint))
            check_key(element, model, force, key);
    if (type.check)
        type.check(element, force);
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
    const Joint& joint = model.joints[static_cast<std::size_t>(flange.joint)];
    if (!type_of(joint).flange)
        element.refuse("joint '" + joint.name + "' is " + joint.type +
                           "; a flange needs a revolute or prismatic joint",
                       "joint");
}

void check_alias(std::string_view kind, std::string_view key, const Alias& alias) {
    if (alias.variable.empty())
        Element{kind, alias.name}.refuse(std::string(key) + " must name a variable", key);
}

/// Two names for one place could both be set.
void check_inputs(const std::vector<Alias>& inputs) {
    std::map<std::string_view, std::string_view> names;
    for (const Alias& input : inputs) {
        check_alias("input", "to", input);
        if (const auto [before, is_new] = names.emplace(input.variable, input.name); !is_new)
            Element{"input", input.name}.refuse("'" + input.variable + "' has the name '" +
                                                    std::string(before->second) +
                                                    "' already; an input takes one name",
                                                "to");
    }
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
    names.add("road", model.roads);
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
        type_of(joint);
    for (const Joint& joint : model.joints)
        check_joint(model, joint);
    std::set<std::pair<int, bool>> driven;
    for (const Driver& driver : model.drivers)
        check_driver(model, driver, driven);
    for (const Road& road : model.roads)
        check_road(road);
    for (const Force& force : model.forces)
        check_force(model, force);
    for (const Port& port : model.ports)
        check_port(model, port);
    for (const Flange& flange : model.flanges)
        check_flange(model, flange);
    check_inputs(model.inputs);
    for (const Alias& output : model.outputs)
        check_alias("output", "from", output);
    check_solver(model.solver);
}

} // namespace tenon
