// Baumgarte's stabilisation, for comparison (Braun and Goldfarb compare with it; its result depends on the gain).
//
//   M v' = Q + G^T lambda,   G v' = -bias - 2 gain (G v + Phi_t) - gain^2 Phi          classical Runge-Kutta, order 4
//
// Both roots of the violation are at -gain: the default 1/h damps it in a few steps and is at the edge of what the
// explicit method bears; a gain that fits the machine is the user's to find. Nothing is conserved.

#include "core/integrators/integrator.hpp"
#include "core/integrators/manifold_projection.hpp"
#include "core/integrators/runge_kutta.hpp"

#include <cmath>
#include <memory>

namespace tenon {

namespace {

class Baumgarte final : public Integrator {
  public:
    explicit Baumgarte(const Settings& settings) : gain_(settings.number("gain")), step_(settings.step) {}

    bool implicit() const override { return false; }

    void attach(const Face& face) override {
        equations_ = face.rates;
        const ExplicitSizes sizes = equations_->sizes();
        rk_.allocate(sizes);
        projection_.allocate(sizes);
        rhs_ = lambda_ = Vector::Zero(sizes.rows);
        zero_ = Vector::Zero(sizes.v);
        if (std::isnan(gain_))
            gain_ = 1 / step_;
    }

    void start(State& state) override {
        state.a.setZero(equations_->sizes().v);
        state.lambda.setZero(equations_->sizes().rows);
        projection_.accelerations(*equations_, state, true);
    }

    int step(State& state, double h) override {
        ExplicitEquations& eq = *equations_;
        rk_.step(eq, state, h,
                 [&](double t, const Vector& q, const Vector& u, const Vector& v, Stage& stage, int) {
                     eq.rate(q, u, v, stage.ud);
                     eq.evaluate(t, q, v);
                     eq.factor(Metric::mass);
                     rhs_ = -eq.bias() - (2 * gain_) * eq.velocity_residual() -
                            (gain_ * gain_) * eq.position_residual();
                     eq.solve(eq.force(), rhs_, stage.a, lambda_);
                     stage.power = eq.power(lambda_);
                 });
        eq.correct(state.q, zero_);
        projection_.accelerations(eq, state, true);
        return 1;
    }

  private:
    double gain_, step_;
    ExplicitEquations* equations_ = nullptr;
    RungeKutta4 rk_;
    ManifoldProjection projection_;
    Vector rhs_, lambda_, zero_;
};

} // namespace

std::unique_ptr<Integrator> make_baumgarte(const Settings& settings) {
    return std::make_unique<Baumgarte>(settings);
}

} // namespace tenon
