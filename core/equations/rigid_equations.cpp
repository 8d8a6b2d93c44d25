#include "core/equations/rigid_equations.hpp"

#include "core/math/rotation.hpp"

namespace tenon {

namespace {

constexpr int position_size = 12;

Frame frame_of(const Vector& q, int body) {
    Frame f;
    f.r = q.segment<3>(position_size * body);
    f.D = Eigen::Map<const Mat3>(q.data() + position_size * body + 3);
    return f;
}

void set_frame(Vector& q, int body, const Vec3& r, const Mat3& D) {
    q.segment<3>(position_size * body) = r;
    Eigen::Map<Mat3>(q.data() + position_size * body + 3) = D;
}

} // namespace

RigidEquations::RigidEquations(const Mechanism& mechanism, const Memory& memory, Chart chart)
    : mechanism_(mechanism), memory_(memory), chart_(chart),
      kkt_(mechanism.bodies(), mechanism.graph_links(), mechanism.graph_couplings(), mechanism.rows()) {
    const int n = mechanism.bodies();
    const int m = mechanism.rows();
    k_.resize(static_cast<std::size_t>(n));
    mass_.resize(static_cast<std::size_t>(n));
    unit_mass_.assign(static_cast<std::size_t>(n), BodyMass{1.0, Mat3::Identity()});
    position_.resize(static_cast<std::size_t>(n));
    gradient_.resize(static_cast<std::size_t>(m));
    coupling_.assign(static_cast<std::size_t>(mechanism.coupling_gradients()), Vec6::Zero());
    value_ = rate_ = bias_ = row_scratch_ = Vector::Zero(m);
    force_ = conservative_ = world_force_ = world_a_ = Vector::Zero(6 * n);
}

ExplicitSizes RigidEquations::sizes() const {
    const int n = mechanism_.bodies();
    return {position_size * n, (chart_ == Chart::lie ? 6 : position_size) * n, 6 * n, mechanism_.rows()};
}

void RigidEquations::displace(const Vector& q0, const Vector& u, Vector& q) const {
    if (chart_ == Chart::natural) {
        q = q0 + u;
        return;
    }
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        const Frame f = frame_of(q0, b);
        set_frame(q, b, f.r + u.segment<3>(6 * b), f.D * exp_so3(u.segment<3>(6 * b + 3)));
    }
}

void RigidEquations::rate(const Vector& q, const Vector& u, const Vector& v, Vector& ud) const {
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        const Vec3 w = v.segment<3>(6 * b + 3);
        if (chart_ == Chart::lie) {
            ud.segment<3>(6 * b) = v.segment<3>(6 * b);
            ud.segment<3>(6 * b + 3) = dexp_inverse(u.segment<3>(6 * b + 3), w);
        } else {
            const int i = position_size * b;
            ud.segment<3>(i) = v.segment<3>(6 * b);
            for (int d = 3; d < position_size; d += 3)
                ud.segment<3>(i + d) = w.cross(q.segment<3>(i + d));
        }
    }
}

void RigidEquations::correct(Vector& q, const Vector& delta) const {
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        Frame f = frame_of(q, b);
        const Vec3 turn = delta.segment<3>(6 * b + 3);
        f.D = chart_ == Chart::lie ? Mat3(f.D * exp_so3(turn)) : Mat3(exp_so3(turn) * f.D);
        orthonormalise(f.D);
        set_frame(q, b, f.r + delta.segment<3>(6 * b), f.D);
    }
}

void RigidEquations::set_kinematics(const Vector& q, const Vector& v) {
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        Kinematics& k = k_[b];
        k.r = q.segment<3>(position_size * b);
        k.D = Eigen::Map<const Mat3>(q.data() + position_size * b + 3);
        k.v = v.segment<3>(6 * b);
        k.w = v.segment<3>(6 * b + 3);
        if (chart_ == Chart::lie)
            k.w = k.D * k.w;
    }
}

void RigidEquations::pack(const std::vector<Kinematics>& k, Vector& q, Vector& v) const {
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        set_frame(q, b, k[b].r, k[b].D);
        v.segment<3>(6 * b) = k[b].v;
        v.segment<3>(6 * b + 3) = chart_ == Chart::lie ? Vec3(k[b].D.transpose() * k[b].w) : k[b].w;
    }
}

