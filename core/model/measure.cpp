#include "core/model/rows.hpp"

#include <cmath>
#include <numbers>

namespace tenon {

namespace {

void set_natural(Vec12& g, const Vec3& dr, const Vec3& s, const Vec3& y) {
    g.segment<3>(0) = dr;
    g.segment<3>(3) = s.x() * y;
    g.segment<3>(6) = s.y() * y;
    g.segment<3>(9) = s.z() * y;
}

void add_directions(Vec12& g, const Vec3& s, const Vec3& y) {
    g.segment<3>(3) += s.x() * y;
    g.segment<3>(6) += s.y() * y;
    g.segment<3>(9) += s.z() * y;
}

void scale(RigidRow& row, double factor) {
    row.rate *= factor;
    row.bias *= factor;
    row.g1 *= factor;
    row.g2 *= factor;
}

/// A function f(g) of one quadratic form, or f(g, h) of two: value, first and second derivatives.
struct Outer {
    double f = 0, f1 = 0, f2 = 0, f11 = 0, f12 = 0, f22 = 0;
};

/// f'' = f1 g'' + f2 h'' + f11 g'^2 + 2 f12 g' h' + f22 h'^2.
void chain(const Outer& o, const RigidRow& g, const RigidRow& h, RigidRow& row) {
    row.value = o.f;
    row.rate = o.f1 * g.rate + o.f2 * h.rate;
    row.bias = o.f1 * g.bias + o.f2 * h.bias + o.f11 * g.rate * g.rate + 2 * o.f12 * g.rate * h.rate +
               o.f22 * h.rate * h.rate;
    row.g1 = o.f1 * g.g1 + o.f2 * h.g1;
    row.g2 = o.f1 * g.g2 + o.f2 * h.g2;
}

} // namespace

// ---- (D1 a).(D2 b) ----

double DirectionDot::value(const Frame& f1, const Frame& f2) const { return (f1.D * a).dot(f2.D * b); }

// g' = (w1 - w2).(A x B), A = D1 a, B = D2 b;  g'' = A''.B + 2 A'.B' + A.B'' with A'' = w1 x (w1 x A)
void DirectionDot::rigid(const Kinematics& k1, const Kinematics& k2, RigidRow& row) const {
    const Vec3 A = k1.D * a;
    const Vec3 B = k2.D * b;
    const Vec3 AxB = A.cross(B);
    const Vec3 Ad = k1.w.cross(A);
    const Vec3 Bd = k2.w.cross(B);
    row.value = A.dot(B);
    row.rate = Ad.dot(B) + A.dot(Bd);
    row.bias = k1.w.cross(Ad).dot(B) + 2 * Ad.dot(Bd) + A.dot(k2.w.cross(Bd));
    row.g1.head<3>() = Vec3::Zero();
    row.g1.tail<3>() = AxB;
    row.g2.head<3>() = Vec3::Zero();
    row.g2.tail<3>() = -AxB;
}

void DirectionDot::natural(const Frame& f1, const Frame& f2, NaturalRow& row) const {
    const Vec3 A = f1.D * a;
    const Vec3 B = f2.D * b;
    row.value = A.dot(B);
    set_natural(row.g1, Vec3::Zero(), a, B);
    set_natural(row.g2, Vec3::Zero(), b, A);
}

// ---- (p2 - p1).(D1 a) ----

double PointDot::value(const Frame& f1, const Frame& f2) const {
    return (f2.r + f2.D * s2 - f1.r - f1.D * s1).dot(f1.D * a);
}

// X = p2 - p1, A = D1 a:  g' = X'.A + X.(w1 x A);  g'' = X''.A + 2 X'.A' + X.A''
void PointDot::rigid(const Kinematics& k1, const Kinematics& k2, RigidRow& row) const {
    const Vec3 S1 = k1.D * s1;
    const Vec3 S2 = k2.D * s2;
    const Vec3 A = k1.D * a;
    const Vec3 X = k2.r + S2 - k1.r - S1;
    const Vec3 S1d = k1.w.cross(S1);
    const Vec3 S2d = k2.w.cross(S2);
    const Vec3 Xd = k2.v + S2d - k1.v - S1d;
    const Vec3 Ad = k1.w.cross(A);
    row.value = X.dot(A);
    row.rate = Xd.dot(A) + X.dot(Ad);
    row.bias = (k2.w.cross(S2d) - k1.w.cross(S1d)).dot(A) + 2 * Xd.dot(Ad) + X.dot(k1.w.cross(Ad));
    row.g1.head<3>() = -A;
    row.g1.tail<3>() = A.cross(X + S1);
    row.g2.head<3>() = A;
    row.g2.tail<3>() = S2.cross(A);
}

void PointDot::natural(const Frame& f1, const Frame& f2, NaturalRow& row) const {
    const Vec3 A = f1.D * a;
    const Vec3 X = f2.r + f2.D * s2 - f1.r - f1.D * s1;
    row.value = X.dot(A);
    set_natural(row.g1, -A, -s1, A);
    add_directions(row.g1, a, X);
    set_natural(row.g2, A, s2, A);
}

// ---- |p2 - p1|^2 ----

double PointSquare::value(const Frame& f1, const Frame& f2) const {
    return (f2.r + f2.D * s2 - f1.r - f1.D * s1).squaredNorm();
}

// X = p2 - p1:  g' = 2 X.X';  g'' = 2 X'.X' + 2 X.X''
void PointSquare::rigid(const Kinematics& k1, const Kinematics& k2, RigidRow& row) const {
    const Vec3 S1 = k1.D * s1;
    const Vec3 S2 = k2.D * s2;
    const Vec3 X = k2.r + S2 - k1.r - S1;
    const Vec3 S1d = k1.w.cross(S1);
    const Vec3 S2d = k2.w.cross(S2);
    const Vec3 Xd = k2.v + S2d - k1.v - S1d;
    row.value = X.squaredNorm();
    row.rate = 2 * X.dot(Xd);
    row.bias = 2 * Xd.squaredNorm() + 2 * X.dot(k2.w.cross(S2d) - k1.w.cross(S1d));
    row.g1.head<3>() = -2 * X;
    row.g1.tail<3>() = -2 * S1.cross(X);
    row.g2.head<3>() = 2 * X;
    row.g2.tail<3>() = 2 * S2.cross(X);
}

void PointSquare::natural(const Frame& f1, const Frame& f2, NaturalRow& row) const {
    const Vec3 X = f2.r + f2.D * s2 - f1.r - f1.D * s1;
    row.value = X.squaredNorm();
    set_natural(row.g1, -2 * X, -2 * s1, X);
    set_natural(row.g2, 2 * X, 2 * s2, X);
}

namespace {

/// factor (g - offset).
template <class Form> class QuadraticMeasure final : public Measure {
  public:
    QuadraticMeasure(const Form& form, double factor, double offset)
        : form_(form), factor_(factor), offset_(offset) {}

    double value(const Frame& f1, const Frame& f2, double) const override {
        return factor_ * (form_.value(f1, f2) - offset_);
    }
    void rigid(const Kinematics& k1, const Kinematics& k2, double, RigidRow& row) const override {
        form_.rigid(k1, k2, row);
        row.value = factor_ * (row.value - offset_);
        if (factor_ != 1)
            scale(row, factor_);
    }
    void natural(const Frame& f1, const Frame& f2, double, NaturalRow& row) const override {
        form_.natural(f1, f2, row);
        row.value = factor_ * (row.value - offset_);
        row.g1 *= factor_;
        row.g2 *= factor_;
    }
    void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2, double, double,
                  NaturalRow& row) const override {
        natural(mean(f1, e1), mean(f2, e2), 0, row);
        row.value = value(e1, e2, 0);
    }

