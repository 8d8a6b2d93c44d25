#pragma once
// Scalar functions of two body frames, and the constraint rows that joints are made of.
//
// A body is seen through its frame F = (r, D): r the centre of mass, D = [d1 d2 d3] the body axes in the world.
// All functions here are functions f of at most two quadratic forms in the coordinates of two frames, so one
// definition serves every face of the equations:
//
//   rigid      along (v, w) of both bodies, where d_i' = w x d_i:   value, rate, rate' at zero acceleration, gradient
//   natural    gradient with respect to r, d1, d2, d3 of both bodies (12 each)
//   discrete   a gradient J with J (F1 - F0) = f(F1) - f(F0) exactly: for a quadratic form the gradient at the
//              mean frame, for f(g1, g2) a discrete gradient of f on top (Gonzalez 1996)

#include "core/math/types.hpp"
#include "core/model/joint.hpp"

#include <memory>
#include <vector>

namespace tenon {

using Vec12 = Eigen::Matrix<double, 12, 1>;

struct Frame {
    Vec3 r = Vec3::Zero();
    Mat3 D = Mat3::Identity();
};

/// Velocity of the centre of mass and angular velocity, world axes.
struct Kinematics : Frame {
    Vec3 v = Vec3::Zero();
    Vec3 w = Vec3::Zero();
};

inline Frame mean(const Frame& a, const Frame& b) { return {0.5 * (a.r + b.r), 0.5 * (a.D + b.D)}; }

struct RigidRow {
    double value = 0; ///< f
    double rate = 0;  ///< f' = g1 (v1, w1) + g2 (v2, w2)
    double bias = 0;  ///< f'' where both bodies have no acceleration
    Vec6 g1, g2;
};

struct NaturalRow {
    double value = 0;
    Vec12 g1, g2; ///< with respect to (r, d1, d2, d3)
};

/// A quadratic form X.Y of vectors X, Y that are linear in the frames. Three kinds are enough for all joints.
struct DirectionDot { ///< (D1 a).(D2 b)
    Vec3 a, b;
    double value(const Frame& f1, const Frame& f2) const;
    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow& row) const;
    void natural(const Frame& f1, const Frame& f2, NaturalRow& row) const;
};
struct PointDot { ///< (p2 - p1).(D1 a), p = r + D s
    Vec3 s1, s2, a;
    double value(const Frame& f1, const Frame& f2) const;
    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow& row) const;
    void natural(const Frame& f1, const Frame& f2, NaturalRow& row) const;
};
struct PointSquare { ///< |p2 - p1|^2
    Vec3 s1, s2;
    double value(const Frame& f1, const Frame& f2) const;
    void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow& row) const;
    void natural(const Frame& f1, const Frame& f2, NaturalRow& row) const;
};

/// A scalar measured between two bodies.
class Measure {
  public:
    virtual ~Measure() = default;
    /// `near` is where an angle is expected; it decides the turn. Other measures ignore it.
    virtual double value(const Frame& f1, const Frame& f2, double near) const = 0;
    virtual void rigid(const Kinematics& k1, const Kinematics& k2, double near, RigidRow& row) const = 0;
    virtual void natural(const Frame& f1, const Frame& f2, double near, NaturalRow& row) const = 0;
    /// Discrete gradient from start (f1, f2) to end (e1, e2); `value` is that at the end.
    virtual void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2,
                          double near_start, double near_end, NaturalRow& row) const = 0;
    virtual bool is_angle() const { return false; }
};

