// The faces of a user's own equations, checked on every paper's system at points off the constraints.
#include "core/equations/own_equations.hpp"
#include "core/math/error.hpp"
#include "tests/systems/braun_goldfarb.hpp"
#include "tests/systems/compound_pendulum.hpp"
#include "tests/systems/director_body.hpp"
#include "tests/systems/parallel_four_bar.hpp"
#include "tests/systems/rolling_disc.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <random>

using namespace tenon;
using namespace tenon::systems;

namespace {

struct Case {
    std::string name;
    std::unique_ptr<OwnEquations> own;
    Vector q, v;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const std::string& name, std::unique_ptr<OwnEquations> own, const Vector& q,
                         const Vector& v) {
        all.push_back({name, std::move(own), q, v});
    };
    using Pendulum = CompoundPendulum;
    add("pendulum lin", std::make_unique<Pendulum>(Pendulum::Rows::lin), Pendulum::start_q(),
        Pendulum::start_v());
    add("pendulum cross", std::make_unique<Pendulum>(Pendulum::Rows::cross), Pendulum::start_q(),
        Pendulum::start_v());
    add("free body", std::make_unique<FreeDirectorBody>(), FreeDirectorBody::start_q(),
        FreeDirectorBody::start_v());
    add("universal joint", std::make_unique<UniversalDirectorBody>(), UniversalDirectorBody::start_q(),
        UniversalDirectorBody::start_v());
    add("rolling disc", std::make_unique<RollingDisc>(), RollingDisc::start_q(), RollingDisc::start_v());
    add("four-bar, relative", std::make_unique<RelativeFourBar>(), RelativeFourBar::exact_q(0.7),
        RelativeFourBar::exact_v(0.7));
    add("four-bar, Cartesian", std::make_unique<CartesianFourBar>(), CartesianFourBar::exact_q(0.7),
        CartesianFourBar::exact_v(0.7));
    add("slider-crank", std::make_unique<SliderCrank>(), SliderCrank::start_q(), SliderCrank::start_v());
    add("double four-bar", std::make_unique<DoubleFourBar>(), DoubleFourBar::start_q(),
        DoubleFourBar::start_v());
    add("double four-bar, rows repeated", std::make_unique<DoubleFourBar>(true), DoubleFourBar::start_q(),
        DoubleFourBar::start_v());
    return all;
}

// Away from all special points, but the same in every run.
Vector shaken(const Vector& x, unsigned seed, double by) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-by, by);
    Vector y = x;
    for (Eigen::Index i = 0; i < y.size(); ++i)
        y(i) += uniform(generator);
    return y;
}

Vector phi_of(const OwnEquations& own, double t, const Vector& q) {
    Vector phi = Vector::Zero(own.rows());
    own.constraint(t, q, phi);
    return phi;
}

Matrix jacobian_of(const OwnEquations& own, double t, const Vector& q) {
    Matrix g = Matrix::Zero(own.rows(), own.coordinates());
    own.jacobian(t, q, g);
    return g;
}

double lagrangian_kinetic(const OwnEquations& own, const Vector& q, const Vector& v) {
    Matrix m = Matrix::Zero(own.coordinates(), own.coordinates());
    own.mass(q, m);
    return 0.5 * v.dot(m * v);
}

} // namespace

