// How the variables of each kind of element are read: a class each, with the variables, their values, rates and responses
// side by side. Vectors are in world axes.

#include "core/math/rotation.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/simulation/variables.hpp"

#include <algorithm>

namespace tenon {
namespace {

/// The origin of a body's frame is at r - s, r the centre of mass, s = D com:
///   v_0 = v - w x s,   a_0 = a - al x s - w x (w x s).
struct BodyOrigin {
    const Kinematics& k;
    Vec3 s;

    BodyOrigin(const RigidEquations& rigid, int body)
        : k(rigid.kinematics()[body]), s(k.D * rigid.mechanism().body()[body].com) {}
    Vec3 position() const { return k.r - s; }
    Vec3 velocity() const { return k.v - k.w.cross(s); }
    Vec3 acceleration(const Vec3& a, const Vec3& al) const {
        return a - al.cross(s) - k.w.cross(k.w.cross(s));
    }
};

class BodyReader final : public VariableReader {
  public:
    static constexpr int velocity = 1, angular_velocity = 3, variables = 4; ///< places in the order below

    BodyReader(VariableList& list, const Mechanism& mechanism, int body) : body_(body) {
        const std::string& name = mechanism.body()[body].name;
        const int r = list.add({name + ".r_0", {3}, "m", "position of the body frame's origin"});
        list.add({name + ".v_0", {3}, "m/s", "velocity of the body frame's origin"}, Variable::no_group, r);
        list.add({name + ".q", {4}, "1", "orientation, quaternion body to world, scalar first"});
        list.add({name + ".w_0", {3}, "rad/s", "angular velocity, world axes"});
    }

    void read(const Solution& s, ValueSink out) const override {
        const BodyOrigin origin(s.rigid, body_);
        out.put(origin.position());
        out.put(origin.velocity());
        const Eigen::Vector4d q = to_quaternion(origin.k.D);
        out.put(q[0]);
        out.put(Vec3(q.tail<3>()));
        out.put(origin.k.w);
    }

    // q' = (0, w) q / 2
    void rates(const Solution& s, ValueSink out) const override {
        const BodyOrigin origin(s.rigid, body_);
        const Vec3& w = origin.k.w;
        const Vec3 al = s.rigid.world_angular_acceleration(body_, s.a);
        out.put(origin.velocity());
        out.put(origin.acceleration(s.a.segment<3>(6 * body_), al));
        const Eigen::Vector4d q = to_quaternion(origin.k.D);
        const Vec3 e = q.tail<3>();
        out.put(-0.5 * w.dot(e));
        out.put(Vec3(0.5 * (q[0] * w + w.cross(e))));
        out.put(al);
    }

  private:
    int body_;
};

/// What a body has besides: accelerations and the rotation as a matrix.
class BodyDetailReader final : public VariableReader {
  public:
    BodyDetailReader(VariableList& list, const Mechanism& mechanism, int body) : body_(body) {
        const std::string& name = mechanism.body()[body].name;
        const int group = mechanism.group_of_body(body);
        const int first = BodyReader::variables * body; // bodies are the first of all
        const int v = first + BodyReader::velocity, w = first + BodyReader::angular_velocity;
        list.add({name + ".a_0", {3}, "m/s2", "acceleration of the body frame's origin"}, group, v);
        list.add({name + ".al_0", {3}, "rad/s2", "angular acceleration, world axes"}, group, w);
        list.add({name + ".R", {3, 3}, "1", "rotation body to world, columns are the body's axes"});
    }

    void read(const Solution& s, ValueSink out) const override {
        const BodyOrigin origin(s.rigid, body_);
        const Vec3 al = s.rigid.world_angular_acceleration(body_, s.a);
        out.put(origin.acceleration(s.a.segment<3>(6 * body_), al));
        out.put(al);
        out.put(origin.k.D);
    }

    void rates(const Solution& s, ValueSink out) const override {
        const Kinematics& k = s.rigid.kinematics()[body_];
        out.skip(6);
        out.put(Mat3(skew(k.w) * k.D));
    }

    void response(const Response& r, ValueSink out) const override {
        const BodyOrigin origin(r.rigid, body_);
        const Vec3 al = r.rigid.world_angular_acceleration(body_, r.da);
        out.put(Vec3(r.da.segment<3>(6 * body_) - al.cross(origin.s)));
        out.put(al);
    }