/// The quadratic forms as measures, scaled: factor (g - offset).
std::unique_ptr<Measure> direction_measure(const Vec3& a, const Vec3& b);
std::unique_ptr<Measure> point_measure(const Vec3& s1, const Vec3& s2, const Vec3& a, double offset = 0);
/// (|p2 - p1|^2 - length^2) / (2 length): a length near its zero, and quadratic.
std::unique_ptr<Measure> half_square_measure(const Vec3& s1, const Vec3& s2, double length);
/// |p2 - p1|.
std::unique_ptr<Measure> length_measure(const Vec3& s1, const Vec3& s2);
/// Angle from D1 a1 to D2 b, counted towards D1 a2 (a1, a2 orthonormal): atan2(a2.b, a1.b).
std::unique_ptr<Measure> angle_measure(const Vec3& a1, const Vec3& a2, const Vec3& b);
/// (g1.f2 - f1.g2) / 2 of directions g1, f1 of the first and f2, g2 of the second body: the sine of a relative
/// rotation about the third axis, zero where f1 = f2 and g1 = g2.
std::unique_ptr<Measure> twist_measure(const Vec3& g1, const Vec3& f2, const Vec3& f1, const Vec3& g2);
/// Height of a wheel's centre over the plane it touches, less that of a disc of this radius that leans:
/// (c - p1).n - radius sqrt(1 - (n.axis)^2).
std::unique_ptr<Measure> disc_height_measure(const Vec3& plane_point, const Vec3& centre, const Vec3& normal,
                                             const Vec3& axis, double radius);

/// A block of rows of a joint between two bodies.
class Rows {
  public:
    virtual ~Rows() = default;
    virtual int size() const = 0;
    /// False: the rows restrict velocities only; `value` is zero.
    virtual bool holonomic() const { return true; }
    /// True where a row is radians, false metres.
    virtual bool angular(int row) const = 0;
    virtual void rigid(const Kinematics& k1, const Kinematics& k2, RigidRow* rows) const = 0;
    virtual void natural(const Frame& f1, const Frame& f2, NaturalRow* rows) const = 0;
    virtual void discrete(const Frame& f1, const Frame& f2, const Frame& e1, const Frame& e2,
                          NaturalRow* rows) const = 0;
};

/// p2 - p1 = 0 in world axes: three rows, linear.
std::unique_ptr<Rows> coincident_points(const Vec3& s1, const Vec3& s2);
/// measure = 0.
std::unique_ptr<Rows> zero_measure(std::unique_ptr<Measure> measure, bool angular);
/// distance = pitch / (2 pi) angle.
std::unique_ptr<Rows> screw_row(std::unique_ptr<Measure> distance, std::unique_ptr<Measure> angle,
                                double pitch);
/// The material point of the disc that touches the plane has no velocity along tangents t1, t2 of the plane.
std::unique_ptr<Rows> no_slip(const Vec3& centre, const Vec3& normal, const Vec3& t1, const Vec3& t2,
                              const Vec3& axis, double radius);

/// Where two bodies are at t = 0: takes points and directions of the world to the bodies.
struct TwoFrames {
    Frame first, second;

    Vec3 point1(const Vec3& p) const { return first.D.transpose() * (p - first.r); }
    Vec3 point2(const Vec3& p) const { return second.D.transpose() * (p - second.r); }
    Vec3 direction1(const Vec3& a) const { return first.D.transpose() * a; }
    Vec3 direction2(const Vec3& a) const { return second.D.transpose() * a; }
};

/// A joint and where its bodies are at t = 0: what joints/<type>.cpp turn into rows.
struct JointPlace : TwoFrames {
    const Joint& joint;

    JointPlace(const Joint& given, const Frame& f1, const Frame& f2) : TwoFrames{f1, f2}, joint(given) {}
};

struct JointRows {
    std::vector<std::unique_ptr<Rows>> rows;
    std::unique_ptr<Measure> angle;
    std::unique_ptr<Measure> distance;
    Vec3 point2 = Vec3::Zero(); ///< the joint's point on the second body, where its reaction is reported
};

/// Unit vectors e1, e2 with e1 x e2 = axis / |axis|.
void orthonormal_pair(const Vec3& axis, Vec3& e1, Vec3& e2);

/// Building blocks that several joints share.
void add_common_point(const JointPlace& place, const Vec3& at, JointRows& rows);
void add_parallel_axes(const JointPlace& place, const Vec3& axis, JointRows& rows);
void add_same_orientation(const JointPlace& place, JointRows& rows);
void add_point_on_line(const JointPlace& place, const Vec3& at, const Vec3& axis, JointRows& rows);
void add_point_on_plane(const JointPlace& place, const Vec3& at, const Vec3& normal, JointRows& rows);
void set_angle(const JointPlace& place, const Vec3& axis, JointRows& rows);
void set_distance(const JointPlace& place, const Vec3& at, const Vec3& axis, JointRows& rows);

} // namespace tenon
