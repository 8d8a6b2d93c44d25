#pragma once
// The positions of a machine near a position, along its independent directions of motion.
//
//   N   6n x d, columns along the joints: G N = 0, N^T M N = 1      N N^T = M^-1 - M^-1 G^T (G M^-1 G^T)^+ G M^-1
//
// N N^T is what unit forces cause, column by column, and N its Cholesky factor with the largest pivot next: no mass matrix is
// inverted, redundant rows do no harm, and what has no inertia of its own takes part where the joints give it some. Rows on
// velocities only (rolling) count: a wheel does not slide to its place. Coordinates x along N have the unit m sqrt(kg).
//
//   q(x) = the position N x away, put back onto the joints by the smallest displacement in the mass metric

#include "core/equations/rigid_equations.hpp"
#include "core/integrators/manifold_projection.hpp"

namespace tenon {

class Neighbourhood {
  public:
    /// The memory is the one that the equations look into: its angles follow the position.
    Neighbourhood(RigidEquations& equations, Memory& memory, double t);

    /// N at q; at most `most` columns.
    Matrix directions(const Vector& q, int most);
    /// Moves q by a displacement made of velocities and puts it back onto the joints; false, and q as it was, where that cannot be.
    bool move(Vector& q, const Vector& displacement);
    /// The same, and angles are from now on counted from there.
    bool settle(Vector& q, const Vector& displacement);
    /// a and lambda at rest at q, drivers standing still: the forces that are not balanced are M a.
    void at_rest(const Vector& q, Vector& a, Vector& lambda);
    /// a and lambda at (q, v), drivers moving.
    void moving(const Vector& q, const Vector& v, Vector& a, Vector& lambda);
    /// The smallest change of v in the mass metric that the joints at q demand.
    void project(const Vector& q, Vector& v);
    /// The same with drivers standing still.
    void project_still(const Vector& q, Vector& v);
    /// Size of a displacement: metres, and radians times length().
    double size(const Vector& displacement) const;
    /// A length of the machine: the mean distance of its bodies and joints from their middle, 1 m where there is none.
    double length() const { return length_; }

    RigidEquations& equations() { return eq_; }
    double time() const { return t_; }

  private:
    void remember(const Vector& q);

    RigidEquations& eq_;
    Memory& memory_;
    double t_, length_ = 1;
    ManifoldProjection projection_;
    Vector zero_v_, zero_rows_, rhs_, before_, change_, reaction_;
};

/// How far a body moves: of a mode, or of a machine that found its rest.
struct BodyMove {
    int body = -1;
    Vec3 shift = Vec3::Zero(); ///< of its centre of mass, m, world
    Vec3 turn = Vec3::Zero();  ///< rad, world axes
};

} // namespace tenon
