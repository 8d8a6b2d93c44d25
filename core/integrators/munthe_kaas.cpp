// Munthe-Kaas Runge-Kutta method for constrained systems on a Lie group (Terze, Zlatar, Mueller 2014).
//
// Stage i:   u_i = h sum a_ij u'_j,  q_i = q0 o exp(u_i),  v_i = v0 + h sum a_ij v'_j
//            M v' = Q + G^T lambda,  G v' = -bias          at (t_i, q_i, v_i)
//            u' = dexp^-1_u (v) = v + 1/2 u x v + 1/12 u x (u x v)
// Step:      q = q0 o exp(h sum b_i u'_i),  v = v0 + h sum b_i v'_i           order 4
//
// stabilisation, after the step:
//   none        the constraints drift like h^4
//   nonlinear   q to the nearest point of the constraints in the mass metric (Newton, as a rule one iteration),
//               then v likewise                                                               |Phi|, |G v| round-off
//   linear      one correction of q and of v, all coordinates alike
// The sign of the term 1/2 u x v belongs to body angular velocities; the paper prints the other one.

#include "core/integrators/integrator.hpp"
#include "core/integrators/manifold_projection.hpp"
#include "core/integrators/runge_kutta.hpp"

#include <algorithm>
#include <memory>

namespace tenon {

namespace {

class MuntheKaas final : public Integrator {
  public:
    explicit MuntheKaas(const Settings& settings)
        : stabilisation_(settings.word("stabilisation")), tolerance_(settings.tolerance) {}

    bool implicit() const override { return false; }

    void attach(const Face& face) override {
        equations_ = face.rates;
        const ExplicitSizes sizes = equations_->sizes();
        rk_.allocate(sizes);
        projection_.allocate(sizes);
        rhs_ = lambda_ = Vector::Zero(sizes.rows);
    }

    void start(State& state) override {
        state.a.setZero(equations_->sizes().v);
        state.lambda.setZero(equations_->sizes().rows);
        projection_.accelerations(*equations_, state, true);
    }

    int step(State& state, double h) override {
        ExplicitEquations& eq = *equations_;
        rk_.step(eq, state, h,
                 [&](double t, const Vector& q, const Vector& u, const Vector& v, Stage& stage, int i) {
                     eq.rate(q, u, v, stage.ud);
                     if (i == 0) {
                         stage.a = state.a;
                         stage.power = state.power;
                         return;
                     }
                     eq.evaluate(t, q, v);
                     eq.factor(Metric::mass);
                     rhs_ = -eq.bias();
                     eq.solve(eq.force(), rhs_, stage.a, lambda_);
                     stage.power = eq.power(lambda_);
                 });
        int iterations = 1;
        const bool project = stabilisation_ != "none";
        if (project) {
            const bool linear = stabilisation_ == "linear";
            const Metric metric = linear ? Metric::unit : Metric::mass;
            iterations = projection_.positions(eq, state.time, state.q, state.v, metric, linear ? 1 : 10,
                                               linear ? 0 : 1e-12, linear ? 1e300 : tolerance_);
            projection_.velocities(eq, state.v, metric);
        }
        projection_.accelerations(eq, state, stabilisation_ != "nonlinear");
        return std::max(iterations, 1);
    }

  private:
    std::string stabilisation_;
    double tolerance_;
    ExplicitEquations* equations_ = nullptr;
    RungeKutta4 rk_;
    ManifoldProjection projection_;
    Vector rhs_, lambda_;
};

} // namespace

std::unique_ptr<Integrator> make_munthe_kaas(const Settings& settings) {
    return std::make_unique<MuntheKaas>(settings);
}

} // namespace tenon
