#pragma once
// The classical Runge-Kutta method on q0 (+) u, v, and the work of what is not conservative:
//
//    0  |
//   1/2 | 1/2
//   1/2 |  0   1/2
//    1  |  0    0    1
//   ----+--------------------
//       | 1/6  1/3  1/3  1/6        order 4; with u' from dexp^-1 it is Munthe-Kaas' method on a Lie group
//
// The first stage is the state's own acceleration, found at the end of the step before.

#include "core/equations/explicit_equations.hpp"
#include "core/equations/state.hpp"

namespace tenon {

/// Derivatives at a stage.
struct Stage {
    Vector ud, a;
    double power = 0;
};

class RungeKutta4 {
  public:
    void allocate(const ExplicitSizes& sizes);

    /// `derivative(t, q, u, v, stage)` fills the stage. Advances q, v, work and time of the state; a and lambda are
    /// left to the caller.
    template <class Derivative>
    void step(const ExplicitEquations& equations, State& state, double h, Derivative&& derivative) {
        static constexpr double c[4] = {0, 0.5, 0.5, 1};
        static constexpr double b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
        sum_u_.setZero();
        sum_v_.setZero();
        double work = 0;
        for (int i = 0; i < 4; ++i) {
            if (i == 0) {
                u_.setZero();
                q_ = state.q;
                v_ = state.v;
            } else {
                u_ = (c[i] * h) * stage_.ud;
                equations.displace(state.q, u_, q_);
                v_ = state.v + (c[i] * h) * stage_.a;
            }
            derivative(state.time + c[i] * h, q_, u_, v_, stage_, i);
            sum_u_ += (b[i] * h) * stage_.ud;
            sum_v_ += (b[i] * h) * stage_.a;
            work += b[i] * h * stage_.power;
        }
        equations.displace(state.q, sum_u_, q_);
        state.q = q_;
        state.v += sum_v_;
        state.work += work;
        state.time += h;
    }

  private:
    Stage stage_;
    Vector u_, q_, v_, sum_u_, sum_v_;
};

} // namespace tenon
