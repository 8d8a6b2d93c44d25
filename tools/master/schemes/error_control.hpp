#pragma once
// Steps with an error estimate, by step doubling: each step is made once whole and once as two halves; where y1 and y2 are
// the outputs at its end, a scheme of order p has
//
//     y(t + h) - y2 = (y2 - y1) / (2^p - 1) + ...
//
// The halves are what the run goes on with. E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
// section II.4.

#include "tools/master/ensemble.hpp"

#include <vector>

namespace tenon::master {

/// What errors of connected float64 outputs are measured by, by slot of Signals::next; 0 for slots that are none.
std::vector<double> output_nominals(const Ensemble& ensemble);

class ErrorControl final : public Scheme {
  public:
    ErrorControl(Ensemble& ensemble, Scheme& scheme);

    /// Outcome::error is the largest estimate of a connected output, relative to the tolerance times the larger of
    /// its value and its nominal value. Above 1 the outputs of now are untouched and the states are to be restored.
    Outcome advance(double t, double h) override;
    bool estimates_error() const override { return true; }
    bool forget() override { return scheme_.forget(); }
    void write(ByteWriter& bytes) const override { scheme_.write(bytes); }
    void read(ByteReader& bytes) override { scheme_.read(bytes); }

    /// The step that would have met the tolerance with a safe distance, after one of size h with this error.
    double better_step(double h, double error) const override;

  private:
    Outcome halves(double t, double h);
    double estimate() const;

    Ensemble& ensemble_;
    Scheme& scheme_;
    int order_;
    double tolerance_;
    std::vector<double> before_, whole_, nominal_;
};

} // namespace tenon::master
