#include "core/simulation/variables.hpp"

#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"
#include "core/model/unit.hpp"

#include <algorithm>

namespace tenon {

void ResultVariables::add(const std::string& name, const std::string& unit, const std::string& description,
                          int group) {
    list_.push_back({name, unit, description, group});
}

void ResultVariables::add_vector(const std::string& name, const std::string& unit,
                                 const std::string& description, int size, int group) {
    for (int i = 1; i <= size; ++i) {
        add(name + "[" + std::to_string(i) + "]", unit, description, group);
    }
}

ResultVariables::ResultVariables(const Mechanism& mechanism) : mechanism_(mechanism) {
    const Model& model = mechanism.model();
    for (const Body& body : model.bodies) {
        add_vector(body.name + ".r_0", "m", "position of the body frame's origin");
        add_vector(body.name + ".v_0", "m/s", "velocity of the body frame's origin");
        add_vector(body.name + ".q", "1", "orientation, quaternion body to world, scalar first", 4);
        add_vector(body.name + ".w_0", "rad/s", "angular velocity, world axes");
    }
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
        const Joint& joint = model.joints[j];
        const JointType& type = type_of(joint);
        if (type.couples_joints()) {
            add(joint.name + ".effort", "N.m", "effort of the gear along its second joint (N for a distance)",
                mechanism.group_of_joint(static_cast<int>(j)));
            continue;
        }
        const int group = mechanism.group_of_joint(static_cast<int>(j));
        add_vector(joint.name + ".f_0", "N", "reaction force on the second body", 3, group);
        add_vector(joint.name + ".t_0", "N.m", "reaction torque on the second body at the joint's point", 3,
                   type.has_torque ? group : -1);
        if (type.has_angle) {
            add(joint.name + ".angle", "rad",
                "angle of the second body relative to the first, zero at t = 0");
        }
        if (type.has_distance) {
            add(joint.name + ".distance", "m", "distance along the axis, zero at t = 0, or length");
        }
        if (type.has_angle || type.has_distance) {
            add(joint.name + ".rate", type.has_angle ? "rad/s" : "m/s", "rate of the angle or distance");
        }
        if (type.has_angle && type.has_distance) {
            add(joint.name + ".speed", "m/s", "rate of the distance");
        }
    }
    for (const DriverRow& driver : mechanism.drivers()) {
        add(model.drivers[driver.driver].name + ".effort", driver.coordinate.slot >= 0 ? "N.m" : "N",
            "effort of the driver on the second body of its joint",
            mechanism.group_of_joint(model.drivers[driver.driver].joint));
    }
    for (const Port& port : model.ports) {
        add_vector(port.name + ".r_0", "m", "position of the port");
        for (int i = 1; i <= 3; ++i) {
            for (int j = 1; j <= 3; ++j) {
                add(port.name + ".R[" + std::to_string(i) + "," + std::to_string(j) + "]", "1",
                    "rotation port to world, columns are the port's axes");
            }
        }
        add_vector(port.name + ".v_0", "m/s", "velocity of the port");
        add_vector(port.name + ".w_0", "rad/s", "angular velocity of the port");
        const int group = mechanism.group_of_body(port.body);
        add_vector(port.name + ".aux.a_0", "m/s2", "acceleration of the port", 3, group);
        add_vector(port.name + ".aux.al_0", "rad/s2", "angular acceleration of the port", 3, group);
        add(port.name + ".aux.work", "J", "work done on the machine through the port since the start");
    }
    for (const Flange& flange : model.flanges) {
        const bool angle = mechanism.angle_of(flange.joint).measure != nullptr;
        add(flange.name + (angle ? ".phi" : ".s"), angle ? "rad" : "m", "angle or distance of the flange");
        add(flange.name + (angle ? ".w" : ".v"), angle ? "rad/s" : "m/s", "its rate");
        add(flange.name + (angle ? ".aux.al" : ".aux.a"), angle ? "rad/s2" : "m/s2", "its acceleration",
            mechanism.group_of_joint(flange.joint));
        add(flange.name + ".aux.work", "J", "work done on the machine through the flange since the start");
    }
    add("energy.kinetic", "J", "kinetic energy");
    add("energy.potential", "J", "potential energy of gravity and springs");
    add("energy.total", "J", "kinetic and potential energy");
    add("energy.work", "J", "work of inputs, drivers and dissipative forces since the start");
    add("constraint.position", "1", "largest violation of a joint's position, m or rad");
    add("constraint.velocity", "1", "largest violation of a joint's velocity, m/s or rad/s");
    add("constraint.acceleration", "1", "largest violation of a joint's acceleration, m/s2 or rad/s2",
        Variable::any_group);
    add("solver.iterations", "1", "iterations of the last step");
    std::vector<std::string> names;
    for (const Variable& v : list_) {
        names.push_back(v.name);
    }
    for (const Alias& alias : model.outputs) {
        const auto found = std::find(names.begin(), names.end(), alias.variable);
        if (found == names.end()) {
            throw Error(ErrorKind::model,
                        "output '" + alias.name + "' comes from '" + alias.variable +
                            "', which is no variable; " + suggestion(alias.variable, names),
                        alias.name);
        }
        const std::size_t index = static_cast<std::size_t>(found - names.begin());
        alias_.push_back(
            {index, alias.unit.empty() ? 1.0 : conversion(list_[index].unit, alias.unit, alias.name)});
        list_.push_back({alias.name, alias.unit.empty() ? list_[index].unit : alias.unit,
                         alias.description.empty() ? list_[index].description : alias.description,
                         list_[index].group});
    }
}

