#pragma once
// The Jacobian of an algebraic loop.

#include "tools/master/ensemble.hpp"

#include <Eigen/Core>

#include <vector>

namespace tenon::master {

struct Loop {
    std::vector<std::size_t> inputs, outputs; ///< ports, in ascending order
    std::vector<const Wiring::Wire*> wires;   ///< from an output to an input of it, floats: one an unknown
    Eigen::VectorXd x, residual;              ///< the inputs at the ends of the wires; W y(x) - x
    bool single_precision = false;            ///< float32 is among them
};

/// The input at the end of a wire, in Signals or its block.
double input_value(const Ensemble& ensemble, const Wiring::Wire& wire);
/// False where it does not fit.
bool set_input_value(Ensemble& ensemble, const Wiring::Wire& wire, double value);

/// W dy/dx - 1 at x, where the FMUs are. By directional derivatives of FMUs that have them, unless `by_differences`. Throws
/// Error(computation) where an FMU fails.
Eigen::MatrixXd loop_jacobian(Ensemble& ensemble, const Loop& loop, bool by_differences);

} // namespace tenon::master
