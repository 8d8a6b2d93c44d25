#include "core/model/rows.hpp"

#include <cmath>
#include <numbers>

namespace tenon {

namespace {

class CoincidentPoints final : public Rows {
  public:
    CoincidentPoints(const Vec3& s1, const Vec3& s2) : s1_(s1), s2_(s2) {}
    int size() const override { return 3; }
    bool angular(int) const override { return false; }

    // X = p2 - p1;  X' = v2 + w2 x S2 - v1 - w1 x S1;  X'' has w x (w x S) left at zero acceleration
    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow* rows) const override {
        const Vec3 S1 = k1.D * s1_;
        const Vec3 S2 = k2.D * s2_;
        const Vec3 S1d = k1.w.cross(S1);
        const Vec3 S2d = k2.w.cross(S2);
        const Vec3 X = k2.r + S2 - k1.r - S1;
        const Vec3 Xd = k2.v + S2d - k1.v - S1d;
        const Vec3 bias = k2.w.cross(S2d) - k1.w.cross(S1d);
        for (int i = 0; i < 3; ++i) {
            const Vec3 e = Vec3::Unit(i);
            rows[i].value = X[i];
            rows[i].rate = Xd[i];
            rows[i].bias = bias[i];
            rows[i].g1.head<3>() = -e;
            rows[i].g1.tail<3>() = -S1.cross(e);
            rows[i].g2.head<3>() = e;
            rows[i].g2.tail<3>() = S2.cross(e);
        }
    }
    void natural(const Frame& f1, const Frame& f2, NaturalRow* rows) const override {
        const Vec3 X = f2.r + f2.D * s2_ - f1.r - f1.D * s1_;
        for (int i = 0; i < 3; ++i) {
            rows[i].value = X[i];
            rows[i].g1.setZero();
            rows[i].g2.setZero();
            rows[i].g1[i] = -1;
            rows[i].g2[i] = 1;
            for (int j = 0; j < 3; ++j) {
                rows[i].g1[3 + 3 * j + i] = -s1_[j];
                rows[i].g2[3 + 3 * j + i] = s2_[j];
            }
        }
    }
    void discrete(const Frame&, const Frame&, const Frame& e1, const Frame& e2,
                  NaturalRow* rows) const override {
        natural(e1, e2, rows);
    }

  private:
    Vec3 s1_, s2_;
};

class ZeroMeasure final : public Rows {
  public:
    ZeroMeasure(std::unique_ptr<Measure> measure, bool angular)
        : measure_(std::move(measure)), angular_(angular) {}
    int size() const override { return 1; }
    bool angular(int) const override { return angular_; }
    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow* rows) const override {
        measure_->rigid(k1, k2, 0, *rows);
    }
    void natural(const Frame& f1, const Frame& f2, NaturalRow* rows) const override {
        measure_->natural(f1, f2, 0, *rows);
    }
    void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2,
                  NaturalRow* rows) const override {
        measure_->discrete(f1, f2, e1, e2, 0, 0, *rows);
    }

  private:
    std::unique_ptr<Measure> measure_;
    bool angular_;
};