void RigidEquations::evaluate(double t, const Vector& q, const Vector& v) {
    time_ = t;
    set_kinematics(q, v);
    evaluate_links();
    evaluate_loads();
}

void RigidEquations::evaluate_rows(double t, const Vector& q, const Vector& v) {
    time_ = t;
    set_kinematics(q, v);
    evaluate_links();
    world_masses();
}

void RigidEquations::evaluate_at(double t, const std::vector<Kinematics>& k) {
    time_ = t;
    k_ = k;
    evaluate_links();
    evaluate_loads();
}

void RigidEquations::evaluate_rows_at(double t, const std::vector<Kinematics>& k) {
    time_ = t;
    k_ = k;
    evaluate_links();
}

void RigidEquations::world_masses() {
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        const MechanismBody& body = mechanism_.body()[b];
        mass_[b].mass = body.mass;
        mass_[b].inertia.noalias() = k_[b].D * body.inertia * k_[b].D.transpose();
        position_[b] = k_[b].r;
    }
}

void RigidEquations::evaluate_links() {
    const auto store = [&](int row, const RigidRow& r) {
        value_[row] = r.value;
        rate_[row] = r.rate;
        bias_[row] = r.bias;
        gradient_[row].g1 = r.g1;
        gradient_[row].g2 = r.g2;
    };
    RigidRow rows[3];
    for (const MechanismLink& link : mechanism_.links()) {
        const Kinematics& k1 = mechanism_.at(k_, link.first);
        const Kinematics& k2 = mechanism_.at(k_, link.second);
        int row = link.row;
        for (const auto& block : link.parts.rows) {
            block->rigid(k1, k2, rows);
            for (int i = 0; i < block->size(); ++i)
                store(row++, rows[i]);
        }
    }
    // s - p(t)
    for (const DriverRow& driver : mechanism_.drivers()) {
        const Derivatives p = mechanism_.driver_signal(driver, time_, memory_);
        const Coordinate& c = driver.coordinate;
        c.measure->rigid(mechanism_.at(k_, c.first), mechanism_.at(k_, c.second), memory_.near(c.slot, time_),
                         rows[0]);
        rows[0].value -= p.value;
        rows[0].rate -= p.rate;
        rows[0].bias -= p.acceleration;
        store(driver.row, rows[0]);
    }
    for (const GearRow& gear : mechanism_.gears()) {
        const Coordinate& a = gear.first;
        const Coordinate& b = gear.second;
        a.measure->rigid(mechanism_.at(k_, a.first), mechanism_.at(k_, a.second), memory_.near(a.slot, time_),
                         rows[0]);
        b.measure->rigid(mechanism_.at(k_, b.first), mechanism_.at(k_, b.second), memory_.near(b.slot, time_),
                         rows[1]);
        value_[gear.row] = rows[1].value - gear.ratio * rows[0].value;
        rate_[gear.row] = rows[1].rate - gear.ratio * rows[0].rate;
        bias_[gear.row] = rows[1].bias - gear.ratio * rows[0].bias;
        coupling_[gear.gradient] = -gear.ratio * rows[0].g1;
        coupling_[gear.gradient + 1] = -gear.ratio * rows[0].g2;
        coupling_[gear.gradient + 2] = rows[1].g1;
        coupling_[gear.gradient + 3] = rows[1].g2;
    }
}

