#pragma once
// Jacobi: all participants step at the same time, each with the others' outputs at the step's start,
//
//     x_i(t + h) = step_i(x_i(t), u_i),   u_i = curve through W_i y(t), W_i y(t - h), ...
//
// Error of order k + 1 with curves of order k. The only scheme whose steps are all independent, hence the one for threads.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

class Jacobi final : public Scheme {
  public:
    explicit Jacobi(Ensemble& ensemble) : ensemble_(ensemble) {}

    Outcome advance(double t, double h) override;

  private:
    Outcome with_constants(double t, double h);

    Ensemble& ensemble_;
};

} // namespace tenon::master
