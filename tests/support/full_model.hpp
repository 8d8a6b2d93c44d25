#pragma once
// A model in which no member has its default value: what is lost on the way to bytes, text or another place shows.

#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"

namespace tenon::tests {

/// A choice of the first type of the list, with something for every key.
inline Choice full_choice(const ChoiceType& type) {
    using enum ValueType;
    Choice full;
    full.type = type.name;
    for (const Key& key : type.keys) {
        if (key.type == number)
            full.values[std::string(key.name)] = 0.625;
        if (key.type == numbers)
            full.values[std::string(key.name)] = std::vector<double>{0.5, 1.5};
        if (key.type == rows)
            full.values[std::string(key.name)] = std::vector<std::vector<double>>{{0.25, 1}, {0.75, 2}};
    }
    return full;
}

/// Something for every key that the type takes.
inline Force full_force(const ForceType& type) {
    using enum ValueType;
    Force force;
    force.name = "a_" + std::string(type.name);
    force.type = type.name;
    for (const Key& key : type.keys) {
        if (key.type == two_bodies)
            force.first = 1;
        if (key.type == two_bodies || key.type == body)
            force.second = 0;
        if (key.type == joint)
            force.joint = 0;
        if (key.type == number)
            force.set(key.name, 0.375);
        if (key.type == boolean)
            force.set(key.name, true);
        if (key.type == word)
            force.set(key.name, std::string(key.words.back()));
        if (key.type == road)
            force.set(key.name, std::string("road"));
        if (key.type == choice)
            force.set(key.name, full_choice(key.choices().front()));
        if (key.type == vector || key.type == load)
            force.set(key.name, Vec3(0.1, -0.2, 0.3));
        if (key.type == two_points)
            force.set(key.name, std::array<Vec3, 2>{Vec3(0.1, 0.2, 0.3), Vec3(1.1, 1.2, 1.3)});
        if (key.type == six_numbers)
            force.set(key.name, std::vector<double>{1, 2, 3, 4, 5, 6});
        if (key.type == effort)
            force.set(key.name, 0.625);
        if (key.type == range)
            force.set(key.name, std::vector<double>{-2, 3});
        const Law table{{}, {{-1, -2}, {0, 0}, {1, 4}}};
        const Law pieces{{{0, {0, 1}}, {1.5, {-1.5, 2}}}, {}};
        if (key.type == law)
            force.set(key.name, key.name == "spring" ? table : pieces);
        if (key.type == six_laws)
            force.set(key.name, std::vector<Law>{table, {}, pieces, {}, {}, polynomial_law({0, 3, 0, 1})});
        const Stop stop_here{key.name.starts_with("bump") ? -0.25 : 0.5, 3, 0.125};
        if (key.type == stop)
            force.set(key.name, stop_here);
        if (key.type == six_stops)
            force.set(key.name, std::vector<std::optional<Stop>>{{}, stop_here, {}, {}, stop_here, {}});
        if (key.type == orientation)
            force.set(key.name, Mat3(Eigen::AngleAxisd(0.4, Vec3::UnitX()).toRotationMatrix()));
    }
    return force;
}

inline Model full_model() {
    const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3(1, 2, 2) / 3).toRotationMatrix();
    Model m;
    m.name = "everything";
    m.description = "no member as by default";
    m.gravity = Vec3(1, 2, 3);
    Body body;
    body.name = "body";
    body.mass = 2;
    body.com = Vec3(0.1, 0.2, 0.3);
    body.inertia = Vec3(1, 2, 2.5).asDiagonal();
    body.position = Vec3(4, 5, 6);
    body.rotation = turn;
    body.velocity = Vec3(7, 8, 9);
    body.angular_velocity = Vec3(10, 11, 12);
    body.shape = {"cylinder", {1, 2}, 0.5, 0.75, {0, 1, 0}, "file.stl", "red"};
    m.bodies = {body, body};
    Joint joint;
    joint.name = "joint";
    joint.type = "screw";
    joint.first = 1;
    joint.second = 0;
    joint.at = Vec3(1, 0, 2);
    joint.axis = Vec3(0, 2, 1);
    joint.axis2 = Vec3(0, -1, 2);
    joint.point1 = Vec3(3, 1, 1);
    joint.point2 = Vec3(4, 1, 1);
    joint.length = 1.5;
    joint.pitch = 0.25;
    joint.joint1 = 0;
    joint.joint2 = 1;
    joint.ratio = -2;
    joint.normal = Vec3(1, 1, 1);
    joint.radius = 0.125;
    joint.friction = {0.1, 0.2, 0.3};
    m.joints = {joint, joint};
    Driver driver;
    driver.name = "driver";
    driver.joint = 1;
    driver.coordinate = "distance";
    driver.motion = {1, 2, 3, 4, 5};
    driver.table = Table({0, 1, 2}, {0, 3, 1});
    driver.input = true;
    m.drivers = {driver};
    Road road;
    road.name = "road";
    for (const ChoiceType& type : road_feature_choices())
        road.features.push_back(full_choice(type));
    road.friction = 0.8;
    road.at = Vec3(1, 2, 0);
    road.axis = Vec3(1, 1, 0);
    road.normal = Vec3(0, 1, 2);
    road.start = -1;
    road.end = 7;
    road.length = 5;
    road.width = 3;
    m.roads = {road};
    for (const ForceType& type : force_types())
        m.forces.push_back(full_force(type));
    m.forces.front().joint = 1; // for bytes, whatever its type
    Force over_time = full_force(*find_force_type("torque"));
    over_time.set("axes", "world")
        .set("torque", VectorTable{Table({0, 1}, {1, 2}), Table({0, 1}, {3, 4}), Table({0, 1}, {5, 6})});
    m.forces.push_back(over_time);
    m.ports = {{"port", 1, Vec3(1, 2, 1), turn}};
    m.flanges = {{"flange", 1}};
    m.inputs = {{"in", "driver", "rad", "an input"}};
    m.outputs = {{"out", "body.r_0[1]", "m", "an output"}};
    m.solver = {"munthe-kaas", 2e-3,  3,
                4e-8,          "lie", {{"number", 1.5}, {"flag", true}, {"word", std::string("post")}}};
    return m;
}

} // namespace tenon::tests
