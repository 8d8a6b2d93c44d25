// The natural face at a point or over a step: gradients of rows and of measures of loads, forces, tested and tried.

#include "core/equations/natural_equations.hpp"

namespace tenon {

namespace {
using ConstMat = Eigen::Map<const Mat3>;
} // namespace

void NaturalEquations::set_frames(const Vector& q, std::vector<Frame>& frames) const {
    for (int b = 0; b < n_; ++b) {
        frames[b].r = q.segment<3>(12 * b);
        frames[b].D = ConstMat(q.data() + 12 * b + 3);
    }
}

/// `end` has the gradients at the end point; term.g is set already.
void NaturalEquations::reduce(Term& term, const NaturalRow& end) {
    for (int i = 0; i < 2; ++i) {
        if (term.body[i] >= 0) {
            term.trial[i] = tested(i == 0 ? end.g1 : end.g2, end_[term.body[i]].D);
            term.test[i] = end_point_ ? term.trial[i] : tested(term.g[i], test_[term.body[i]].D);
        }
    }
}

void NaturalEquations::set_point(double t, const Vector& q, const Vector& v) {
    t0_ = t1_ = t;
    h_ = 0;
    set_frames(q, end_);
    test_ = end_;
    point_q_ = q;
    point_v_ = v;
    end_point_ = true;
}

void NaturalEquations::evaluate(double t, const Vector& q, const Vector& v) {
    evaluate_rows(t, q, v);
    evaluate_loads(false, &v);
}

void NaturalEquations::evaluate_rows(double t, const Vector& q, const Vector& v) {
    set_point(t, q, v);
    evaluate_row_terms(false);
    rows_at_point_ = true;
    for (int r = 0; r < m_; ++r)
        rate_[r] = row_times(r, v);
    for (const DriverRow& driver : mechanism_.drivers())
        rate_[driver.row] -= mechanism_.driver_signal(driver, t, memory_).rate;
}

void NaturalEquations::change_velocity(const Vector& v) {
    point_v_ = v;
    evaluate_loads(false, &v);
}

void NaturalEquations::evaluate_between(double t0, const Vector& q0, double t1, const Vector& q1) {
    t0_ = t0;
    t1_ = t1;
    h_ = t1 - t0;
    set_frames(q0, start_);
    set_frames(q1, end_);
    for (int b = 0; b < n_; ++b)
        test_[b] = mean(start_[b], end_[b]);
    difference_ = q1 - q0;
    velocity_ = difference_ / h_;
    end_point_ = rows_at_point_ = false;
    evaluate_row_terms(true);
    evaluate_loads(true, &velocity_);
}

void NaturalEquations::evaluate_row_terms(bool discrete) {
    NaturalRow rows[3], ends[3];
    const auto store = [&](int r, const NaturalRow& row, const NaturalRow& end) {
        Term& term = row_term_[r];
        value_[r] = row.value;
        term.g[0] = row.g1;
        term.g[1] = row.g2;
        reduce(term, end);
    };
    for (const MechanismLink& link : mechanism_.links()) {
        const Frame& e1 = frame(end_, link.first);
        const Frame& e2 = frame(end_, link.second);
        int r = link.row;
        for (const auto& block : link.parts.rows) {
            block->natural(e1, e2, ends);
            if (discrete)
                block->discrete(frame(start_, link.first), frame(start_, link.second), e1, e2, rows);
            for (int i = 0; i < block->size(); ++i, ++r) {
                store(r, discrete ? rows[i] : ends[i], ends[i]);
                if (discrete && !block->holonomic())
                    value_[r] = row_times(r, difference_);
            }
        }
    }
    const auto measure = [&](const Coordinate& c, double near0, double near1, NaturalRow& row,
                             NaturalRow& end) {
        const Frame& e1 = frame(end_, c.first);
        const Frame& e2 = frame(end_, c.second);
        c.measure->natural(e1, e2, near1, end);
        if (discrete)
            c.measure->discrete(frame(start_, c.first), frame(start_, c.second), e1, e2, near0, near1, row);
        else
            row = end;
    };
    for (const DriverRow& driver : mechanism_.drivers()) {
        const double p1 = mechanism_.driver_signal(driver, t1_, memory_).value;
        measure(driver.coordinate, memory_.near(driver.coordinate.slot, t0_),
                memory_.near(driver.coordinate.slot, t1_), rows[0], ends[0]);
        rows[0].value -= p1;
        store(driver.row, rows[0], ends[0]);
    }
    for (const GearRow& gear : mechanism_.gears()) {
        measure(gear.first, memory_.near(gear.first.slot, t0_), memory_.near(gear.first.slot, t1_), rows[0],
                ends[0]);
        measure(gear.second, memory_.near(gear.second.slot, t0_), memory_.near(gear.second.slot, t1_),
                rows[1], ends[1]);
        value_[gear.row] = rows[1].value - gear.ratio * rows[0].value;
        Term& first = row_term_[gear.row];
        first.g[0] = -gear.ratio * rows[0].g1;
        first.g[1] = -gear.ratio * rows[0].g2;
        ends[0].g1 *= -gear.ratio;
        ends[0].g2 *= -gear.ratio;
        reduce(first, ends[0]);
        Term& second = gear_term_[gear.row - first_gear_row_].second;
        second.g[0] = rows[1].g1;
        second.g[1] = rows[1].g2;
        reduce(second, ends[1]);
    }
}

double NaturalEquations::term_times(const Term& term, const Vector& x) {
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (term.body[i] >= 0)
            sum += term.g[i].dot(x.segment<12>(12 * term.body[i]));
    }
    return sum;
}

