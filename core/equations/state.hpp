#pragma once
// The state as one value: everything the next step depends on.

#include "core/math/types.hpp"

#include <vector>

namespace tenon {

/// value + rate s + acceleration s^2 / 2 with s the time since `since`.
struct InputPolynomial {
    double since = 0, value = 0, rate = 0, acceleration = 0;
};

/// What the judgement of steps remembers (core/simulation/judge.hpp).
struct EnergyAccount {
    double start = 0;   ///< energy less work at the start, or as if a prescribed motion had not jumped since
    double error = 0;   ///< energy less work less start, at `time`
    double kinetic = 0; ///< the largest so far
    double springs = 0; ///< the largest that springs have held so far
    double exchanged = 0; ///< what inputs, drivers and dissipative forces have moved in and out so far
    double speed = 0;     ///< the largest of any body so far, m/s or rad/s
    double corrected = 0; ///< energy that the method has put in by itself so that the balance closes
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
    Vector lag, lag_rate; ///< of wrenches whose values lag behind the motion, at `time`
    std::vector<InputPolynomial> inputs;
    double iterations = 0; ///< of the last step
    EnergyAccount account;
    double renew = 0; ///< not zero: inputs were set since the last step, accelerations are of before
};

} // namespace tenon