  private:
    Form form_;
    double factor_, offset_;
};

/// f(g, h) of two quadratic forms; `Shape` gives value and derivatives of f.
template <class FormG, class FormH, class Shape> class OuterMeasure final : public Measure {
  public:
    OuterMeasure(const FormG& g, const FormH& h, const Shape& shape) : g_(g), h_(h), shape_(shape) {}

    double value(const Frame& f1, const Frame& f2, double near) const override {
        return shape_(g_.value(f1, f2), h_.value(f1, f2), near).f;
    }
    void rigid(const Kinematics& k1, const Kinematics& k2, double near, RigidRow& row) const override {
        RigidRow g, h;
        g_.rigid(k1, k2, g);
        h_.rigid(k1, k2, h);
        chain(shape_(g.value, h.value, near), g, h, row);
    }
    void natural(const Frame& f1, const Frame& f2, double near, NaturalRow& row) const override {
        NaturalRow h;
        g_.natural(f1, f2, row);
        h_.natural(f1, f2, h);
        combine(shape_(row.value, h.value, near), h, row);
    }
    void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2, double near_start,
                  double near_end, NaturalRow& row) const override {
        const double g0 = g_.value(f1, f2), g1 = g_.value(e1, e2);
        const double h0 = h_.value(f1, f2), h1 = h_.value(e1, e2);
        const double start = shape_(g0, h0, near_start).f;
        const double end = shape_(g1, h1, near_end).f;
        Outer middle = shape_(0.5 * (g0 + g1), 0.5 * (h0 + h1), 0.5 * (start + end));
        // c = grad f(mean) + (f1 - f0 - grad f(mean).(g1 - g0)) (g1 - g0) / |g1 - g0|^2
        const double dg = g1 - g0, dh = h1 - h0;
        const double square = dg * dg + dh * dh;
        if (square > 1e-20) {
            const double lack = (end - start - middle.f1 * dg - middle.f2 * dh) / square;
            middle.f1 += lack * dg;
            middle.f2 += lack * dh;
        }
        NaturalRow h;
        g_.natural(mean(f1, e1), mean(f2, e2), row);
        h_.natural(mean(f1, e1), mean(f2, e2), h);
        combine(middle, h, row);
        row.value = end;
    }
    bool is_angle() const override { return Shape::angle; }

