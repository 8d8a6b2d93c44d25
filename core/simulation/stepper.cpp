#include "core/simulation/stepper.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tenon {

int Stepper::step(Integrator& integrator, State& state, double h, int& halvings, StateFollower& follower) {
    follower_ = &follower;
    halvings_ = 0;
    shortest_ = h;
    try {
        const int iterations = part(integrator, state, h, 0);
        halvings += halvings_;
        return iterations;
    } catch (const NotConverged&) {
        state = saved_[0];
        follower.remember(state);
        char numbers[160];
        std::snprintf(numbers, sizeof numbers,
                      " is %.3g (limit %.3g) after halving the step %d times to %.3g s", last_.value,
                      last_.limit, max_halvings, h / (1 << max_halvings));
        const std::string where = last_.row >= 0 ? " of " + follower.row_name(last_.row) : std::string();
        char time[48];
        std::snprintf(time, sizeof time, "no step from t = %.9g s: ", state.time);
        throw Error(ErrorKind::computation,
                    time + last_.quantity + where + numbers +
                        "; try a smaller step, another integrator, or check the machine there");
    } catch (...) { // what is accepted ends the run: a wheel is off its road
        state = saved_[0];
        follower.remember(state);
        throw;
    }
}

int Stepper::part(Integrator& integrator, State& state, double h, int depth) {
    saved_[depth] = state;
    try {
        const int iterations = integrator.step(state, h);
        if (!state.q.allFinite() || !state.v.allFinite()) {
            throw NotConverged{"state", std::nan(""), 0, -1};
        }
        follower_->accept(state);
        shortest_ = std::min(shortest_, h);
        return iterations;
    } catch (const NotConverged& failure) {
        last_ = failure;
        if (depth == max_halvings)
            throw;
    }
    state = saved_[depth];
    follower_->remember(state);
    ++halvings_;
    const double end = state.time + h;
    int iterations = part(integrator, state, 0.5 * h, depth + 1);
    iterations += part(integrator, state, end - state.time, depth + 1);
    state.time = end;
    return iterations;
}

} // namespace tenon
