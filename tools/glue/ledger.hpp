#pragma once
// Work through the joints: what each side of a joint has got from it. An ideal joint's two sides sum to zero (a driven one's to
// the driver's work), so the sum is what the master has put in or taken out by mistake.
//
//     W_side += integral over the step of (f . v + t . w) dt
//
// from the port's own `aux.work` where the FMU has one (exact, its own quadrature), otherwise by quadrature of the wrench curve
// against the cubic Hermite interpolation of the port's motion; which one it is is part of the report.

#include "tools/glue/wrench.hpp"

#include <vector>

namespace tenon::glue {

struct JointWork {
    double a = 0, b = 0;     ///< J, done on each side through the joint since the start
    double residual = 0;     ///< a + b - driver's work, since the start
    double largest_step = 0; ///< largest |residual| of one macro step
    bool measured_a = false,
         measured_b = false; ///< by the FMU's own aux.work (only where the port has this joint alone)
};

/// Work of a wrench curve along a motion, both over the same step of length h.
double work_over_step(const WrenchCurve& wrench, const PortMotion& begin, const PortMotion& end, double h);

class Ledger {
  public:
    explicit Ledger(std::size_t joints);
    const std::vector<JointWork>& joints() const { return joints_; }
    /// An accepted step of joint j: work on its sides and by its driver.
    void add(std::size_t joint, double work_a, double work_b, double driver);
    void set_measured(std::size_t joint, bool a, bool b);
    /// For checkpoints.
    std::vector<JointWork>& joints() { return joints_; }

  private:
    std::vector<JointWork> joints_;
};

} // namespace tenon::glue