  private:
    static void combine(const Outer& o, const NaturalRow& h, NaturalRow& row) {
        row.value = o.f;
        row.g1 = o.f1 * row.g1 + o.f2 * h.g1;
        row.g2 = o.f1 * row.g2 + o.f2 * h.g2;
    }

    FormG g_;
    FormH h_;
    Shape shape_;
};

struct SquareRoot {
    static constexpr bool angle = false;
    Outer operator()(double g, double, double) const {
        Outer o;
        o.f = std::sqrt(g);
        o.f1 = 0.5 / o.f;
        o.f11 = -0.25 / (o.f * g);
        return o;
    }
};

/// atan2(g, h) on the turn nearest to `near`.
struct ArcTangent {
    static constexpr bool angle = true;
    Outer operator()(double g, double h, double near) const {
        Outer o;
        const double turn = 2 * std::numbers::pi;
        o.f = std::atan2(g, h);
        o.f += turn * std::round((near - o.f) / turn);
        const double square = g * g + h * h;
        const double fourth = square * square;
        o.f1 = h / square;
        o.f2 = -g / square;
        o.f11 = -2 * g * h / fourth;
        o.f22 = -o.f11;
        o.f12 = (g * g - h * h) / fourth;
        return o;
    }
};

/// (g - h) / 2.
struct HalfDifference {
    static constexpr bool angle = false;
    Outer operator()(double g, double h, double) const {
        Outer o;
        o.f = 0.5 * (g - h);
        o.f1 = 0.5;
        o.f2 = -0.5;
        return o;
    }
};

/// g - radius sqrt(1 - h^2).
struct DiscHeight {
    static constexpr bool angle = false;
    double radius;
    Outer operator()(double g, double h, double) const {
        Outer o;
        const double root = std::sqrt(1 - h * h);
        o.f = g - radius * root;
        o.f1 = 1;
        o.f2 = radius * h / root;
        o.f22 = radius / (root * root * root);
        return o;
    }
};

} // namespace

std::unique_ptr<Measure> direction_measure(const Vec3& a, const Vec3& b) {
    return std::make_unique<QuadraticMeasure<DirectionDot>>(DirectionDot{a, b}, 1.0, 0.0);
}

std::unique_ptr<Measure> point_measure(const Vec3& s1, const Vec3& s2, const Vec3& a, double offset) {
    return std::make_unique<QuadraticMeasure<PointDot>>(PointDot{s1, s2, a}, 1.0, offset);
}

std::unique_ptr<Measure> half_square_measure(const Vec3& s1, const Vec3& s2, double length) {
    return std::make_unique<QuadraticMeasure<PointSquare>>(PointSquare{s1, s2}, 0.5 / length,
                                                           length * length);
}

std::unique_ptr<Measure> length_measure(const Vec3& s1, const Vec3& s2) {
    using Length = OuterMeasure<PointSquare, PointSquare, SquareRoot>;
    return std::make_unique<Length>(PointSquare{s1, s2}, PointSquare{s1, s2}, SquareRoot{});
}

std::unique_ptr<Measure> angle_measure(const Vec3& a1, const Vec3& a2, const Vec3& b) {
    using Angle = OuterMeasure<DirectionDot, DirectionDot, ArcTangent>;
    return std::make_unique<Angle>(DirectionDot{a2, b}, DirectionDot{a1, b}, ArcTangent{});
}

std::unique_ptr<Measure> twist_measure(const Vec3& g1, const Vec3& f2, const Vec3& f1, const Vec3& g2) {
    using Twist = OuterMeasure<DirectionDot, DirectionDot, HalfDifference>;
    return std::make_unique<Twist>(DirectionDot{g1, f2}, DirectionDot{f1, g2}, HalfDifference{});
}

std::unique_ptr<Measure> disc_height_measure(const Vec3& plane_point, const Vec3& centre, const Vec3& normal,
                                             const Vec3& axis, double radius) {
    using Height = OuterMeasure<PointDot, DirectionDot, DiscHeight>;
    return std::make_unique<Height>(PointDot{plane_point, centre, normal}, DirectionDot{normal, axis},
                                    DiscHeight{radius});
}

} // namespace tenon