TEST_CASE("derivatives that own equations give agree with differences of what they are derivatives of") {
    for (const Case& c : cases()) {
        INFO(c.name);
        const OwnEquations& own = *c.own;
        const double t = 0.7, s = 1e-5;
        const Vector q = shaken(c.q, 1, 0.2), v = shaken(c.v, 2, 1.0);
        const int n = own.coordinates(), m = own.rows();
        Matrix g = jacobian_of(own, t, q);
        Vector gradient = Vector::Zero(n);
        own.gradient(q, gradient);
        for (int i = 0; i < n; ++i) {
            const Vector ds = s * Vector::Unit(n, i);
            const Vector column = (phi_of(own, t, q + ds) - phi_of(own, t, q - ds)) / (2 * s);
            for (int row = 0; row < m; ++row)
                if (own.holonomic(row))
                    CHECK(g(row, i) == Approx(column(row)).margin(1e-8));
            CHECK(gradient(i) ==
                  Approx((own.potential(q + ds) - own.potential(q - ds)) / (2 * s)).margin(1e-8));
        }
        Vector given = Vector::Zero(m), differences = Vector::Zero(m);
        own.bias(t, q, v, given);
        own.OwnEquations::bias(t, q, v, differences);
        CHECK((given - differences).norm() < 1e-7 * (1 + v.squaredNorm()));
        if (own.rheonomic()) {
            given.setZero();
            differences.setZero();
            own.constraint_rate(t, q, given);
            own.OwnEquations::constraint_rate(t, q, differences);
            CHECK((given - differences).norm() < 1e-9);
        }
        CHECK(own.power(t, q, v) == Approx(own.OwnEquations::power(t, q, v)).margin(1e-6));
    }
}

TEST_CASE("inertial forces of own equations are those of Lagrange") {
    // d/dt dT/dv - dT/dq = M v' + (M' v - dT/dq); the bracket is what force() must take away.
    for (const Case& c : cases()) {
        if (c.own->constant_mass())
            continue;
        INFO(c.name);
        const OwnEquations& own = *c.own;
        const int n = own.coordinates();
        const double s = 1e-5;
        const Vector q = shaken(c.q, 3, 0.3), v = shaken(c.v, 4, 1.0);
        Matrix above = Matrix::Zero(n, n), below = above;
        own.mass(q + s * v, above);
        own.mass(q - s * v, below);
        Vector expected = -(above - below) * v / (2 * s);
        for (int i = 0; i < n; ++i) {
            const Vector ds = s * Vector::Unit(n, i);
            expected(i) +=
                (lagrangian_kinetic(own, q + ds, v) - lagrangian_kinetic(own, q - ds, v)) / (2 * s);
        }
        Vector given = Vector::Zero(n);
        own.force(0, q, v, given); // at t = 0 the four-bar's torque is zero
        CHECK((given - expected).norm() < 1e-7 * (1 + expected.norm()));
    }
}

TEST_CASE("start values of the papers' systems satisfy their constraints") {
    for (const Case& c : cases()) {
        INFO(c.name);
        OwnRates rates(*c.own);
        const double t = c.name.find("four-bar,") == 0 ? 0.7 : 0.0;
        rates.evaluate_rows(t, c.q, c.v);
        CHECK(rates.position_residual().norm() < 1e-14);
        CHECK(rates.velocity_residual().norm() < 1e-14);
    }
}

TEST_CASE("discrete gradients of own equations reproduce differences of constraints and energy exactly") {
    for (const Case& c : cases()) {
        if (!c.own->constant_mass())
            continue;
        INFO(c.name);
        OwnResiduals residuals(*c.own);
        const double t0 = 0.3, t1 = c.own->rheonomic() ? 0.4 : 0.35;
        const Vector q0 = shaken(c.q, 5, 0.2), q1 = shaken(q0, 6, 0.1), d = q1 - q0;
        residuals.evaluate_between(t0, q0, t1, q1);
        Vector moved(residuals.rows());
        residuals.row_times(d, moved);
        // The part that time itself moves, Phi(t1, q) - Phi(t0, q) as the mean over both ends.
        const OwnEquations& own = *c.own;
        const Vector by_time =
            0.5 * (phi_of(own, t1, q1) - phi_of(own, t0, q1) + phi_of(own, t1, q0) - phi_of(own, t0, q0));
        CHECK((moved + by_time - (phi_of(own, t1, q1) - phi_of(own, t0, q0))).norm() < 1e-14);
        CHECK((residuals.row_value() - phi_of(own, t1, q1)).norm() == 0);
        const double work = residuals.work_between(Vector::Zero(residuals.rows()));
        const double fall = own.potential(q0) - own.potential(q1);
        CHECK(residuals.force().dot(d) == Approx(work + fall).margin(1e-13));
        const Vector mu = Vector::LinSpaced(residuals.rows(), 1, 2);
        CHECK(residuals.work_between(mu) - work == Approx(mu.dot(by_time)).margin(1e-13));
        // A step of no length is the end-point form.
        residuals.evaluate_between(t0, q0, t0 + 1e-3, q0);
        CHECK(residuals.force().allFinite());
    }
}