  private:
    int body_;
};

/// The reaction on the second body is the sum of lambda_r g_r over the joint's rows, its torque shifted from the body's centre of
/// mass to the joint's point p: t_0 = t - p x f_0.
class JointReader final : public VariableReader {
  public:
    JointReader(VariableList& list, const Mechanism& mechanism, int joint)
        : mechanism_(mechanism), link_(mechanism.links()[mechanism.link_of_joint(joint)]),
          angle_(mechanism.angle_of(joint)), distance_(mechanism.distance_of(joint)) {
        const Joint& given = mechanism.model().joints[joint];
        const int group = mechanism.group_of_joint(joint);
        list.add({given.name + ".f_0", {3}, "N", "reaction force on the second body"}, group);
        list.add({given.name + ".t_0", {3}, "N.m", "reaction torque on the second body at the joint's point"},
                 find_joint_type(given.type)->has_torque ? group : Variable::no_group);
        int angle = -1, distance = -1;
        if (has_angle())
            angle = list.add({given.name + ".angle",
                              {},
                              "rad",
                              "angle of the second body relative to the first, zero at t = 0"});
        if (has_distance())
            distance = list.add(
                {given.name + ".distance", {}, "m", "distance along the axis, zero at t = 0, or length"});
        if (has_angle() || has_distance())
            list.add(
                {given.name + ".rate", {}, has_angle() ? "rad/s" : "m/s", "rate of the angle or distance"},
                Variable::no_group, has_angle() ? angle : distance);
        if (has_angle() && has_distance())
            list.add({given.name + ".speed", {}, "m/s", "rate of the distance"}, Variable::no_group,
                     distance);
    }

    void read(const Solution& s, ValueSink out) const override {
        put_reaction(s.rigid, s.lambda, out);
        double angle = 0, angle_rate = 0, distance = 0, speed = 0;
        if (has_angle()) {
            s.rigid.measure(angle_, angle, angle_rate);
            out.put(angle);
        }
        if (has_distance()) {
            s.rigid.measure(distance_, distance, speed);
            out.put(distance);
        }
        if (has_angle())
            out.put(angle_rate);
        if (has_distance())
            out.put(speed);
    }

    void rates(const Solution& s, ValueSink out) const override {
        out.skip(6);
        for (const Coordinate* c : {&angle_, &distance_}) { // of angle and distance their rates ...
            if (c->measure == nullptr)
                continue;
            double value = 0, rate = 0;
            s.rigid.measure(*c, value, rate);
            out.put(rate);
        }
        for (const Coordinate* c : {&angle_, &distance_}) // ... and of the rates accelerations
            if (c->measure != nullptr)
                out.put(s.rigid.measure_acceleration(*c, s.a));
    }

    void response(const Response& r, ValueSink out) const override { put_reaction(r.rigid, r.dlambda, out); }

  private:
    bool has_angle() const { return angle_.measure != nullptr; }
    bool has_distance() const { return distance_.measure != nullptr; }

    void put_reaction(const RigidEquations& rigid, const Vector& lambda, ValueSink& out) const {
        Vec6 wrench = Vec6::Zero();
        for (int r = link_.row; r < link_.row + link_.rows; ++r)
            if (mechanism_.row_joint(r) >= 0)
                wrench += lambda[r] * rigid.gradient(r).g2;
        const Kinematics& second = mechanism_.at(rigid.kinematics(), link_.second);
        const Vec3 force = wrench.head<3>();
        out.put(force);
        out.put(Vec3(wrench.tail<3>() - (second.D * link_.parts.point2).cross(force)));
    }

    const Mechanism& mechanism_;
    const MechanismLink& link_;
    Coordinate angle_, distance_;
};

/// Of a gear or a driver: the multiplier of its row.
class EffortReader final : public VariableReader {
  public:
    EffortReader(VariableList& list, const Quantity& quantity, int group, int row) : row_(row) {
        list.add(quantity, group);
    }
    void read(const Solution& s, ValueSink out) const override { out.put(s.lambda[row_]); }
    void response(const Response& r, ValueSink out) const override { out.put(r.dlambda[row_]); }

  private:
    int row_;
};

class PortReader final : public VariableReader {
  public:
    /// `work` is its place among the works of ports and flanges.
    PortReader(VariableList& list, const Mechanism& mechanism, const Port& port, int work)
        : frame_(mechanism, port), work_(work) {
        const int group = mechanism.group_of_body(port.body);
        const int r = list.add({port.name + ".r_0", {3}, "m", "position of the port"});
        list.add({port.name + ".R", {3, 3}, "1", "rotation port to world, columns are the port's axes"});
        const int v =
            list.add({port.name + ".v_0", {3}, "m/s", "velocity of the port"}, Variable::no_group, r);
        const int w = list.add({port.name + ".w_0", {3}, "rad/s", "angular velocity of the port"});
        list.add({port.name + ".aux.a_0", {3}, "m/s2", "acceleration of the port"}, group, v);
        list.add({port.name + ".aux.al_0", {3}, "rad/s2", "angular acceleration of the port"}, group, w);
        list.add(
            {port.name + ".aux.work", {}, "J", "work done on the machine through the port since the start"});
    }