// distance - p angle with p = pitch / (2 pi). The turn follows from the distance, which is p times the angle.
class ScrewRow final : public Rows {
  public:
    ScrewRow(std::unique_ptr<Measure> distance, std::unique_ptr<Measure> angle, double pitch)
        : distance_(std::move(distance)), angle_(std::move(angle)), p_(pitch / (2 * std::numbers::pi)) {}
    int size() const override { return 1; }
    bool angular(int) const override { return false; }
    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow* rows) const override {
        RigidRow angle;
        distance_->rigid(k1, k2, 0, *rows);
        angle_->rigid(k1, k2, rows->value / p_, angle);
        rows->value -= p_ * angle.value;
        rows->rate -= p_ * angle.rate;
        rows->bias -= p_ * angle.bias;
        rows->g1 -= p_ * angle.g1;
        rows->g2 -= p_ * angle.g2;
    }
    void natural(const Frame& f1, const Frame& f2, NaturalRow* rows) const override {
        NaturalRow angle;
        distance_->natural(f1, f2, 0, *rows);
        angle_->natural(f1, f2, rows->value / p_, angle);
        subtract(angle, *rows);
    }
    void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2,
                  NaturalRow* rows) const override {
        NaturalRow angle;
        const double start = distance_->value(f1, f2, 0);
        distance_->discrete(f1, f2, e1, e2, 0, 0, *rows);
        angle_->discrete(f1, f2, e1, e2, start / p_, rows->value / p_, angle);
        subtract(angle, *rows);
    }

  private:
    void subtract(const NaturalRow& angle, NaturalRow& row) const {
        row.value -= p_ * angle.value;
        row.g1 -= p_ * angle.g1;
        row.g2 -= p_ * angle.g2;
    }

    std::unique_ptr<Measure> distance_, angle_;
    double p_;
};

// Ground frame 1, wheel frame 2. N = D1 n, A = D2 axis, m = N - (N.A) A, contact point P = c - radius m / |m|.
// Slip along T = D1 t:  T.(velocity of the wheel's material point at P - velocity of the ground's at P).
class NoSlip final : public Rows {
  public:
    NoSlip(const Vec3& centre, const Vec3& normal, const Vec3& t1, const Vec3& t2, const Vec3& axis,
           double radius)
        : centre_(centre), normal_(normal), tangent_{t1, t2}, axis_(axis), radius_(radius) {}
    int size() const override { return 2; }
    bool holonomic() const override { return false; }
    bool angular(int) const override { return false; }

    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow* rows) const override {
        const Vec3 N = k1.D * normal_, Nd = k1.w.cross(N);
        const Vec3 A = k2.D * axis_, Ad = k2.w.cross(A);
        const double c = N.dot(A), cd = Nd.dot(A) + N.dot(Ad);
        const Vec3 m = N - c * A, md = Nd - cd * A - c * Ad;
        const double length = m.norm();
        const Vec3 u = m / length, ud = (md - u * u.dot(md)) / length;
        const Vec3 S = k2.D * centre_, Sd = k2.w.cross(S);
        const Vec3 lever2 = S - radius_ * u,
                   lever2d = Sd - radius_ * ud; // from the wheel's centre of mass to P
        const Vec3 lever1 = k2.r + lever2 - k1.r, lever1d = k2.v + lever2d - k1.v;
        const Vec3 slip = k2.v + k2.w.cross(lever2) - k1.v - k1.w.cross(lever1);
        const Vec3 slipd = k2.w.cross(lever2d) - k1.w.cross(lever1d);
        for (int i = 0; i < 2; ++i) {
            const Vec3 T = k1.D * tangent_[i];
            rows[i].value = 0;
            rows[i].rate = T.dot(slip);
            rows[i].bias = T.dot(slipd) + k1.w.cross(T).dot(slip);
            rows[i].g1.head<3>() = -T;
            rows[i].g1.tail<3>() = T.cross(lever1);
            rows[i].g2.head<3>() = T;
            rows[i].g2.tail<3>() = lever2.cross(T);
        }
    }
    // In natural coordinates a material point moves with r' + D' s, s = D^-1 lever.
    void natural(const Frame& f1, const Frame& f2, NaturalRow* rows) const override {
        const Vec3 N = f1.D * normal_;
        const Vec3 A = (f2.D * axis_).normalized();
        const Vec3 m = N - N.dot(A) * A;
        const Vec3 lever2 = f2.D * centre_ - radius_ * m.normalized();
        const Vec3 s2 = f2.D.inverse() * lever2;
        const Vec3 s1 = f1.D.inverse() * (f2.r + lever2 - f1.r);
        for (int i = 0; i < 2; ++i) {
            const Vec3 T = f1.D * tangent_[i];
            rows[i].value = 0;
            rows[i].g1 << -T, -s1.x() * T, -s1.y() * T, -s1.z() * T;
            rows[i].g2 << T, s2.x() * T, s2.y() * T, s2.z() * T;
        }
    }
    void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2,
                  NaturalRow* rows) const override {
        natural(mean(f1, e1), mean(f2, e2), rows);
    }

  private:
    Vec3 centre_, normal_, tangent_[2], axis_;
    double radius_;
};

} // namespace

