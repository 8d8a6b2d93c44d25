#include "core/simulation/rest_model.hpp"

#include "core/math/digits.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"

#include <cmath>

namespace tenon {
namespace {

/// m or rad: less is rounding.
constexpr double moved_at_all = 1e-9;

class Redrawing {
  public:
    explicit Redrawing(StandingMachine& machine) : machine_(machine), rest_{machine.mechanism().model(), {}} {
        for (const Kinematics& k : machine_.kinematics())
            now_.push_back(k);
    }

    RestModel run() {
        for (Joint& joint : rest_.model.joints)
            move(joint);
        for (Driver& driver : rest_.model.drivers)
            move(driver);
        for (Force& force : rest_.model.forces)
            move(force);
        for (Port& port : rest_.model.ports) {
            port.at = point(port.body, port.at);
            port.rotation = turn(port.body) * port.rotation;
        }
        for (const Flange& flange : rest_.model.flanges)
            if (const double s = coordinate(flange.joint, nullptr); std::abs(s) > moved_at_all)
                remark("flange '" + flange.name + "' is counted from rest: it was at " + rounded(s) +
                       " there");
        move_bodies();
        rest_.model.solver.options.erase("start");
        return std::move(rest_);
    }

  private:
    void remark(std::string text) { rest_.remarks.push_back(std::move(text)); }
    const Frame& before(int body) const {
        return machine_.mechanism().body()[static_cast<std::size_t>(body)].start;
    }
    const Kinematics& now(int body) const { return now_[static_cast<std::size_t>(body)]; }
    Mat3 turn(int body) const {
        return body < 0 ? Mat3(Mat3::Identity()) : Mat3(now(body).D * before(body).D.transpose());
    }
    Vec3 point(int body, const Vec3& p) const {
        return body < 0 ? p : Vec3(now(body).r + turn(body) * (p - before(body).r));
    }
    /// Angle, or distance where it has no angle or the driver says so, at rest.
    double coordinate(int joint, const Driver* driver) {
        const auto [angle, distance] = machine_.coordinates(joint);
        const JointType& type = type_of(rest_.model.joints[static_cast<std::size_t>(joint)]);
        return (driver ? type.driven_along(*driver) : type.slides()) ? distance : angle;
    }

    void move(Joint& joint) {
        const JointType& type = type_of(joint);
        if (type.couples_joints())
            return;
        if (type.keeps_distance && !joint.length)
            joint.length = (joint.point2 - joint.point1).norm();
        joint.at = point(joint.second, joint.at);
        joint.point1 = point(joint.first, joint.point1);
        joint.point2 = point(joint.second, joint.point2);
        // A wheel's axis belongs to the wheel; all others to the first body or to both.
        joint.axis = turn(type.takes("normal") ? joint.second : joint.first) * joint.axis;
        joint.axis2 = turn(joint.second) * joint.axis2;
        joint.normal = turn(joint.first) * joint.normal;
    }

    void move(Driver& driver) {
        const double s = coordinate(driver.joint, &driver);
        if (driver.input) {
            if (std::abs(s) > moved_at_all)
                remark("driver '" + driver.name + "' is an input and counted from rest: it was at " +
                       rounded(s) + " there");
        } else if (!driver.table.empty()) {
            std::vector<double> values = driver.table.values();
            for (double& value : values)
                value -= s;
            driver.table = Table(driver.table.times(), std::move(values));
        } else {
            driver.motion.offset -= s;
        }
    }

    /// Of what touches a road or plane: its wheel, sphere or point belongs to the second body, and the plane to the first. All other
    /// vectors are those of the first, points where both bodies meet at the start.
    static bool stands_on_road(const ForceType& type, const Key& key) {
        return type.key(ValueType::road) && (key.name == "at" || key.name == "axis");
    }

    void move(Force& force) {
        const ForceType& type = type_of(force);
        const Force given = force;
        for (const Key& key : type.keys) {
            const bool on_second = type.key(ValueType::body) || stands_on_road(type, key);
            const int carrier = on_second ? force.second : force.first;
            if (key.type == ValueType::number)
                move_number(force, given, key);
            if (key.type == ValueType::orientation && key.space == Space::axes)
                move_axes(force, key, carrier);
            const auto place = force.values.find(key.name);
            if (place == force.values.end())
                continue;
            if (auto* points = std::get_if<std::array<Vec3, 2>>(&place->second);
                points && key.space == Space::point)
                *points = {point(force.first, (*points)[0]), point(force.second, (*points)[1])};
            if (Vec3* v = std::get_if<Vec3>(&place->second)) {
                const Vec3 old = *v;
                if (key.space == Space::point)
                    *v = point(carrier, old);
                else if (key.space == Space::direction)
                    *v = turn(carrier) * old;
                const double gap = (point(force.second, old) - *v).norm();
                if (key.space == Space::point && type.key(ValueType::two_bodies) &&
                    !type.key(ValueType::road) && gap > moved_at_all)
                    remark(force.type + " '" + force.name + "' is drawn without the " + rounded(gap) +
                           " m by which its bodies are apart at rest: what it holds there is lost, and the "
                           "model does not rest exactly");
            }
        }
    }

    void move_number(Force& force, const Force& given, const Key& key) {
        if (key.otherwise && !given.has(key.name))
            force.set(key.name, given.number(key.name));
        if (force.joint < 0 || !(given.has(key.name) || key.fallback == "0"))
            return;
        const bool slides = type_of(rest_.model.joints[static_cast<std::size_t>(force.joint)]).slides();
        if (slides ? key.sliding_unit == "m" : key.unit == "rad")
            force.set(key.name, given.number(key.name) - coordinate(force.joint, nullptr));
    }

    void move_axes(Force& force, const Key& key, int carrier) {
        if (turn(carrier).isApprox(Mat3::Identity(), moved_at_all))
            return;
        if (key.in_file)
            force.set(key.name, Mat3(turn(carrier) * force.rotation(key.name)));
        else
            remark(force.type + " '" + force.name + "' keeps its " + std::string(key.name) +
                   ", although its first body has turned: a model file has no words for it");
    }

    void move_bodies() {
        bool moves = false;
        for (const Body& body : rest_.model.bodies)
            moves = moves || body.velocity || body.angular_velocity;
        for (std::size_t b = 0; b < now_.size(); ++b) {
            Body& body = rest_.model.bodies[b];
            const Kinematics& k = now_[b];
            body.rotation = k.D;
            body.position = k.r - k.D * body.com;
            if (moves) {
                body.angular_velocity = k.w;
                body.velocity = k.v - k.w.cross(k.D * body.com);
            }
        }
    }

    StandingMachine& machine_;
    RestModel rest_;
    std::vector<Kinematics> now_;
};

} // namespace

RestModel model_at_rest(StandingMachine& machine) { return Redrawing(machine).run(); }

} // namespace tenon
