// Bauchau's rigid body in directors, his universal joint, and a linear oscillator under energy-preserving and
// energy-decaying. Expected numbers: the numpy prototypes'
// (tests/reference/free_body.json and universal_joint.json).
#include "tests/support/own_run.hpp"
#include "tests/systems/director_body.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace tenon;
using namespace tenon::systems;
using namespace tenon::tests;

namespace {

Vector twelve(std::initializer_list<double> values) {
    Vector x(12);
    Eigen::Index i = 0;
    for (const double value : values)
        x(i++) = value;
    return x;
}

const Vector exact_d =
    twelve({31.42337866384085, 0.32557762557018355, -1.3128468649788114, -0.4762356154822087,
            -0.8788245689027998, -0.029445129293142983, -0.8521254397743094, 0.4695127520824478,
            -0.2311709551855629, 0.21698357872364782, -0.08500089837627578, -0.9724674667254964});
const Vector exact_v =
    twelve({7.657182181520392, 0.9098986493506824, -1.4422356746136529, 1.1975519099342087,
            -0.7372948865192793, 2.6366326711362524, -1.4988843904876104, -1.5181849272373842,
            2.441614417367937, -3.2579453877292286, -0.7629839660126696, -0.6602445314904904});

struct Flight {
    OwnRecord record;
    double linear = 0, angular = 0; ///< largest change of the momenta
    double error_d() const { return (record.state.q - exact_d).lpNorm<Eigen::Infinity>(); }
    double error_v() const { return (record.state.v - exact_v).lpNorm<Eigen::Infinity>(); }
};

/// The free body for 5 s.
Flight fly(const std::string& integrator, double h, std::map<std::string, OptionValue> options = {}) {
    const FreeDirectorBody body;
    OwnRun run{.own = &body, .integrator = integrator, .step = h, .stop = 5, .options = std::move(options)};
    Flight flight;
    const auto start = body.momenta(FreeDirectorBody::start_q(), FreeDirectorBody::start_v());
    run.watch = [&](const State& state) {
        const auto now = body.momenta(state.q, state.v);
        flight.linear = std::max(flight.linear, (now[0] - start[0]).lpNorm<Eigen::Infinity>());
        flight.angular = std::max(flight.angular, (now[1] - start[1]).lpNorm<Eigen::Infinity>());
    };
    run_own(run, FreeDirectorBody::start_q(), FreeDirectorBody::start_v(), flight.record);
    return flight;
}

class Oscillator : public OwnEquations {
  public:
    explicit Oscillator(double omega) : omega_(omega) {}
    int coordinates() const override { return 1; }
    void mass(const Vector&, Matrix& m) const override { m(0, 0) = 1; }
    bool constant_mass() const override { return true; }
    double potential(const Vector& q) const override { return 0.5 * omega_ * omega_ * q(0) * q(0); }
    void gradient(const Vector& q, Vector& g) const override { g(0) = omega_ * omega_ * q(0); }
    bool hessian(const Vector&, Matrix& h) const override {
        h(0, 0) = omega_ * omega_;
        return true;
    }
    bool quadratic_potential() const override { return true; }

  private:
    double omega_;
};

/// Of one step of 1 s.
double spectral_radius(const std::string& integrator, std::map<std::string, OptionValue> options,
                       double omega) {
    const Oscillator oscillator(omega);
    OwnRun run{
        .own = &oscillator, .integrator = integrator, .step = 1, .stop = 1, .options = std::move(options)};
    Eigen::Matrix2d amplification; // of (omega q, v)
    for (int i = 0; i < 2; ++i) {
        const Vector q = Vector::Constant(1, i == 0 ? 1 / omega : 0), v = Vector::Constant(1, i == 0 ? 0 : 1);
        const OwnRecord record = run_own(run, q, v);
        amplification.col(i) << omega * record.state.q(0), record.state.v(0);
    }
    return amplification.eigenvalues().cwiseAbs().maxCoeff();
}

} // namespace

TEST_CASE("the free body starts with the energy and momenta of the reference") {
    const FreeDirectorBody body;
    OwnRates rates(body);
    rates.evaluate_rows(0, FreeDirectorBody::start_q(), FreeDirectorBody::start_v());
    CHECK(rates.kinetic() == Approx(38.1));
    const auto momenta = body.momenta(FreeDirectorBody::start_q(), FreeDirectorBody::start_v());
    CHECK((momenta[0] - Vec3(11.16, 0, -0.72)).norm() < 1e-14);
    CHECK((momenta[1] - Vec3(-0.048, 5.1, -3.692)).norm() < 1e-14);
}

TEST_CASE("energy-preserving keeps energy, momenta and constraints of the free body to round-off") {
    const Flight flight = fly("energy-preserving", 0.0125);
    CHECK(flight.record.energy_error() < 1e-12);
    CHECK(flight.linear < 1e-12);
    CHECK(flight.angular < 1e-12);
    CHECK(flight.record.row < 1e-14);
    CHECK(flight.record.row_dot == Approx(1.528e-3).epsilon(0.01)); // alternates between nodes
    CHECK(flight.record.iterations_per_step() == Approx(4).margin(1));
    // The discrete solution itself.
    CHECK(flight.record.state.q(0) == Approx(31.422051003995396).epsilon(1e-10));
    CHECK(flight.record.state.q(5) == Approx(-0.0325436706991635).margin(1e-9));
    CHECK(flight.record.state.v(11) == Approx(-0.6722099556983883).margin(1e-8));
}