std::unique_ptr<Rows> coincident_points(const Vec3& s1, const Vec3& s2) {
    return std::make_unique<CoincidentPoints>(s1, s2);
}

std::unique_ptr<Rows> zero_measure(std::unique_ptr<Measure> measure, bool angular) {
    return std::make_unique<ZeroMeasure>(std::move(measure), angular);
}

std::unique_ptr<Rows> screw_row(std::unique_ptr<Measure> distance, std::unique_ptr<Measure> angle,
                                double pitch) {
    return std::make_unique<ScrewRow>(std::move(distance), std::move(angle), pitch);
}

std::unique_ptr<Rows> no_slip(const Vec3& centre, const Vec3& normal, const Vec3& t1, const Vec3& t2,
                              const Vec3& axis, double radius) {
    return std::make_unique<NoSlip>(centre, normal, t1, t2, axis, radius);
}

void orthonormal_pair(const Vec3& axis, Vec3& e1, Vec3& e2) {
    const Vec3 n = axis.normalized();
    int least = 0;
    n.cwiseAbs().minCoeff(&least);
    e1 = Vec3::Unit(least).cross(n).normalized();
    e2 = n.cross(e1);
}

void add_common_point(const JointPlace& place, const Vec3& at, JointRows& rows) {
    rows.point2 = place.point2(at);
    rows.rows.push_back(coincident_points(place.point1(at), rows.point2));
}

void add_parallel_axes(const JointPlace& place, const Vec3& axis, JointRows& rows) {
    Vec3 e1, e2;
    orthonormal_pair(axis, e1, e2);
    const Vec3 n2 = place.direction2(axis.normalized());
    rows.rows.push_back(zero_measure(direction_measure(place.direction1(e1), n2), true));
    rows.rows.push_back(zero_measure(direction_measure(place.direction1(e2), n2), true));
}

void add_same_orientation(const JointPlace& place, JointRows& rows) {
    for (int i = 0; i < 3; ++i) {
        const Vec3 a = place.direction1(Vec3::Unit(i));
        const Vec3 b = place.direction2(Vec3::Unit((i + 1) % 3));
        rows.rows.push_back(zero_measure(direction_measure(a, b), true));
    }
}

void add_point_on_line(const JointPlace& place, const Vec3& at, const Vec3& axis, JointRows& rows) {
    Vec3 e1, e2;
    orthonormal_pair(axis, e1, e2);
    rows.point2 = place.point2(at);
    for (const Vec3& e : {e1, e2})
        rows.rows.push_back(
            zero_measure(point_measure(place.point1(at), rows.point2, place.direction1(e)), false));
}

void add_point_on_plane(const JointPlace& place, const Vec3& at, const Vec3& normal, JointRows& rows) {
    rows.point2 = place.point2(at);
    const Vec3 n1 = place.direction1(normal.normalized());
    rows.rows.push_back(zero_measure(point_measure(place.point1(at), rows.point2, n1), false));
}

void set_angle(const JointPlace& place, const Vec3& axis, JointRows& rows) {
    Vec3 e1, e2;
    orthonormal_pair(axis, e1, e2);
    rows.angle = angle_measure(place.direction1(e1), place.direction1(e2), place.direction2(e1));
}

void set_distance(const JointPlace& place, const Vec3& at, const Vec3& axis, JointRows& rows) {
    const Vec3 n1 = place.direction1(axis.normalized());
    rows.distance = point_measure(place.point1(at), place.point2(at), n1);
}

} // namespace tenon
