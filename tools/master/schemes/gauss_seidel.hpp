#pragma once
// Gauss-Seidel: the participants step one after the other, in the order of the system. Each gets the outputs at the end of
// the step of those before it, and at the start of those behind it:
//
//     u_i = curve through W_ij y_j(t + h), W_ij y_j(t), ...   for j < i    (order 0: the value at the end)
//           curve through W_ij y_j(t), W_ij y_j(t - h), ...   for j >= i
//
// The same order as Jacobi, with a smaller error and more stability where the order suits the system.

#include "tools/master/ensemble.hpp"

namespace tenon::master {

class GaussSeidel final : public Scheme {
  public:
    explicit GaussSeidel(Ensemble& ensemble);

    Outcome advance(double t, double h) override;

  private:
    Outcome with_constants(double t, double h);
    unsigned along_curve(Participant& participant, double t, double h);

    Ensemble& ensemble_;
    std::vector<std::vector<std::size_t>>
        known_;                ///< for each participant the inputs that come from those before it
    std::vector<double> ends_; ///< inputs at the end of the step, where they are known
};

} // namespace tenon::master