void NaturalEquations::add_term(const Term& term, double effort, Vector& f) {
    for (int i = 0; i < 2; ++i) {
        if (term.body[i] >= 0)
            f.segment<12>(12 * term.body[i]) += effort * term.g[i];
    }
}

double NaturalEquations::row_times(int row, const Vector& x) const {
    const double sum = term_times(row_term_[row], x);
    return row < first_gear_row_ ? sum : sum + term_times(gear_term_[row - first_gear_row_].second, x);
}

void NaturalEquations::evaluate_loads(bool discrete, const Vector* v) {
    const Loads& loads = mechanism_.loads();
    load_work_ = 0;
    load_power_ = 0;
    for (int b = 0; b < n_; ++b) {
        force_.segment<3>(12 * b) = mechanism_.body()[b].mass * loads.gravity;
        force_.segment<9>(12 * b + 3).setZero();
    }
    NaturalRow row, end;
    for (std::size_t i = 0; i < loads.measure.size(); ++i) {
        const MeasureLoad& load = loads.measure[i];
        Term& term = load_term_[i];
        const Frame& e1 = frame(end_, load.first);
        const Frame& e2 = frame(end_, load.second);
        const double near0 = memory_.near(load.slot, t0_), near1 = memory_.near(load.slot, t1_);
        load.measure->natural(e1, e2, near1, end);
        double s0 = end.value;
        if (discrete) {
            const Frame& f1 = frame(start_, load.first);
            const Frame& f2 = frame(start_, load.second);
            s0 = load.measure->value(f1, f2, near0);
            load.measure->discrete(f1, f2, e1, e2, near0, near1, row);
        }
        const NaturalRow& used = discrete ? row : end;
        term.g[0] = used.g1;
        term.g[1] = used.g2;
        reduce(term, end);
        const double rate = term_times(term, *v);
        const LoadEffort effort = load.between(s0, end.value, rate, given(load, 0.5 * (t0_ + t1_), memory_));
        add_term(term, effort.elastic + effort.loss, force_);
        term.stiffness = effort.stiffness;
        term.damping = effort.damping;
        load_power_ += effort.loss * rate;
        load_work_ += effort.loss * rate * h_;
    }
    Vec3 force, torque;
    const double t = 0.5 * (t0_ + t1_);
    for (const AppliedLoad& load : loads.applied) {
        if (load.body < 0)
            continue;
        applied_wrench(load, t, memory_, force, torque);
        const Mat3& D = test_[load.body].D;
        if (load.body_axes) {
            force = D * force;
            torque = D * torque;
        }
        // A torque as forces on the directors: sum d_i x (1/2 torque x d_i) = torque for orthonormal d_i.
        Vec12 f;
        f.head<3>() = force;
        for (int i = 0; i < 3; ++i)
            f.segment<3>(3 + 3 * i) = load.point[i] * force + 0.5 * torque.cross(D.col(i));
        force_.segment<12>(12 * load.body) += f;
        const double rate = f.dot(v->segment<12>(12 * load.body));
        load_power_ += rate;
        load_work_ += rate * h_;
    }
    evaluate_wrenches(*v);
}

} // namespace tenon
