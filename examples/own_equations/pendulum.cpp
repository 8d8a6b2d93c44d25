// Your own equations of motion with the integrators of Tenon: docs/own-equations.md explains this file.
// From the root of the source tree, after make build TARGET=tenon_simulation:
//
//   g++ -std=c++20 -O2 -I. -I/usr/include/eigen3 examples/own_equations/pendulum.cpp build/release/libtenon_{simulation,integrators,equations,model,math}.a -o build/pendulum
//   build/pendulum pendulum energy-preserving 0.01
//   build/pendulum cart explicit-correction 0.01

#include "core/equations/own_equations.hpp"
#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/simulation/stepper.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

using tenon::Matrix;
using tenon::Vector;

namespace {

constexpr double g = 9.81;

/// A point of 1 kg on a massless rod of 1 m, q = (x, y):   M = 1,   V = g y,   Phi = (x^2 + y^2 - 1) / 2.
class Pendulum : public tenon::OwnEquations {
  public:
    int coordinates() const override { return 2; }
    int rows() const override { return 1; }
    std::string row_name(int) const override { return "the rod"; }
    void mass(const Vector&, Matrix& m) const override { m.setIdentity(); }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override { return g * q(1); }
    void gradient(const Vector&, Vector& out) const override { out(1) = g; }
    void constraint(double, const Vector& q, Vector& phi) const override { phi(0) = (q.dot(q) - 1) / 2; }
    void jacobian(double, const Vector& q, Matrix& out) const override { out = q.transpose(); }
    void bias(double, const Vector&, const Vector& v, Vector& out) const override { out(0) = v.dot(v); }
    bool quadratic_rows() const override { return true; }
    bool quadratic_potential() const override { return true; }
};

/// A cart of 2 kg on a rail with the same pendulum below it, q = (x, phi):
///   M = [3, cos phi; cos phi, 1],   V = -g cos phi,   F = dT/dq - M' v = (sin phi phi'^2, 0).
/// Nothing else is given: the gradient of V comes from differences.
class Cart : public tenon::OwnEquations {
  public:
    int coordinates() const override { return 2; }
    void mass(const Vector& q, Matrix& m) const override { m << 3, std::cos(q(1)), std::cos(q(1)), 1; }
    void force(double, const Vector& q, const Vector& v, Vector& f) const override {
        f(0) = std::sin(q(1)) * v(1) * v(1);
    }
    double potential(const Vector& q) const override { return -g * std::cos(q(1)); }
};

/// The stepper asks who keeps what evaluation remembers; own equations remember nothing.
struct Follower : tenon::StateFollower {
    explicit Follower(const tenon::OwnEquations& equations) : own(equations) {}
    void accept(tenon::State&) override {}
    void remember(const tenon::State&) override {}
    std::string row_name(int row) const override { return own.row_name(row); }
    const tenon::OwnEquations& own;
};

void run(const tenon::OwnEquations& own, const Vector& q, const Vector& v, const std::string& name,
         double h) {
    tenon::SolverSettings given;
    given.integrator = name;
    given.step = h;
    const tenon::Settings settings = tenon::resolve_settings(given); // checks the name and the options
    const auto integrator = tenon::find_integrator(name)->make(settings);

    // One of the two faces, whichever the method works on.
    std::unique_ptr<tenon::OwnRates> rates;
    std::unique_ptr<tenon::OwnResiduals> residuals;
    if (integrator->implicit())
        residuals = std::make_unique<tenon::OwnResiduals>(own);
    else
        rates = std::make_unique<tenon::OwnRates>(own);
    integrator->attach({rates.get(), residuals.get()});

    tenon::State state;
    state.q = q;
    state.v = v;
    integrator->start(state);

    tenon::OwnRates look(own); // to see energy and violation, whatever the method
    double start = 0;
    tenon::Stepper stepper;
    Follower follower(own);
    int halvings = 0;
    for (int i = 0; i <= 5; ++i) {
        look.evaluate(state.time, state.q, state.v);
        const double energy = look.kinetic() + look.potential();
        start = i == 0 ? energy : start;
        const double gap = own.rows() == 0 ? 0.0 : look.position_residual().cwiseAbs().maxCoeff();
        std::printf("t = %.1f   q = (%+.6f, %+.6f)   E - E0 = %+.1e J   |Phi| = %.1e\n", state.time,
                    state.q(0), state.q(1), energy - start, gap);
        for (long n = std::lround(1 / h); i < 5 && n > 0; --n)
            stepper.step(*integrator, state, h, halvings, follower); // shorter steps inside where it must
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::string system = argc > 1 ? argv[1] : "pendulum";
    const std::string integrator = argc > 2 ? argv[2] : "energy-preserving";
    const double h = argc > 3 ? std::atof(argv[3]) : 0.01;
    try {
        if (system == "cart")
            run(Cart(), Vector{{0, 1.5}}, Vector::Zero(2), integrator, h);
        else
            run(Pendulum(), Vector{{1, 0}}, Vector::Zero(2), integrator, h);
    } catch (const tenon::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
