#pragma once
// An ideal joint between two ports, or a port and the world: its rows along the motions of the ports, whose machines are
// somewhere else. The rows are those of core/model/rows.hpp, built for the ports' frames, so a joint between FMUs is the joint of a
// model file. W is the world, A and B are the frames of the ports of its sides:
//
//     phi(t) = 0,   phi' = Ba (v_WA, w_WA) + Bb (v_WB, w_WB) + phi_t,   phi'' = Ba (a_WA, al_WA) + Bb (a_WB, al_WB) + gamma
//     wrench on side s = Bs^T lambda
//
// Ports are plugs: where the joint's free motion is zero, A and B coincide; an axis has the same coordinates in
// both unless `axis_b` gives others. A flange is a port with one coordinate: p_WP.x() is its angle or distance, v_WP.x() its
// rate, and only the first column of Ba and Bb is not zero; joined flanges keep the difference they have at the start.

#include "core/model/rows.hpp"
#include "core/model/signal.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tenon {

enum class PortKind { frame, rotational, translational };

/// How a port P moves in the world W. R_WP has the port's axes as columns; velocities are in world axes.
struct PortMotion {
    Vec3 p_WP = Vec3::Zero();
    Mat3 R_WP = Mat3::Identity();
    Vec3 v_WP = Vec3::Zero(), w_WP = Vec3::Zero();
};

/// A joint between ports as the user gives it.
struct PortJointSpec {
    std::string name, type;
    std::map<std::string, std::vector<double>> numbers; ///< axis, axis2, length, motion.rate, ... as given
    bool world_a = false, world_b = false;              ///< this side is the world
};

/// Six of a fixed joint, one more with a driver: a driven joint has at most 6.
constexpr int most_rows = 6;
using RowVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_rows, 1>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, most_rows, 6>;

/// The rows of a joint at one moment.
struct PortJointRows {
    RowVector phi, rate, gamma;
    RowMatrix Ba, Bb;
};

/// The motion of the world as a side: at rest where the other port starts, with its axes.
PortMotion world_side(const PortMotion& other);

/// From the values of a port's members that describe its motion, and back: p_WP, R_WP row by row, v_WP, w_WP, or position and rate
/// of a flange.
PortMotion motion_from(const double* values, PortKind kind);
std::vector<double> motion_values(const PortMotion& motion, PortKind kind);

class PortJoint {
  public:
    /// From the user's joint, which has been checked; motions at the start decide where angles count from. Throws
    /// Error(model) where they leave a joint without meaning.
    PortJoint(const PortJointSpec& joint, PortKind kind, const PortMotion& a, const PortMotion& b);
    PortJoint(PortJoint&&) noexcept;
    PortJoint& operator=(PortJoint&&) noexcept;
    ~PortJoint();

    int rows() const;
    bool is_angular(int row) const; ///< in radians, otherwise in metres
    /// Motions that it was made with: that of a side `world` for the whole run.
    const PortMotion& start_a() const;
    const PortMotion& start_b() const;
    /// All of it at time t. Allocates nothing. The coordinate of a driven joint is `late` behind where its driver wants it, as far as is
    /// known: that decides on which turn an angle is.
    void evaluate(double t, const PortMotion& a, const PortMotion& b, PortJointRows& rows,
                  double late = 0) const;
    /// Position rows alone with rotations as rotation vectors, which have one zero only: for the assembly. Same number of
    /// rows as evaluate; Ba, Bb their exact gradients; gamma is zero. Flanges do not move with the world of their FMU: their
    /// rows have no gradients here.
    void evaluate_for_assembly(double t, const PortMotion& a, const PortMotion& b, PortJointRows& rows) const;
    /// Largest gaps of the joint: metres over translational rows and radians over rotational ones.
    struct Gap {
        double metres = 0, radians = 0;
    };
    Gap gap(const PortJointRows& rows) const;

    /// Torque rows must not turn with a fast side. Makes the side that spins less about the axis the one
    /// that carries them, where the joint's type allows it and the other spins more than twice as fast; true where that
    /// changed the rows, whose multipliers then mean something else. To be called between steps.
    bool choose_side(const PortMotion& a, const PortMotion& b);
    /// Whether b carries them; for checkpoints.
    bool is_swapped() const;
    void set_swapped(bool swapped);

    bool has_angle() const;    ///< free angle about the axis
    bool has_distance() const; ///< free distance along it
    /// Angle (unwrapped) or distance since the start, and its rate; 0 where there is none. The angle where there are both; of
    /// a distance joint its length.
    double coordinate(const PortMotion& a, const PortMotion& b, double near) const;
    double coordinate_rate(const PortMotion& a, const PortMotion& b, double near) const;
    /// The distance of a joint that has both, and its rate.
    double distance(const PortMotion& a, const PortMotion& b) const;
    double distance_rate(const PortMotion& a, const PortMotion& b) const;

    bool driven() const;
    /// What the driver prescribes for the last row's coordinate, 0 without driver. Its power is the last multiplier times the rate.
    Derivatives driver(double t) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace tenon