TEST_CASE("energy-preserving is of order two in displacements and velocities") {
    const Flight coarse = fly("energy-preserving", 0.025), fine = fly("energy-preserving", 0.0125);
    CHECK(coarse.error_d() == Approx(1.2394e-2).epsilon(1e-3));
    CHECK(fine.error_d() == Approx(3.0985e-3).epsilon(1e-3));
    CHECK(fine.error_v() == Approx(1.5043e-2).epsilon(1e-2));
    CHECK(std::log2(coarse.error_d() / fine.error_d()) == Approx(2).margin(0.02));
    CHECK(std::log2(coarse.error_v() / fine.error_v()) == Approx(2).margin(0.02));
}

TEST_CASE("energy-decaying takes energy from the free body monotonically, with an error of order three") {
    // dt, energy lost, error of d and of v at 5 s (prototype)
    const double expected[3][4] = {{0.025, -1.4189087e-3, 1.789115e-3, 8.546475e-3},
                                   {0.0125, -1.7756509e-4, 2.235326e-4, 1.066897e-3},
                                   {0.00625, -2.2200203e-5, 2.792909e-5, 1.331367e-4}};
    double before = 0;
    for (const auto& row : expected) {
        INFO(row[0]);
        const Flight flight = fly("energy-decaying", row[0]);
        CHECK(flight.record.energy == Approx(row[1]).epsilon(1e-4));
        CHECK(flight.record.largest_rise < 1e-12);
        CHECK(flight.error_d() == Approx(row[2]).epsilon(1e-3));
        CHECK(flight.error_v() == Approx(row[3]).epsilon(1e-2));
        CHECK(flight.linear < 1e-9);
        CHECK(flight.record.row < 1e-13);
        if (before > 0)
            CHECK(std::log2(before / flight.error_d()) == Approx(3).margin(0.02));
        before = flight.error_d();
    }
    CHECK(fly("energy-decaying", 0.0125).angular == Approx(4.066e-5).epsilon(1e-2)); // not conserved
}

TEST_CASE("energy-decaying without dissipation conserves and is of order four") {
    const Flight coarse = fly("energy-decaying", 0.025, {{"dissipation", 0.0}});
    const Flight fine = fly("energy-decaying", 0.0125, {{"dissipation", 0.0}});
    CHECK(coarse.error_d() == Approx(5.685e-6).epsilon(1e-2));
    CHECK(fine.error_d() == Approx(3.550e-7).epsilon(1e-2));
    CHECK(coarse.record.energy_error() < 1e-9);
    CHECK(coarse.angular < 1e-9);
    const Flight half = fly("energy-decaying", 0.0125, {{"dissipation", 0.5}});
    CHECK(half.record.energy == Approx(-8.8786e-5).epsilon(1e-3));
    CHECK(half.error_d() == Approx(1.1190e-4).epsilon(1e-3));
}

TEST_CASE("energy-decaying damps a linear oscillator as its dissipation says, however stiff") {
    // Spectral radii of the prototype; the limit for omega h to infinity is (1 - a) / (1 + a).
    const double expected[][3] = {{1, 1, 0.9877295966},     {1, 10, 0.2043977964},
                                  {1, 100, 0.0200049938},   {0.5, 10, 0.4058542529},
                                  {0.5, 100, 0.3341032221}, {0.25, 10, 0.6415271001}};
    for (const auto& row : expected) {
        INFO("dissipation " << row[0] << ", omega h " << row[1]);
        CHECK(spectral_radius("energy-decaying", {{"dissipation", row[0]}}, row[1]) ==
              Approx(row[2]).epsilon(1e-6));
    }
    CHECK(spectral_radius("energy-decaying", {{"dissipation", 0.0}}, 10) == Approx(1).epsilon(1e-9));
    CHECK(spectral_radius("energy-preserving", {}, 10) == Approx(1).epsilon(1e-9));
}

TEST_CASE("energy-preserving closes the work balance of the universal joint's driver to round-off") {
    const UniversalDirectorBody body;
    const double turn = 2 * std::numbers::pi;
    Mat3 expected; // columns are the directors after one turn
    expected << -0.49238522790599965, 0.8703773821394699, 0, -0.2245001216661571, -0.12700300563853834,
        0.9661624769833789, 0.8409259674381792, 0.47572413142368614, 0.25793423206186095;
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        const double h = turn / (i == 0 ? 800 : 1600);
        const OwnRun run{.own = &body, .integrator = "energy-preserving", .step = h, .stop = turn};
        const OwnRecord record =
            run_own(run, UniversalDirectorBody::start_q(), UniversalDirectorBody::start_v());
        errors[i] = 0;
        for (int j = 0; j < 3; ++j)
            errors[i] = std::max(errors[i], (record.state.q.segment<3>(3 * j) - expected.col(j)).norm());
        CHECK(record.row < 1e-13);
        CHECK(record.energy_error() < 1e-11);
        CHECK(record.state.work == Approx(6.588067631134811 - 7.363200000000001).margin(0.01));
    }
    CHECK(errors[1] < 1e-2);
    CHECK(std::log2(errors[0] / errors[1]) == Approx(2).margin(0.1));
}
