#pragma once
// An ideal joint between two ports, or a port and the world: its rows along the motions of the ports. The rows are those of
// the core (core/model/rows.hpp), built for the ports' frames, so a joint between FMUs is the joint of a model file:
//
//     phi(t) = 0,   phi' = Ba (v, w)_a + Bb (v, w)_b + phi_t,   phi'' = Ba (a, al)_a + Bb (a, al)_b + gamma
//     wrench on side s = Bs^T lambda
//
// Ports are plugs: where the joint's free motion is zero, the frames of a and b coincide; an axis has the same coordinates in
// both ports unless `axis_b` gives others. A flange is a port with one coordinate: r.x() is its angle or distance, v.x() its
// rate, and only the first column of Ba and Bb is not zero; joined flanges keep the difference they have at the start.

#include "core/model/rows.hpp"
#include "core/model/signal.hpp"
#include "tools/system/system.hpp"
#include "tools/system/terminals.hpp"

#include <memory>

namespace tenon::glue {

/// Motion of a port in the master's world. D has the port's axes as columns.
using Motion = Kinematics;

/// Six of a fixed joint, one more with a driver: a driven joint has at most 6.
constexpr int most_rows = 6;
using RowVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most_rows, 1>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, most_rows, 6>;

/// The rows of a joint at one moment; tenon::JointRows of the core are what they are computed from.
struct JointRows {
    RowVector phi, rate, gamma;
    RowMatrix Ba, Bb;
};

/// The motion of the world as a side: at rest where the other port starts, with its axes.
Motion world_side(const Motion& other);

/// From the values of a port's members that describe its motion, in the order of docs/contract.md section 5.
Motion motion_from(const double* values, system::PortKind kind);

class Joint {
  public:
    /// From the user's joint, checked by tools/system; motions at the start decide where angles count from. Throws
    /// Error(model) where they leave a joint without meaning.
    Joint(const system::GlueJoint& joint, system::PortKind kind, const Motion& a, const Motion& b);
    Joint(Joint&&) noexcept;
    Joint& operator=(Joint&&) noexcept;
    ~Joint();

    int rows() const;
    bool is_angular(int row) const; ///< in radians, otherwise in metres
    /// Motions that it was made with: that of a side `world` for the whole run.
    const Motion& start_a() const;
    const Motion& start_b() const;
    /// All of it at time t. Allocates nothing. The coordinate of a driven joint is `late` behind where its driver wants it, as far as is
    /// known: that decides on which turn an angle is.
    void evaluate(double t, const Motion& a, const Motion& b, JointRows& rows, double late = 0) const;
    /// Position rows alone with rotations as rotation vectors, which have one zero only: for the assembly. Same number of
    /// rows as evaluate; Ba, Bb their exact gradients; gamma is zero. Flanges do not move with the world of their FMU: their
    /// rows have no gradients here.
    void evaluate_for_assembly(double t, const Motion& a, const Motion& b, JointRows& rows) const;
    /// Largest gaps of the joint: metres over translational rows and radians over rotational ones.
    struct Gap {
        double metres = 0, radians = 0;
    };
    Gap gap(const JointRows& rows) const;

    /// Torque rows must not turn with a fast side (gluing-in-space 2.2). Makes the side that spins less about the axis the one
    /// that carries them, where the joint's type allows it and the other spins more than twice as fast; true where that
    /// changed the rows, whose multipliers then mean something else. To be called between steps.
    bool choose_side(const Motion& a, const Motion& b);
    /// Whether b carries them; for checkpoints.
    bool is_swapped() const;
    void set_swapped(bool swapped);

    bool has_angle() const;    ///< free angle about the axis
    bool has_distance() const; ///< free distance along it
    /// Angle (unwrapped) or distance since the start, and its rate; 0 where there is none. The angle where there are both; of
    /// a distance joint its length.
    double coordinate(const Motion& a, const Motion& b, double near) const;
    double coordinate_rate(const Motion& a, const Motion& b, double near) const;
    /// The distance of a joint that has both, and its rate.
    double distance(const Motion& a, const Motion& b) const;
    double distance_rate(const Motion& a, const Motion& b) const;

    bool driven() const;
    /// What the driver prescribes for the last row's coordinate, 0 without driver. Its power is the last multiplier times the rate.
    Derivatives driver(double t) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace tenon::glue
