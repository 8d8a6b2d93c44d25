// Formulation A: augmented Lagrangian of index 3, trapezoidal rule, projections (Dopico et al. 2007, section 3).
//
// Every step: trapezoidal() to the tolerance, then velocities and accelerations are projected onto their constraints in
// the metric P = 4/h^2 M + 2/h C + K (`metric` = tangent; mass: P = 4/h^2 M) at the new positions. `projections` = 1 is the
// paper's single projection, which reduces the violation by 1 / (1 + penalty); repeated with an accumulated multiplier it
// becomes round-off. Damps slightly; order 2; redundant constraints are harmless. Energy has no bound where a stiff spring
// is excited and the step does not resolve it: the trapezoidal rule is not energy-stable in large rotations.

#include "core/integrators/augmented_lagrangian_step.hpp"
#include "core/integrators/integrator.hpp"

#include <cmath>
#include <memory>

namespace tenon {

namespace {

class Projection final : public Integrator {
  public:
    explicit Projection(const Settings& settings)
        : step_(settings.number("penalty"), settings.tolerance, Exactness::tolerance,
                projection_metric(settings.word("metric"))),
          most_(static_cast<int>(std::lround(settings.number("projections")))) {}

    bool implicit() const override { return true; }
    void attach(const Face& face) override { step_.attach(*face.residuals); }
    void start(State& state) override { step_.start(state); }
    int step(State& state, double h) override {
        const int iterations = step_.trapezoidal(state, h);
        step_.project(state, h, most_, true);
        return iterations;
    }
    bool bound_iterations(int most) override {
        step_.bound_iterations(most);
        return true;
    }
    double unconverged() const override { return step_.unconverged(); }

  private:
    AugmentedLagrangianStep step_;
    int most_;
};

} // namespace

std::unique_ptr<Integrator> make_projection(const Settings& settings) {
    return std::make_unique<Projection>(settings);
}

} // namespace tenon
