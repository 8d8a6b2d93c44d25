#pragma once
// A machine near a state, as linear equations with constant coefficients:
//
//   z' = A z,  z = (x, y)        shift and turn of the bodies N x, change of their velocities N y + B x
//   A = [ X                              1                          ]     X = N^T M (B + W N - Om N)
//       [ N^T M (a_x - Om B - B X)       N^T M (a_y - Om N - B)     ]
//
// N: independent directions (neighbourhood.hpp); B: what the joints make of the velocities v0 at the position N x; W: turns of
// spinning bodies, w0 x theta; a_x, a_y: derivatives of the accelerations, by central differences. At rest B = W = Om = 0 and A = [0 1; -K -C].
//
// A motion is steady where its velocities do not change, seen from the world (Om = 0: a car that rolls straight on, a rotor that
// is a body of revolution) or from axes that turn with the whole machine (Om: a governor). Only there, and where the machine
// looks the same after it has turned on, are the coefficients constant: unsteadiness and changes are measured and reported.

#include "core/simulation/equilibrium.hpp"

#include <complex>
#include <vector>

namespace tenon {

/// A solution exp(value t) of the linear equations; of two conjugate ones that with positive imaginary part.
struct Mode {
    std::complex<double> value; ///< 1/s
    std::vector<std::complex<double>>
        amplitude; ///< six a body: shift of its centre of mass and turn, world; the largest
                   ///< shift, or turn times the machine's length, is 1
    int body = -1; ///< moves most

    double frequency() const; ///< Hz, damped
    double damping() const;   ///< part of the critical: -re / |value|
};

enum class Around { rest, motion };

struct LinearisationReport {
    int degrees_of_freedom = 0;
    int rigid_body_modes = 0; ///< directions without stiffness; at rest
    Matrix A;
    std::vector<Mode>
        modes; ///< slowest first; those of rigid-body modes, whose values are zero but for rounding, last
    int zero_values = 0;  ///< how many they are
    bool turning = false; ///< seen from axes that turn with the machine
    double unsteady =
        0; ///< largest acceleration of a body against that of the weight, or of its velocity's own change
    double change = 0; ///< of the eigenvalues when the machine has turned on by a tenth of a radian, relative
    double length = 1; ///< of the machine, m

    bool steady() const { return unsteady < 1e-4; }
    bool constant() const { return change < 1e-4; }
};

/// Where a model stands when its integrator starts, or at its equilibrium: bodies and what evaluates them.
class StandingMachine {
  public:
    /// Assembles the model. Throws as Simulation does.
    explicit StandingMachine(const Model& model);
    StandingMachine(const StandingMachine&) = delete;

    /// Moves it to its equilibrium; given velocities follow. Throws Error(computation).
    const EquilibriumReport& rest();
    /// Throws Error(computation) where there are more degrees of freedom than most_dense_directions.
    LinearisationReport linearise(Around around);

    const Mechanism& mechanism() const { return mechanism_; }
    /// Of the bodies, at the position, with their velocities.
    const std::vector<Kinematics>& kinematics();
    /// Angle and distance of a joint of the model there, zero for what it has not.
    std::pair<double, double> coordinates(int joint);
    /// The results of a force of the model, as Mechanism::force_readings lists them.
    std::vector<double> force_values(int force);

  private:
    Mechanism mechanism_;
    Memory memory_;
    RigidEquations equations_;
    Vector q_, v_;
    EquilibriumReport rest_;
};

} // namespace tenon