TEST_CASE(
    "forces and rows of own equations in the energy-decaying scheme do the work that its balance needs") {
    for (const Case& c : cases()) {
        if (!c.own->constant_mass())
            continue;
        INFO(c.name);
        const OwnEquations& own = *c.own;
        OwnResiduals residuals(own);
        const double t0 = 0.3, t1 = 0.4, alpha = 0.7;
        const Vector q0 = shaken(c.q, 5, 0.2), qj = shaken(q0, 6, 0.1), q1 = shaken(q0, 7, 0.1);
        const Vector v = shaken(c.v, 8, 0.1), d = q1 - q0, dj = qj - q0;
        residuals.evaluate_decaying(t0, q0, v, qj, 1.1 * v, t1, q1, 0.9 * v, alpha);
        const Vector none = Vector::Zero(residuals.rows()), mu = Vector::LinSpaced(residuals.rows(), 1, 2);

        // Of all but the reactions: work of F, fall of V, less the loss.
        Vector before = Vector::Zero(d.size()), after = before;
        own.gradient(q0, before);
        own.gradient(qj, after);
        const double loss = 0.5 * alpha * dj.dot(after - before);
        const double done = d.dot(residuals.force()) + 3 * dj.dot(residuals.inner_force());
        const double work = residuals.work_decaying(none);
        CHECK(done == Approx(work + own.potential(q0) - own.potential(q1) - loss).margin(1e-12));

        // Of the reactions J_g^T mu and -1/3 (J_g - J_h)^T mu: mu (Phi_f - Phi_i), less what time does.
        Vector g = Vector::Zero(d.size()), inner = g;
        residuals.add_reaction(mu, g);
        residuals.add_inner_reaction(mu, inner);
        const double by_time = residuals.work_decaying(mu) - work;
        const double rise = mu.dot(phi_of(own, t1, q1) - phi_of(own, t0, q0));
        CHECK(d.dot(g) - dj.dot(inner) == Approx(rise - by_time).margin(1e-12));
        if (!own.rheonomic())
            CHECK(by_time == 0);
    }
}

namespace {

// Nothing is quadratic, and every tangent comes from differences.
class Strange : public OwnEquations {
  public:
    int coordinates() const override { return 2; }
    int rows() const override { return 1; }
    void mass(const Vector&, Matrix& m) const override { m << 2, 0.5, 0.5, 1; }
    bool constant_mass() const override { return true; }
    void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
        f << -q(0) * v(0) + t, -0.3 * v(1) + std::sin(q(1)) * v(0);
    }
    double potential(const Vector& q) const override { return std::cos(q(0)) * std::exp(q(1)); }
    void constraint(double t, const Vector& q, Vector& phi) const override {
        phi(0) = std::sin(q(0) * q(1)) - t * t;
    }
    void jacobian(double, const Vector& q, Matrix& g) const override {
        g << q(1) * std::cos(q(0) * q(1)), q(0) * std::cos(q(0) * q(1));
    }
    bool rheonomic() const override { return true; }
};

} // namespace

