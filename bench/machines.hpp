#pragma once
// Machines of any size for measurements: thin uniform rods of 1 m and 1 kg in the x-y plane, gravity along -y.

#include "core/model/model.hpp"

#include <string>

namespace tenon::bench {

inline Body rod(const std::string& name, const Vec3& from, const Vec3& to) {
    Body body;
    body.name = name;
    body.mass = 1;
    body.inertia = Vec3(0, 1.0 / 12, 1.0 / 12).asDiagonal();
    body.position = 0.5 * (from + to);
    const Vec3 x = (to - from).normalized();
    body.rotation.col(0) = x;
    body.rotation.col(1) = Vec3::UnitZ().cross(x);
    body.rotation.col(2) = Vec3::UnitZ();
    return body;
}

inline Joint pin(const std::string& name, int first, int second, const Vec3& at) {
    Joint joint;
    joint.name = name;
    joint.type = "revolute";
    joint.first = first;
    joint.second = second;
    joint.at = at;
    joint.axis = Vec3::UnitZ();
    return joint;
}

/// n rods in a row, hinged, horizontal at rest.
inline Model chain(int n) {
    Model model;
    model.name = "chain_" + std::to_string(n);
    model.gravity = Vec3(0, -9.81, 0);
    for (int i = 0; i < n; ++i) {
        model.bodies.push_back(rod("rod" + std::to_string(i), Vec3(i, 0, 0), Vec3(i + 1, 0, 0)));
        model.joints.push_back(pin("pin" + std::to_string(i), i - 1, i, Vec3(i, 0, 0)));
    }
    return model;
}

/// IFToMM A02: n windows, cranks upright, every upper pin moving at 1 m/s.
inline Model n_four_bar(int n) {
    Model model;
    model.name = "n_four_bar_" + std::to_string(n);
    model.gravity = Vec3(0, -9.81, 0);
    for (int i = 0; i <= n; ++i) {
        Body crank = rod("crank" + std::to_string(i), Vec3(i, 0, 0), Vec3(i, 1, 0));
        crank.velocity = Vec3(0.5, 0, 0);
        crank.angular_velocity = Vec3(0, 0, -1);
        model.bodies.push_back(crank);
        const int index = static_cast<int>(model.bodies.size()) - 1;
        model.joints.push_back(pin("ground" + std::to_string(i), world, index, Vec3(i, 0, 0)));
        if (i > 0) {
            model.joints.push_back(pin("right" + std::to_string(i), index - 1, index, Vec3(i, 1, 0)));
        }
        if (i < n) {
            Body coupler = rod("coupler" + std::to_string(i), Vec3(i, 1, 0), Vec3(i + 1, 1, 0));
            coupler.velocity = Vec3(1, 0, 0);
            coupler.angular_velocity = Vec3::Zero();
            model.bodies.push_back(coupler);
            model.joints.push_back(pin("left" + std::to_string(i), index, index + 1, Vec3(i, 1, 0)));
        }
    }
    return model;
}

} // namespace tenon::bench
