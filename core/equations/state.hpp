#pragma once
// The state as one value: everything the next step depends on.

#include "core/math/types.hpp"

#include <vector>

namespace tenon {

/// value + rate s + acceleration s^2 / 2 with s the time since `since`.
struct InputPolynomial {
    double since = 0, value = 0, rate = 0, acceleration = 0;
};

struct State {
    double time = 0;
    Vector q, v, a;   ///< in the coordinates of the integrator's face
    Vector lambda;    ///< multipliers as the integrator carries them
    Vector memory;    ///< whatever else the integrator remembers
    double work = 0;  ///< by inputs, drivers and dissipative forces since the start
    double power = 0; ///< of the same, at `time`
    Vector port_work; ///< done on the machine through every port, then every flange, since the start
    Vector angle;     ///< unwrapped angle of every joint that has one, at `time`
    Vector angle_rate;
    std::vector<InputPolynomial> inputs;
    double iterations = 0; ///< of the last step
    double renew = 0;      ///< not zero: inputs were set since the last step, accelerations are of before
};

} // namespace tenon