TEST_CASE(
    "the iteration matrix of own equations is mass, damping, stiffness and penalty, also from differences") {
    Strange own;
    OwnResiduals residuals(own);
    const Vector q = Eigen::Vector2d(0.4, 0.7), v = Eigen::Vector2d(0.3, -1.1);
    const double m = 2, c = 0.7, k = 0.3, weight = 5;
    residuals.evaluate(0.2, q, v);
    residuals.factor(m, c, k, Vector::Constant(1, weight));
    Matrix mass(2, 2), damping(2, 2), stiffness(2, 2);
    mass << 2, 0.5, 0.5, 1;
    damping << q(0), 0, -std::sin(q(1)), 0.3;
    const double e = std::exp(q(1)), co = std::cos(q(0)), si = std::sin(q(0));
    stiffness << v(0), 0, 0, -std::cos(q(1)) * v(0);
    stiffness += (Matrix(2, 2) << -co * e, -si * e, -si * e, co * e).finished();
    const Matrix g = jacobian_of(own, 0.2, q);
    const Matrix base = m * mass + c * damping + k * stiffness;
    const Matrix expected = base + weight * g.transpose() * g;
    const Vector f = Eigen::Vector2d(1, -2);
    Vector x(2), out(2);
    const Vector none, mu = Vector::Constant(1, 0.7);
    Vector rows(1);
    residuals.solve(f, none, x);
    CHECK((expected * x + f).norm() < 1e-5); // second differences of V have five digits
    residuals.solve(f, mu, x);
    CHECK((expected * x + f + g.transpose() * mu).norm() < 1e-5);
    residuals.solve_motion(f, mu, x, rows);
    CHECK((expected * x - f + g.transpose() * mu).norm() < 1e-5);
    CHECK((rows - g * x).norm() < 1e-12);
    residuals.choose_metric(m, c, k);
    residuals.base_times(f, out);
    CHECK((out - base * f).norm() < 1e-5);
    CHECK(residuals.row_mass()(0) == Approx(1 / (g * mass.inverse() * g.transpose())(0)));
}

TEST_CASE("both faces of own equations find the same consistent accelerations with opposite multipliers") {
    for (const Case& c : cases()) {
        if (!c.own->constant_mass())
            continue;
        INFO(c.name);
        OwnRates rates(*c.own);
        OwnResiduals residuals(*c.own);
        Vector a, lambda, b, mu, v = c.v;
        const double t = c.name.find("four-bar,") == 0 ? 0.7 : 0.0;
        rates.evaluate(t, c.q, c.v);
        rates.factor(Metric::mass);
        const Vector rhs = -rates.bias();
        rates.solve(rates.force(), rhs, a, lambda);
        residuals.consistent(t, c.q, v, true, b, mu);
        CHECK((v - c.v).norm() < 1e-13);
        CHECK((a - b).norm() < 1e-9 * (1 + a.norm()));
        CHECK((lambda + mu).norm() < 1e-9 * (1 + mu.norm()));
        CHECK(rates.power(lambda) == Approx(residuals.power(mu)).margin(1e-12));
        Vector p(a.size());
        rates.momentum(a, p);
        p -= rates.force();
        residuals.add_reaction(mu, p);
        CHECK(p.norm() < 1e-9 * (1 + rates.force().norm()));
    }
}

TEST_CASE("consistent accelerations project velocities that violate the rows where asked to") {
    UniversalDirectorBody own;
    OwnResiduals residuals(own);
    Vector v = shaken(UniversalDirectorBody::start_v(), 8, 0.1), a, lambda;
    residuals.consistent(0, UniversalDirectorBody::start_q(), v, true, a, lambda);
    CHECK(residuals.row_rate().norm() < 1e-14);
    v(0) += 0.1;
    const Vector kept = v;
    residuals.consistent(0, UniversalDirectorBody::start_q(), v, false, a, lambda);
    CHECK((v - kept).norm() == 0);
}

