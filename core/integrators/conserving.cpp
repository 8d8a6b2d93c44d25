// Formulation B: augmented Lagrangian that conserves energy (Dopico et al. 2007, section 4).
//
// Mid-point rule with discrete gradients of constraints and potentials: q_{n+1} = q_n + h/2 (v_n + v_{n+1}), reactions do
// no work because J_m (q_{n+1} - q_n) = Phi_{n+1} - Phi_n = 0. Energy is kept to the tolerance of the iteration.
// Velocities satisfy their constraints at mid-step, not at the nodes. Order 2.

#include "core/integrators/augmented_lagrangian_step.hpp"
#include "core/integrators/integrator.hpp"

#include <memory>

namespace tenon {

namespace {

class Conserving final : public Integrator {
  public:
    explicit Conserving(const Settings& settings)
        : step_(settings.number("penalty"), settings.tolerance, Exactness::tolerance) {}

    bool implicit() const override { return true; }
    void attach(const Face& face) override { step_.attach(*face.residuals); }
    void start(State& state) override { step_.start(state); }
    int step(State& state, double h) override { return step_.midpoint(state, h); }
    bool bound_iterations(int most) override {
        step_.bound_iterations(most);
        return true;
    }
    double unconverged() const override { return step_.unconverged(); }

  private:
    AugmentedLagrangianStep step_;
};

} // namespace

std::unique_ptr<Integrator> make_conserving(const Settings& settings) {
    return std::make_unique<Conserving>(settings);
}

} // namespace tenon