    void read(const Solution& s, ValueSink out) const override {
        const PortFrame::Motion m = frame_.motion(s.rigid, s.a);
        out.put(m.r);
        out.put(m.R);
        out.put(m.v);
        out.put(m.w);
        out.put(m.a);
        out.put(m.al);
        out.put(s.port_work[work_]);
    }

    void rates(const Solution& s, ValueSink out) const override {
        const PortFrame::Motion m = frame_.motion(s.rigid, s.a);
        out.put(m.v);
        out.put(Mat3(skew(m.w) * m.R));
        out.put(m.a);
        out.put(m.al);
        out.skip(6);
        out.put(s.port_power[work_]);
    }

    void response(const Response& r, ValueSink out) const override {
        if (frame_.body < 0)
            return;
        const Vec3 arm = r.rigid.kinematics()[frame_.body].D * frame_.point;
        const Vec3 turn = r.rigid.world_angular_acceleration(frame_.body, r.da);
        out.skip(18);
        out.put(Vec3(r.da.segment<3>(6 * frame_.body) + turn.cross(arm)));
        out.put(turn);
    }

  private:
    PortFrame frame_;
    int work_;
};

class FlangeReader final : public VariableReader {
  public:
    FlangeReader(VariableList& list, const Mechanism& mechanism, const Flange& flange, int work)
        : coordinate_(mechanism.flange_coordinate(flange)), work_(work) {
        const bool angle = mechanism.angle_of(flange.joint).measure != nullptr;
        const std::string& name = flange.name;
        const int value = list.add(
            {name + (angle ? ".phi" : ".s"), {}, angle ? "rad" : "m", "angle or distance of the flange"});
        const int rate = list.add({name + (angle ? ".w" : ".v"), {}, angle ? "rad/s" : "m/s", "its rate"},
                                  Variable::no_group, value);
        list.add({name + (angle ? ".aux.al" : ".aux.a"), {}, angle ? "rad/s2" : "m/s2", "its acceleration"},
                 mechanism.group_of_joint(flange.joint), rate);
        list.add(
            {name + ".aux.work", {}, "J", "work done on the machine through the flange since the start"});
    }

    void read(const Solution& s, ValueSink out) const override {
        double value = 0, rate = 0;
        s.rigid.measure(coordinate_, value, rate);
        out.put(value);
        out.put(rate);
        out.put(s.rigid.measure_acceleration(coordinate_, s.a));
        out.put(s.port_work[work_]);
    }

    void rates(const Solution& s, ValueSink out) const override {
        double value = 0, rate = 0;
        s.rigid.measure(coordinate_, value, rate);
        out.put(rate);
        out.put(s.rigid.measure_acceleration(coordinate_, s.a));
        out.skip(1);
        out.put(s.port_power[work_]);
    }

    void response(const Response& r, ValueSink out) const override {
        out.skip(2);
        out.put(r.rigid.measure_response(coordinate_, r.da));
    }

  private:
    Coordinate coordinate_;
    int work_;
};

/// What the type of a force offers: lengths, efforts, ... All follow from the state, none from accelerations.
class ForceReader final : public VariableReader {
  public:
    ForceReader(VariableList& list, const Mechanism& mechanism, int force)
        : force_(force), readings_(mechanism.force_readings(force)),
          efforts_(mechanism.force_efforts(force)) {
        const std::size_t first = list.columns, first_variable = list.variables.size();
        for (const ForceReading& reading : readings_)
            list.add({mechanism.model().forces[force].name + "." + std::string(reading.suffix),
                      reading.size == 1 ? std::vector<int>() : std::vector<int>{reading.size},
                      std::string(reading.unit), std::string(reading.description)},
                     Variable::no_group,
                     reading.rate_of < 0 ? -1 : static_cast<int>(first_variable) + reading.rate_of);
        values_.resize(list.columns - first);
    }

    void read(const Solution& s, ValueSink out) const override {
        s.rigid.read_force(force_, efforts_, out.next(values_.size()));
    }

    void rates(const Solution& s, ValueSink out) const override {
        s.rigid.read_force(force_, efforts_, values_);
        const std::span<double> all = out.next(values_.size());
        std::size_t at = 0;
        for (const ForceReading& reading : readings_) {
            const auto size = static_cast<std::size_t>(reading.size);
            if (reading.rate_of >= 0)
                std::copy_n(values_.data() + at, size, all.data() + place(reading.rate_of));
            at += size;
        }
    }

