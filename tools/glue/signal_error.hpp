#pragma once
// The error that a step of a glued system makes in its signals, by step doubling as in master/schemes/error_control.hpp. The joints'
// own estimate does not see it: inputs are held, or extrapolated, from the step's start. With y1 after the step and y2 after its two
// halves, a step along inputs of order p - 1 has
//
//     y(t + h) - y1 = 2^p / (2^p - 1) (y2 - y1) + ...
//
// The run goes on with y1, since it is the whole step in which the joints are closed and the books are kept.

#include "tools/glue/glued_fmu.hpp"

#include <memory>
#include <vector>

namespace tenon::glue {

class SignalError {
  public:
    SignalError(const master::Ensemble& ensemble, const std::vector<std::unique_ptr<GluedFmu>>& fmus);

    /// No float64 variables are connected: there is nothing to estimate.
    bool is_empty() const { return fmus_.empty() && !has_outputs_; }
    /// After the two halves of a step.
    void note_halves();
    void forget_halves() { is_known_ = false; }
    /// After the same step of length h in one piece: the largest error of a connected output, relative to the tolerance times the larger
    /// of its value and its nominal value, or of a port of an FMU with connected inputs, as a length relative to twice the tolerance as
    /// in the estimate for joints. 0 where the halves were not made.
    double estimate(double h) const;

  private:
    double ports_error(double h) const;

    const master::Ensemble& ensemble_;
    std::vector<const GluedFmu*> fmus_; ///< those with connected inputs
    std::vector<double> halves_;        ///< outputs
    std::vector<double> nominal_;       ///< of outputs; 0 for slots that are none
    std::vector<PortMotion> ports_;     ///< of `fmus_` one after the other, after the halves
    bool has_outputs_ = false, is_known_ = false;
};

} // namespace tenon::glue