TEST_CASE("the four-bar's reactions and the free body's multipliers are those of the reference") {
    // tests/reference/parallel_four_bar.json and free_body.json, t = 0.
    RelativeFourBar four_bar;
    OwnRates rates(four_bar);
    Vector a, lambda;
    rates.evaluate(0.4, RelativeFourBar::exact_q(0.4), RelativeFourBar::exact_v(0.4));
    rates.factor(Metric::mass);
    Vector rhs = -rates.bias();
    rates.solve(rates.force(), rhs, a, lambda);
    CHECK((a - RelativeFourBar::exact_a(0.4)).norm() < 1e-11);
    CHECK(-lambda(0) == Approx(-347.9292874154446));
    CHECK(-lambda(1) == Approx(-478.1642777548089));

    FreeDirectorBody body;
    OwnResiduals residuals(body);
    Vector v = FreeDirectorBody::start_v();
    residuals.consistent(0, FreeDirectorBody::start_q(), v, false, a, lambda);
    const Vector expected = Vector{{2.782437876198309, 1.0566317989696508, 2.8809303248320406,
                                    -1.0759429403693528, -0.9569639794535659, -0.17657852222031215}};
    CHECK((lambda - expected).norm() < 1e-10);
}

TEST_CASE("the rolling disc in its steady circle has no acceleration of lean, heading or spin") {
    RollingDisc disc;
    CHECK(RollingDisc::turn_rate() == Approx(1.2479260434249388)); // tests/reference/rolling_disc.json
    OwnRates rates(disc);
    rates.evaluate(0, RollingDisc::start_q(), RollingDisc::start_v());
    rates.factor(Metric::mass);
    Vector a, lambda;
    const Vector rhs = -rates.bias();
    rates.solve(rates.force(), rhs, a, lambda);
    CHECK(a.tail<3>().norm() < 1e-13);
    CHECK(a(0) == Approx(-RollingDisc::b * std::pow(RollingDisc::turn_rate(), 2)));
    CHECK(rates.position_residual().norm() == 0);
    CHECK(rates.rank_deficiency() == 0);
    CHECK(rates.power(lambda) == 0);
}

TEST_CASE("implicit methods refuse own equations whose mass matrix depends on the position") {
    RelativeFourBar four_bar;
    try {
        OwnResiduals residuals(four_bar);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::model);
    }
}

namespace {

class Forgetful : public OwnEquations {
  public:
    int coordinates() const override { return 1; }
    int rows() const override { return 1; }
    void mass(const Vector&, Matrix& m) const override { m(0, 0) = 1; }
};

class Free : public OwnEquations {
  public:
    int coordinates() const override { return 2; }
    void mass(const Vector&, Matrix& m) const override { m.setIdentity(); }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override { return q(0) * q(0); }
};

} // namespace

TEST_CASE("own equations with rows but without constraint or jacobian are refused") {
    Forgetful own;
    OwnRates rates(own);
    CHECK_THROWS_AS(rates.evaluate(0, Vector::Zero(1), Vector::Zero(1)), Error);
}

TEST_CASE("own equations need no rows") {
    Free own;
    OwnRates rates(own);
    OwnResiduals residuals(own);
    Vector q = Eigen::Vector2d(3, 1), v = Eigen::Vector2d(1, 2), a, lambda;
    rates.evaluate(0, q, v);
    rates.factor(Metric::mass);
    const Vector none(0);
    rates.solve(rates.force(), none, a, lambda);
    CHECK((a - Vector(Eigen::Vector2d(-6, 0))).norm() < 1e-9);
    CHECK(rates.kinetic() == Approx(2.5));
    CHECK(rates.potential_rate(v) == Approx(6));
    CHECK(rates.rank_deficiency() == 0);
    residuals.consistent(0, q, v, true, a, lambda);
    CHECK((a - Vector(Eigen::Vector2d(-6, 0))).norm() < 1e-9);
    residuals.evaluate_between(0, q, 0.1, q + v);
    residuals.factor(1, 0, 0.5, none);
    Vector x(2);
    residuals.solve(residuals.force(), Vector(), x);
    CHECK(x(0) == Approx(7.0 / 2).epsilon(1e-6)); // (1 + 0.5 * 2) x = 3 + 4
}