  private:
    std::size_t place(int reading) const {
        std::size_t at = 0;
        for (int i = 0; i < reading; ++i)
            at += static_cast<std::size_t>(readings_[i].size);
        return at;
    }

    int force_;
    std::vector<ForceReading> readings_;
    mutable std::vector<Effort> efforts_; // space for reading, so that nothing is allocated then
    mutable std::vector<double> values_;
};

class TotalsReader final : public VariableReader {
  public:
    explicit TotalsReader(VariableList& list) {
        list.add({"energy.kinetic", {}, "J", "kinetic energy"});
        list.add({"energy.potential", {}, "J", "potential energy of gravity and springs"});
        list.add({"energy.total", {}, "J", "kinetic and potential energy"});
        list.add({"energy.work", {}, "J", "work of inputs, drivers and dissipative forces since the start"});
        list.add({"constraint.position", {}, "1", "largest violation of a joint's position, m or rad"},
                 Variable::drivers_group);
        list.add({"constraint.velocity", {}, "1", "largest violation of a joint's velocity, m/s or rad/s"});
        list.add({"constraint.acceleration",
                  {},
                  "1",
                  "largest violation of a joint's acceleration, m/s2 or rad/s2"},
                 Variable::any_group);
        list.add({"solver.iterations", {}, "1", "iterations of the last step"});
    }

    void read(const Solution& s, ValueSink out) const override {
        const Totals& t = s.totals;
        for (const double value :
             {t.kinetic, t.potential, t.kinetic + t.potential, t.work, t.position_violation,
              t.velocity_violation, t.acceleration_violation, t.iterations})
            out.put(value);
    }
};

} // namespace

PortFrame::PortFrame(const Mechanism& mechanism, const Port& port) : body(port.body) {
    const Frame start = body < 0 ? Frame{} : mechanism.body()[body].start;
    point = start.D.transpose() * (port.at - start.r);
    axes = start.D.transpose() * port.rotation;
}

PortFrame::Motion PortFrame::motion(const RigidEquations& rigid, const Vector& a) const {
    const Kinematics& k = rigid.mechanism().at(rigid.kinematics(), body);
    const Vec3 arm = k.D * point;
    Motion m;
    m.r = k.r + arm;
    m.R = k.D * axes;
    m.v = k.v + k.w.cross(arm);
    m.w = k.w;
    m.a = m.al = Vec3::Zero();
    if (body >= 0) {
        m.al = rigid.world_angular_acceleration(body, a);
        m.a = a.segment<3>(6 * body) + m.al.cross(arm) + k.w.cross(k.w.cross(arm));
    }
    return m;
}

void add_readers(VariableList& list, const Mechanism& mechanism) {
    const Model& model = mechanism.model();
    for (int b = 0; b < mechanism.bodies(); ++b)
        list.read_by<BodyReader>(mechanism, b);
    std::size_t gear = 0;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
        if (mechanism.link_of_joint(j) >= 0)
            list.read_by<JointReader>(mechanism, j);
        else
            list.read_by<EffortReader>(
                Quantity{model.joints[j].name + ".effort",
                         {},
                         "N.m",
                         "effort of the gear along its second joint (N for a distance)"},
                mechanism.group_of_joint(j), mechanism.gears()[gear++].row);
    }
    for (const DriverRow& row : mechanism.drivers()) {
        const Driver& driver = model.drivers[row.driver];
        list.read_by<EffortReader>(Quantity{driver.name + ".effort",
                                            {},
                                            row.coordinate.slot >= 0 ? "N.m" : "N",
                                            "effort of the driver on the second body of its joint"},
                                   mechanism.group_of_joint(driver.joint), row.row);
    }
    int work = 0;
    for (const Port& port : model.ports)
        list.read_by<PortReader>(mechanism, port, work++);
    for (const Flange& flange : model.flanges)
        list.read_by<FlangeReader>(mechanism, flange, work++);
    list.read_by<TotalsReader>();
}

void add_readers_on_request(VariableList& list, const Mechanism& mechanism) {
    for (int b = 0; b < mechanism.bodies(); ++b)
        list.read_by<BodyDetailReader>(mechanism, b);
    for (int f = 0; f < static_cast<int>(mechanism.model().forces.size()); ++f)
        if (!mechanism.force_readings(f).empty())
            list.read_by<ForceReader>(mechanism, f);
}

} // namespace tenon