ResultVariables::Reaction ResultVariables::reaction(const RigidEquations& rigid, const MechanismLink& link,
                                                    const Vector& lambda) const {
    Vec6 wrench = Vec6::Zero();
    for (int r = link.row; r < link.row + link.rows; ++r) {
        if (mechanism_.row_joint(r) >= 0) {
            wrench += lambda[r] * rigid.gradient(r).g2;
        }
    }
    const Kinematics& second = mechanism_.at(rigid.kinematics(), link.second);
    const Vec3 force = wrench.head<3>();
    return {force, wrench.tail<3>() - (second.D * link.parts.point2).cross(force)};
}

PortMotion ResultVariables::port(const RigidEquations& rigid, int index, const Vector& a) const {
    const Port& port = mechanism_.model().ports[static_cast<std::size_t>(index)];
    const Frame start = port.body < 0 ? Frame{} : mechanism_.body()[port.body].start;
    const Kinematics& k = mechanism_.at(rigid.kinematics(), port.body);
    const Vec3 arm = k.D * (start.D.transpose() * (port.at - start.r));
    PortMotion m;
    m.r = k.r + arm;
    m.R = k.D * (start.D.transpose() * port.rotation);
    m.v = k.v + k.w.cross(arm);
    m.w = k.w;
    m.a = m.al = Vec3::Zero();
    if (port.body >= 0) {
        m.al = rigid.world_angular_acceleration(port.body, a);
        m.a = a.segment<3>(6 * port.body) + m.al.cross(arm) + k.w.cross(k.w.cross(arm));
    }
    return m;
}

void ResultVariables::read(const RigidEquations& rigid, const Vector& a, const Vector& lambda,
                           const Vector& port_work, const Totals& totals, std::span<double> values) const {
    std::size_t at = 0;
    const auto put = [&](double x) { values[at++] = x; };
    const auto put3 = [&](const Vec3& x) {
        put(x.x());
        put(x.y());
        put(x.z());
    };
    const std::vector<Kinematics>& k = rigid.kinematics();
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        const Vec3 arm = k[b].D * mechanism_.body()[b].com; // from the frame's origin to the centre of mass
        put3(k[b].r - arm);
        put3(k[b].v - k[b].w.cross(arm));
        const Eigen::Vector4d q = to_quaternion(k[b].D);
        for (int i = 0; i < 4; ++i) {
            put(q[i]);
        }
        put3(k[b].w);
    }
    const Model& model = mechanism_.model();
    int gear = 0;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        const int l = mechanism_.link_of_joint(j);
        if (l < 0) {
            put(lambda[mechanism_.gears()[static_cast<std::size_t>(gear++)].row]);
            continue;
        }
        const MechanismLink& link = mechanism_.links()[l];
        const Reaction on_second = reaction(rigid, link, lambda);
        put3(on_second.force);
        put3(on_second.torque);
        double angle = 0, angle_rate = 0, distance = 0, speed = 0;
        const bool has_angle = link.parts.angle != nullptr, has_distance = link.parts.distance != nullptr;
        if (has_angle) {
            rigid.measure(mechanism_.angle_of(j), angle, angle_rate);
            put(angle);
        }
        if (has_distance) {
            rigid.measure(mechanism_.distance_of(j), distance, speed);
            put(distance);
        }
        if (has_angle || has_distance) {
            put(has_angle ? angle_rate : speed);
        }
        if (has_angle && has_distance) {
            put(speed);
        }
    }
    for (const DriverRow& driver : mechanism_.drivers()) {
        put(lambda[driver.row]);
    }
    Eigen::Index work = 0;
    for (int i = 0; i < static_cast<int>(model.ports.size()); ++i) {
        const PortMotion m = port(rigid, i, a);
        put3(m.r);
        for (int r = 0; r < 3; ++r) {
            put3(m.R.row(r).transpose());
        }
        put3(m.v);
        put3(m.w);
        put3(m.a);
        put3(m.al);
        put(port_work[work++]);
    }
    for (const Flange& flange : model.flanges) {
        double value = 0, rate = 0;
        rigid.measure(mechanism_.flange_coordinate(flange), value, rate);
        put(value);
        put(rate);
        put(rigid.measure_acceleration(mechanism_.flange_coordinate(flange), a));
        put(port_work[work++]);
    }
    put(totals.kinetic);
    put(totals.potential);
    put(totals.kinetic + totals.potential);
    put(totals.work);
    put(totals.position_violation);
    put(totals.velocity_violation);
    put(totals.acceleration_violation);
    put(totals.iterations);
    repeat(values);
}

