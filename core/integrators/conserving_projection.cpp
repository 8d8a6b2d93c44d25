// Formulation A + B: the conserving step, then the velocity projection (Dopico et al. 2007, section 5).
//
// With `metric` = mass the projection can only take energy out: |v|_M^2 = |v*|_M^2 - |v - v*|_M^2 with springs or without.
// With the paper's P, which has springs and dampers in it, it may put energy in. The step itself never reads accelerations. Order 2, more accurate than A at the
// same step on the paper's examples.

#include "core/integrators/augmented_lagrangian_step.hpp"
#include "core/integrators/integrator.hpp"

#include <cmath>
#include <memory>

namespace tenon {

namespace {

class ConservingProjection final : public Integrator {
  public:
    explicit ConservingProjection(const Settings& settings)
        : step_(settings.number("penalty"), settings.tolerance, Exactness::tolerance,
                projection_metric(settings.word("metric"))),
          most_(static_cast<int>(std::lround(settings.number("projections")))) {}

    bool implicit() const override { return true; }
    void attach(const Face& face) override { step_.attach(*face.residuals); }
    void start(State& state) override { step_.start(state); }
    int step(State& state, double h) override {
        const int iterations = step_.midpoint(state, h);
        step_.project(state, h, most_, false);
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

std::unique_ptr<Integrator> make_conserving_projection(const Settings& settings) {
    return std::make_unique<ConservingProjection>(settings);
}

} // namespace tenon