void RigidEquations::evaluate_loads() {
    world_masses();
    potential_ = 0;
    elastic_ = 0;
    dissipated_ = 0;
    Vector& total = chart_ == Chart::lie ? world_force_ : force_;
    const Loads& loads = mechanism_.loads();
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        const Vec3 weight = mass_[b].mass * loads.gravity;
        total.segment<3>(6 * b) = weight;
        total.segment<3>(6 * b + 3) = -k_[b].w.cross(mass_[b].inertia * k_[b].w);
        conservative_.segment<3>(6 * b) = weight;
        conservative_.segment<3>(6 * b + 3).setZero();
        potential_ -= weight.dot(k_[b].r);
    }
    const auto add = [](Vector& f, int body, double effort, const Vec6& g) {
        if (body >= 0)
            f.segment<6>(6 * body) += effort * g;
    };
    RigidRow row;
    for (const MeasureLoad& load : loads.measure) {
        load.measure->rigid(mechanism_.at(k_, load.first), mechanism_.at(k_, load.second),
                            memory_.near(load.slot, time_), row);
        const LoadEffort effort = load.at(row.value, row.rate, given(load, time_, memory_));
        const double elastic = effort.elastic, loss = effort.loss;
        const double held = load.potential(row.value);
        potential_ += held;
        elastic_ += std::abs(held);
        dissipated_ += loss * row.rate;
        add(total, load.first, elastic + loss, row.g1);
        add(total, load.second, elastic + loss, row.g2);
        add(conservative_, load.first, elastic, row.g1);
        add(conservative_, load.second, elastic, row.g2);
    }
    Vec3 force, torque;
    for (const AppliedLoad& load : loads.applied) {
        if (load.body < 0)
            continue;
        applied_wrench(load, time_, memory_, force, torque);
        const Kinematics& k = k_[load.body];
        if (load.body_axes) {
            force = k.D * force;
            torque = k.D * torque;
        }
        torque += (k.D * load.point).cross(force);
        total.segment<3>(6 * load.body) += force;
        total.segment<3>(6 * load.body + 3) += torque;
        dissipated_ += force.dot(k.v) + torque.dot(k.w);
    }
    for (const WrenchLoad& load : loads.wrench) {
        const Kinematics& k1 = mechanism_.at(k_, load.first);
        const Kinematics& k2 = mechanism_.at(k_, load.second);
        const Touch touch = load.wrench->at(k1, k2, memory_.lags(load, time_));
        if (!touch.acts)
            continue;
        const Vec6 on1 = -touch.about(k1.r), on2 = touch.about(k2.r);
        add(total, load.first, 1, on1);
        add(total, load.second, 1, on2);
        dissipated_ += on1.head<3>().dot(k1.v) + on1.tail<3>().dot(k1.w) + on2.head<3>().dot(k2.v) +
                       on2.tail<3>().dot(k2.w);
    }
    if (chart_ == Chart::lie) {
        for (int b = 0; b < mechanism_.bodies(); ++b) {
            force_.segment<3>(6 * b) = world_force_.segment<3>(6 * b);
            force_.segment<3>(6 * b + 3) = k_[b].D.transpose() * world_force_.segment<3>(6 * b + 3);
        }
    }
}

void RigidEquations::factor(Metric metric) {
    kkt_.factor(metric == Metric::mass ? mass_.data() : unit_mass_.data(), position_.data(), gradient_.data(),
                coupling_.data());
}

void RigidEquations::solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) {
    if (chart_ == Chart::natural) {
        kkt_.solve(f, rhs, a, lambda);
        return;
    }
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        world_force_.segment<3>(6 * b) = f.segment<3>(6 * b);
        world_force_.segment<3>(6 * b + 3) = k_[b].D * f.segment<3>(6 * b + 3);
    }
    kkt_.solve(world_force_, rhs, world_a_, lambda);
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        a.segment<3>(6 * b) = world_a_.segment<3>(6 * b);
        a.segment<3>(6 * b + 3) = k_[b].D.transpose() * world_a_.segment<3>(6 * b + 3);
    }
}

void RigidEquations::momentum(const Vector& v, Vector& p) const {
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        p.segment<3>(6 * b) = mass_[b].mass * v.segment<3>(6 * b);
        const Vec3 w = v.segment<3>(6 * b + 3);
        p.segment<3>(6 * b + 3) =
            chart_ == Chart::lie ? Vec3(mechanism_.body()[b].inertia * w) : Vec3(mass_[b].inertia * w);
    }
}

double RigidEquations::kinetic() const {
    double sum = 0;
    for (int b = 0; b < mechanism_.bodies(); ++b)
        sum += mass_[b].mass * k_[b].v.squaredNorm() + k_[b].w.dot(mass_[b].inertia * k_[b].w);
    return 0.5 * sum;
}

double RigidEquations::potential_rate(const Vector& v) const {
    double sum = 0;
    for (int b = 0; b < mechanism_.bodies(); ++b) {
        Vec3 w = v.segment<3>(6 * b + 3);
        if (chart_ == Chart::lie)
            w = k_[b].D * w;
        sum -= conservative_.segment<3>(6 * b).dot(v.segment<3>(6 * b)) +
               conservative_.segment<3>(6 * b + 3).dot(w);
    }
    return sum;
}