void ResultVariables::repeat(std::span<double> values) const {
    const std::size_t own = list_.size() - alias_.size();
    for (std::size_t i = 0; i < alias_.size(); ++i) {
        values[own + i] = alias_[i].scale * values[alias_[i].index];
    }
}

// The same walk as read(): only reactions, efforts and accelerations of ports follow at once.
void ResultVariables::read_response(const RigidEquations& rigid, const Vector& da, const Vector& dlambda,
                                    std::span<double> values) const {
    std::fill(values.begin(), values.end(), 0.0);
    const Model& model = mechanism_.model();
    std::size_t at = 13 * static_cast<std::size_t>(mechanism_.bodies());
    const auto put3 = [&](const Vec3& x) {
        for (int i = 0; i < 3; ++i) {
            values[at++] = x[i];
        }
    };
    int gear = 0;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        const int l = mechanism_.link_of_joint(j);
        if (l < 0) {
            values[at++] = dlambda[mechanism_.gears()[static_cast<std::size_t>(gear++)].row];
            continue;
        }
        const MechanismLink& link = mechanism_.links()[l];
        const Reaction on_second = reaction(rigid, link, dlambda);
        put3(on_second.force);
        put3(on_second.torque);
        const int measures = (link.parts.angle != nullptr ? 1 : 0) + (link.parts.distance != nullptr ? 1 : 0);
        at += static_cast<std::size_t>(2 * measures);
    }
    for (const DriverRow& driver : mechanism_.drivers()) {
        values[at++] = dlambda[driver.row];
    }
    for (const Port& p : model.ports) {
        at += 18;
        Vec3 turn = Vec3::Zero(), push = Vec3::Zero();
        if (p.body >= 0) {
            const Frame& start = mechanism_.body()[p.body].start;
            const Vec3 arm = rigid.kinematics()[p.body].D * (start.D.transpose() * (p.at - start.r));
            turn = rigid.world_angular_acceleration(p.body, da);
            push = da.segment<3>(6 * p.body) + turn.cross(arm);
        }
        put3(push);
        put3(turn);
        ++at; // work
    }
    for (const Flange& flange : model.flanges) {
        at += 2;
        values[at++] = rigid.measure_response(mechanism_.flange_coordinate(flange), da);
        ++at; // work
    }
    repeat(values);
}

// The same walk again.
void ResultVariables::read_rates(const RigidEquations& rigid, const Vector& a, const Vector& port_power,
                                 std::span<double> values) const {
    std::fill(values.begin(), values.end(), 0.0);
    std::size_t at = 0;
    const auto put = [&](double x) { values[at++] = x; };
    const auto put3 = [&](const Vec3& x) {
        for (int i = 0; i < 3; ++i) {
            put(x[i]);
        }
    };
    const std::vector<Kinematics>& k = rigid.kinematics();
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        const Vec3 arm = k[b].D * mechanism_.body()[b].com;
        const Vec3& w = k[b].w;
        const Vec3 al = rigid.world_angular_acceleration(b, a);
        put3(k[b].v - w.cross(arm));
        put3(a.segment<3>(6 * b) - al.cross(arm) - w.cross(w.cross(arm)));
        const Eigen::Vector4d q = to_quaternion(k[b].D);
        const Vec3 e = q.tail<3>();
        put(-0.5 * w.dot(e)); // q' = (0, w) q / 2
        put3(0.5 * (q[0] * w + w.cross(e)));
        put3(al);
    }
    const Model& model = mechanism_.model();
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        const int l = mechanism_.link_of_joint(j);
        if (l < 0) {
            ++at;
            continue;
        }
        at += 6;
        const MechanismLink& link = mechanism_.links()[l];
        const bool has_angle = link.parts.angle != nullptr, has_distance = link.parts.distance != nullptr;
        for (const bool angle : {true, false}) { // of angle and distance their rates ...
            if (angle ? has_angle : has_distance) {
                double value = 0, rate = 0;
                rigid.measure(angle ? mechanism_.angle_of(j) : mechanism_.distance_of(j), value, rate);
                put(rate);
            }
        }
        for (const bool angle : {true, false}) { // ... and of the rates accelerations
            if (angle ? has_angle : has_distance) {
                put(rigid.measure_acceleration(angle ? mechanism_.angle_of(j) : mechanism_.distance_of(j),
                                               a));
            }
        }
    }
    at += mechanism_.drivers().size();
    Eigen::Index work = 0;
    for (int i = 0; i < static_cast<int>(model.ports.size()); ++i) {
        const PortMotion m = port(rigid, i, a);
        put3(m.v);
        const Mat3 turning = skew(m.w) * m.R;
        for (int r = 0; r < 3; ++r) {
            put3(turning.row(r).transpose());
        }
        put3(m.a);
        put3(m.al);
        at += 6;
        put(port_power[work++]);
    }
    for (const Flange& flange : model.flanges) {
        const Coordinate c = mechanism_.flange_coordinate(flange);
        double value = 0, rate = 0;
        rigid.measure(c, value, rate);
        put(rate);
        put(rigid.measure_acceleration(c, a));
        ++at;
        put(port_power[work++]);
    }
    repeat(values);
}

} // namespace tenon
