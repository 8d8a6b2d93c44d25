// Self-stabilised energy-preserving scheme (Bauchau 2003).
//
//   M (v_f - v_i) / h + J_m^T lambda_m = Q_m,   (u_f - u_i) / h = (v_f + v_i) / 2,   Phi(u_f, t_f) = 0
//   J_m (u_f - u_i) = Phi_f - Phi_i exactly (discrete gradient)
//
// The same equations as `conserving` with exact multipliers: the sweeps go on until constraints and increments are
// round-off, and so are energy, momenta and the work balance with drivers, E_f = E_i + W - lambda_m (p_f - p_i).
// Erratum: at the nodes the velocity constraint alternates with amplitude O(h^2), so lambda_m itself is only of first
// order; the multipliers offered as results come from the acceleration constraint with projected velocities, order 2.

#include "core/integrators/augmented_lagrangian_step.hpp"
#include "core/integrators/integrator.hpp"

#include <cmath>
#include <memory>

namespace tenon {

namespace {

class EnergyPreserving final : public Integrator {
  public:
    explicit EnergyPreserving(const Settings& settings)
        : step_(std::nan(""), settings.tolerance, Exactness::round_off) {}

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

std::unique_ptr<Integrator> make_energy_preserving(const Settings& settings) {
    return std::make_unique<EnergyPreserving>(settings);
}

} // namespace tenon