double RigidEquations::power(const Vector& lambda) const {
    double sum = dissipated_;
    for (const DriverRow& driver : mechanism_.drivers())
        sum += lambda[driver.row] * mechanism_.driver_signal(driver, time_, memory_).rate;
    return sum;
}

void RigidEquations::add_input_force(const Vector& seed, Vector& f) const {
    const auto add = [&](int body, const Vec3& force, const Vec3& torque) {
        if (body >= 0) {
            f.segment<3>(6 * body) += force;
            f.segment<3>(6 * body + 3) +=
                chart_ == Chart::lie ? Vec3(k_[body].D.transpose() * torque) : torque;
        }
    };
    RigidRow row;
    for (const MeasureLoad& load : mechanism_.loads().measure) {
        if (load.input >= 0 && seed[load.input] != 0 &&
            load.follows_input(time_, memory_.given(load.input, time_))) {
            load.measure->rigid(mechanism_.at(k_, load.first), mechanism_.at(k_, load.second),
                                memory_.near(load.slot, time_), row);
            add(load.first, seed[load.input] * row.g1.head<3>(), seed[load.input] * row.g1.tail<3>());
            add(load.second, seed[load.input] * row.g2.head<3>(), seed[load.input] * row.g2.tail<3>());
        }
    }
    for (const AppliedLoad& load : mechanism_.loads().applied) {
        Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
        if (load.force_input >= 0)
            force = seed.segment<3>(load.force_input);
        if (load.torque_input >= 0)
            torque = seed.segment<3>(load.torque_input);
        if (load.body >= 0 && (!force.isZero(0) || !torque.isZero(0))) {
            const Mat3& D = k_[load.body].D;
            if (load.body_axes) {
                force = D * force;
                torque = D * torque;
            }
            add(load.body, force, torque + (D * load.point).cross(force));
        }
    }
}

void RigidEquations::row_times(const Vector& x, Vector& out) const {
    const auto part = [&](int body, const Vec6& g) {
        return body < 0 ? 0.0
                        : g.head<3>().dot(x.segment<3>(6 * body)) +
                              g.tail<3>().dot(world_angular_acceleration(body, x));
    };
    for (const MechanismLink& link : mechanism_.links()) {
        for (int r = link.row; r < link.row + link.rows; ++r)
            out[r] = part(link.first, gradient_[r].g1) + part(link.second, gradient_[r].g2);
    }
    for (const GearRow& gear : mechanism_.gears())
        out[gear.row] = part(gear.first.first, coupling_[gear.gradient]) +
                        part(gear.first.second, coupling_[gear.gradient + 1]) +
                        part(gear.second.first, coupling_[gear.gradient + 2]) +
                        part(gear.second.second, coupling_[gear.gradient + 3]);
}

double RigidEquations::acceleration_violation(const Vector& a) const {
    row_times(a, row_scratch_);
    row_scratch_ += bias_;
    return row_scratch_.size() == 0 ? 0.0 : row_scratch_.lpNorm<Eigen::Infinity>();
}

void RigidEquations::measure(const Coordinate& c, double& value, double& rate) const {
    RigidRow row;
    c.measure->rigid(mechanism_.at(k_, c.first), mechanism_.at(k_, c.second), memory_.near(c.slot, time_),
                     row);
    value = row.value;
    rate = row.rate;
}

double RigidEquations::measure_acceleration(const Coordinate& c, const Vector& a) const {
    RigidRow row;
    c.measure->rigid(mechanism_.at(k_, c.first), mechanism_.at(k_, c.second), memory_.near(c.slot, time_),
                     row);
    return row.bias + along(row, c, a);
}

double RigidEquations::measure_response(const Coordinate& c, const Vector& da) const {
    RigidRow row;
    c.measure->rigid(mechanism_.at(k_, c.first), mechanism_.at(k_, c.second), memory_.near(c.slot, time_),
                     row);
    return along(row, c, da);
}

double RigidEquations::along(const RigidRow& row, const Coordinate& c, const Vector& a) const {
    const auto part = [&](int body, const Vec6& g) {
        return body < 0 ? 0.0
                        : g.head<3>().dot(a.segment<3>(6 * body)) +
                              g.tail<3>().dot(world_angular_acceleration(body, a));
    };
    return part(c.first, row.g1) + part(c.second, row.g2);
}

} // namespace tenon
