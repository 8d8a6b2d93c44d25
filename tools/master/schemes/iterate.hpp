#pragma once
// Iteration: inputs and outputs agree at the end of the step. Loops of participants repeat their step, rolled back each
// time, until
//
//     u(t + h) = W y(t + h; u)
//
// within the tolerance; by fixed-point iteration or Broyden's method. Participants on no loop step once, in the order of
// the connections. Inputs are curves through the value at the end: error of order k + 1 with order k, and outputs that
// have feedthrough fit together at every communication point.

#include "tools/master/ensemble.hpp"
#include "tools/master/schemes/quasi_newton.hpp"

#include <vector>

namespace tenon::master {

class Iterate final : public Scheme {
  public:
    explicit Iterate(Ensemble& ensemble);

    Outcome advance(double t, double h) override;
    bool forget() override;
    void write(ByteWriter& bytes) const override;
    void read(ByteReader& bytes) override;

    /// Participants on loops without rollback.
    static std::vector<std::size_t> stuck(const Ensemble& ensemble);

  private:
    struct Part {
        std::vector<std::size_t> members; ///< participants
        bool loop = false;
        std::vector<std::size_t> inputs; ///< all their float64 inputs
        std::vector<std::size_t>
            slots; ///< those that come from within the loop by a float64 wire: the unknowns
        QuasiNewton newton{0};
        std::vector<double> x, residual; ///< divided by the nominal values
    };

    unsigned solve(Part& part, double t, double h, Failure& failure);
    bool collect_inputs(const Part& part, Failure& failure, bool* changed);
    bool has_converged(Part& part, Failure& failure) const;
    void improve(Part& part);
    unsigned step(const Part& part, double t, double h);

    Ensemble& ensemble_;
    std::vector<Part> parts_;
    std::vector<double> ends_, fresh_; ///< inputs at the end of the step: assumed, and what the outputs give
    std::vector<char> feeds_through_;
    double tolerance_;
    int most_iterations_;
    bool quasi_newton_;
};

} // namespace tenon::master
