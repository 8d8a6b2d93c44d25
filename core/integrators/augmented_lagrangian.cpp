// Augmented Lagrangian of index 3 with the trapezoidal rule and nothing else (Dopico et al. 2007, section 2).
//
// Positions satisfy the constraints, velocities and accelerations do not: their violation grows, energy drifts, and on
// the paper's pendulum at 25 ms Newton's method fails after 5.1 s. Kept to show just that. Order 2.

#include "core/integrators/augmented_lagrangian_step.hpp"
#include "core/integrators/integrator.hpp"

#include <memory>

namespace tenon {

namespace {

class AugmentedLagrangian final : public Integrator {
  public:
    explicit AugmentedLagrangian(const Settings& settings)
        : step_(settings.number("penalty"), settings.tolerance, Exactness::tolerance) {}

    bool implicit() const override { return true; }
    bool projects_results() const override { return false; }
    void attach(const Face& face) override { step_.attach(*face.residuals); }
    void start(State& state) override { step_.start(state); }
    int step(State& state, double h) override { return step_.trapezoidal(state, h); }
    bool bound_iterations(int most) override {
        step_.bound_iterations(most);
        return true;
    }
    double unconverged() const override { return step_.unconverged(); }

  private:
    AugmentedLagrangianStep step_;
};

} // namespace

std::unique_ptr<Integrator> make_augmented_lagrangian(const Settings& settings) {
    return std::make_unique<AugmentedLagrangian>(settings);
}

} // namespace tenon
