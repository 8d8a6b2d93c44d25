// Braun and Goldfarb's linkages. Expected numbers: the numpy prototypes' ("measured" in
// tests/reference/slider_crank.json and double_four_bar.json), against exact motions.
#include "tests/support/own_run.hpp"
#include "tests/systems/braun_goldfarb.hpp"
#include "tests/systems/director_body.hpp"
#include "tests/systems/rolling_disc.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <numbers>

using namespace tenon;
using namespace tenon::systems;
using namespace tenon::tests;

namespace {

constexpr double lost = 3; // metres of slider: the phase is lost (4 is the stroke)

struct Outcome {
    OwnRecord record;
    double error = 0;
};

std::map<std::string, OptionValue> options(const std::string& form, bool energy) {
    return {{"form", form}, {"energy", energy}};
}

Outcome slider_crank(const std::string& integrator, std::map<std::string, OptionValue> given, double h) {
    const SliderCrank crank;
    OwnRun run{.own = &crank, .integrator = integrator, .step = h, .stop = 100, .options = std::move(given)};
    // 0.25 ms steps of RK4 are exact to about 1e-9 here.
    const std::vector<double> exact = SliderCrank::exact_slider(h, static_cast<int>(std::lround(100 / h)),
                                                                static_cast<int>(std::lround(h / 2.5e-4)));
    Outcome outcome;
    std::size_t i = 0;
    run.watch = [&](const State& state) {
        outcome.error = std::max(outcome.error, std::abs(SliderCrank::slider(state.q) - exact[i++]));
    };
    run_own(run, SliderCrank::start_q(), SliderCrank::start_v(), outcome.record);
    return outcome;
}

struct FourBarRun {
    std::string integrator = "explicit-correction";
    std::map<std::string, OptionValue> options = {};
    double stop = 20;
    double rank_threshold = DenseKkt::default_threshold;
    bool repeated_rows = false;
};

Outcome double_four_bar(const FourBarRun& given) {
    const DoubleFourBar bars(given.repeated_rows);
    OwnRun run{.own = &bars,
               .integrator = given.integrator,
               .step = 0.01,
               .stop = given.stop,
               .options = given.options,
               .rank_threshold = given.rank_threshold};
    Outcome outcome;
    run.watch = [&](const State& state) {
        const Eigen::Vector2d joint = state.q.tail<2>();
        outcome.error = std::max(outcome.error, (joint - DoubleFourBar::exact_joint3(state.time)).norm());
    };
    run_own(run, DoubleFourBar::start_q(), DoubleFourBar::start_v(), outcome.record);
    return outcome;
}

} // namespace

TEST_CASE("the exact motions of the linkages are those of the reference") {
    // tests/reference/slider_crank.json and double_four_bar.json
    const std::vector<double> slider = SliderCrank::exact_slider(1, 100, 4000);
    CHECK(slider[1] == Approx(-0.81881793745829).margin(1e-9));
    CHECK(slider[10] == Approx(1.8120446041962415).margin(1e-8));
    CHECK(slider[100] == Approx(-1.7134273316650739).margin(1e-7));
    const Eigen::Vector2d early(1.8049796980505648, -0.9807992056621738),
        late(1.5010068653139876, 0.8666059378611638);
    CHECK((DoubleFourBar::exact_joint3(1) - early).norm() < 1e-13);
    CHECK((DoubleFourBar::exact_joint3(1000) - late).norm() < 1e-10);
}

TEST_CASE("explicit-correction with energy keeps the slider-crank's phase over 100 s at a step of 0.05 s") {
    CHECK(slider_crank("explicit-correction", options("start", true), 0.05).error ==
          Approx(1.75e-2).epsilon(0.1));
    CHECK(slider_crank("explicit-correction", options("post", true), 0.05).error < 2.2e-2);
    CHECK(slider_crank("explicit-correction", options("start", false), 0.05).error > lost);
    CHECK(slider_crank("explicit-correction", options("post", false), 0.05).error > lost);
    CHECK(slider_crank("explicit-correction", options("stage", false), 0.05).error > lost);
}

TEST_CASE(
    "explicit-correction follows the slider-crank over 100 s at a step of 0.01 s as the prototypes do") {
    const Outcome start = slider_crank("explicit-correction", options("start", true), 0.01);
    CHECK(start.error == Approx(3.02e-5).epsilon(0.05));
    CHECK(start.record.row == Approx(1.21e-8).epsilon(0.05));
    CHECK(start.record.row_dot == Approx(3.85e-7).epsilon(0.05));
    CHECK(start.record.energy_error() == Approx(1.28e-6).epsilon(0.05));

    const Outcome post = slider_crank("explicit-correction", options("post", true), 0.01);
    CHECK(post.error <
          3.1e-5); // the prototype also applied (20) in the stages, which costs accuracy near rest
    CHECK(post.record.row < 1e-12);
    CHECK(post.record.row_dot < 1e-13);
    CHECK(post.record.energy_error() < 1e-12);

    CHECK(slider_crank("explicit-correction", options("start", false), 0.01).error ==
          Approx(3.28e-3).epsilon(0.05));
    CHECK(slider_crank("explicit-correction", options("post", false), 0.01).error ==
          Approx(2.94e-3).epsilon(0.05));
    CHECK(slider_crank("explicit-correction", options("stage", false), 0.01).error ==
          Approx(0.728).epsilon(0.05));
}

TEST_CASE(
    "explicit-correction, evaluated in the stages as printed, is usable where (20) is left out near rest") {
    // Prototype: 2.4e-3 where (20) is left out below a tenth, 6.8e-2 below a thousandth, blow-up with neither.
    CHECK(slider_crank("explicit-correction", options("stage", true), 0.01).error < 1e-2);
}

TEST_CASE("explicit-correction in the forms start and post is of order four") {
    const auto order = [](const std::string& form, bool energy, double coarse, double fine) {
        const double ratio = slider_crank("explicit-correction", options(form, energy), coarse).error /
                             slider_crank("explicit-correction", options(form, energy), fine).error;
        return std::log(ratio) / std::log(coarse / fine);
    };
    CHECK(order("start", true, 0.02, 0.01) == Approx(4).margin(0.2));
    CHECK(order("post", true, 0.05, 0.01) >
          3.8); // errors of 1e-7 are small enough to change sign now and then
    CHECK(order("post", false, 0.02, 0.01) > 3.8);
}

TEST_CASE("explicit-correction goes through the double four-bar's singular positions for 100 s") {
    const Outcome start = double_four_bar({.options = options("start", true), .stop = 100});
    CHECK(start.error == Approx(2.42e-5).epsilon(0.05));
    CHECK(start.record.row < 4e-9);
    CHECK(start.record.row_dot < 2e-7);
    CHECK(start.record.energy_error() < 5e-7);
    const Outcome post = double_four_bar({.options = options("post", true), .stop = 100});
    CHECK(post.error == Approx(2.40e-5).epsilon(0.05));
    CHECK(post.record.row < 1e-12);
    CHECK(post.record.row_dot < 1e-13);
    CHECK(post.record.energy_error() < 1e-12);
    const Outcome stage = double_four_bar({.options = options("stage", true), .stop = 100});
    CHECK(stage.error == Approx(1.07e-4).epsilon(0.5));
}

TEST_CASE("only with energy does explicit-correction stay accurate on the double four-bar for 1000 s",
          "[slow]") {
    const Outcome start = double_four_bar({.options = options("start", true), .stop = 1000});
    CHECK(start.error == Approx(2.45e-4).epsilon(0.05));
    CHECK(start.record.row == Approx(3.0e-9).epsilon(0.05));
    CHECK(start.record.row_dot < 1e-6);
    CHECK(start.record.energy_error() < 1e-6);
    const Outcome post = double_four_bar({.options = options("post", true), .stop = 1000});
    CHECK(post.error == Approx(2.43e-4).epsilon(0.05));
    CHECK(post.record.row < 1e-12);
    CHECK(post.record.row_dot < 1e-13);
    CHECK(post.record.energy_error() < 1e-12);
    const Outcome without = double_four_bar({.options = options("start", false), .stop = 1000});
    CHECK(without.error > 0.1);
    CHECK(without.record.row < 1e-8);
    const Outcome baumgarte = double_four_bar({.integrator = "baumgarte", .stop = 1000});
    CHECK(baumgarte.error > 1);
}

TEST_CASE("the rank threshold does not matter to explicit-correction between 1e-14 and 1e-3") {
    const double error = double_four_bar({.options = options("start", true)}).error;
    CHECK(error == Approx(4.55e-6).epsilon(0.05));
    for (const double threshold : {1e-14, 1e-6, 1e-4, 1e-3}) {
        INFO(threshold);
        const Outcome other =
            double_four_bar({.options = options("start", true), .rank_threshold = threshold});
        CHECK(other.error == Approx(error).epsilon(1e-3));
    }
    CHECK(double_four_bar({.options = options("start", true), .rank_threshold = 1e-2}).error > 4 * error);
    CHECK(double_four_bar({.options = options("start", true), .rank_threshold = 0.1}).error > 100 * error);
}

TEST_CASE(
    "repeated rows do not change what explicit-correction computes unless the rank threshold is round-off") {
    for (const std::string form : {"start", "post"}) {
        INFO(form);
        const Outcome plain = double_four_bar({.options = options(form, true), .stop = 10});
        const Outcome repeated =
            double_four_bar({.options = options(form, true), .stop = 10, .repeated_rows = true});
        CHECK(plain.error == Approx(2.2e-6).epsilon(0.05));
        CHECK(repeated.error == Approx(plain.error).epsilon(1e-3));
        CHECK((repeated.record.state.q - plain.record.state.q).norm() < 1e-8);
    }
    Outcome garbage;
    try {
        garbage = double_four_bar(
            {.options = options("start", true), .stop = 10, .rank_threshold = 1e-17, .repeated_rows = true});
    } catch (const NotConverged&) {
        garbage.error = 1;
    }
    CHECK(garbage.error > 1e-5); // by chance: 1.8 with LAPACK's decomposition, 3e-4 with Jacobi's
}

TEST_CASE("explicit-correction can start exactly in a singular position") {
    const double w0 = 7 * DoubleFourBar::g / 6;
    const double rate = -std::sqrt(1 + 2 * w0); // the energy of the paper's start
    for (const double angle : {0.0, 1e-9, 1e-6, 1e-3}) {
        for (const std::string form : {"start", "post"}) {
            INFO(form << " from " << angle);
            const DoubleFourBar bars;
            OwnRun run{.own = &bars, .integrator = "explicit-correction", .step = 0.01, .stop = 5};
            run.options = options(form, true);
            double th = angle, w = rate, error = 0;
            int i = 0;
            run.watch = [&](const State& state) {
                // th'' = -(7 g / 6) cos th by RK4 (Nystrom's form) in 0.2 ms steps between two looks
                for (int j = 0; i > 0 && j < 50; ++j) {
                    const double s = 0.01 / 50;
                    const auto a = [w0](double x) { return -w0 * std::cos(x); };
                    const double a1 = a(th), a2 = a(th + s / 2 * w), a3 = a(th + s / 2 * w + s * s / 4 * a1),
                                 a4 = a(th + s * w + s * s / 2 * a2);
                    th += s * w + s * s / 6 * (a1 + a2 + a3);
                    w += s / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
                }
                ++i;
                error = std::max(error, (state.q - DoubleFourBar::q_at(th)).tail<2>().norm());
            };
            const OwnRecord record =
                run_own(run, DoubleFourBar::q_at(angle), DoubleFourBar::v_at(angle, rate));
            CHECK(error < 2e-6);
            CHECK(record.row < 4e-9);
        }
    }
}

TEST_CASE("baumgarte's result on the slider-crank depends on the gain") {
    CHECK(slider_crank("baumgarte", {}, 0.05).error > lost);
    CHECK(slider_crank("baumgarte", {{"gain", 10.0}}, 0.05).error > lost);
    CHECK(slider_crank("baumgarte", {}, 0.01).error == Approx(0.297).epsilon(0.05));
    const Outcome lucky = slider_crank("baumgarte", {{"gain", 10.0}}, 0.01);
    CHECK(lucky.error == Approx(1.33e-4).epsilon(0.05));
    CHECK(lucky.record.row == Approx(4.18e-7).epsilon(0.05));
    CHECK(lucky.record.row_dot == Approx(4.97e-6).epsilon(0.05));
}

TEST_CASE("explicit methods keep a rolling disc in its circle") {
    // Steady rolling in closed form: tests/reference/rolling_disc.json.
    const RollingDisc disc;
    for (const std::string integrator : {"explicit-correction", "baumgarte"}) {
        INFO(integrator);
        OwnRun run{.own = &disc, .integrator = integrator, .step = 0.01, .stop = 5};
        if (integrator == "baumgarte")
            run.options = {{"gain", 10.0}};
        const OwnRecord record = run_own(run, RollingDisc::start_q(), RollingDisc::start_v());
        CHECK(record.state.q(0) == Approx(1.4985774405074497).margin(1e-5));
        CHECK(record.state.q(1) == Approx(-0.06531198054064322).margin(1e-5));
        CHECK(record.state.q(3) == Approx(-RollingDisc::lean).margin(1e-5));
        CHECK(record.row_dot < 1e-6);
        CHECK(record.energy_error() < 1e-6);
    }
}

TEST_CASE("explicit-correction accounts for the work of the universal joint's driver") {
    // tests/reference/universal_joint.json, case up+i2_asprinted, one turn of the shaft.
    const UniversalDirectorBody body;
    const double turn = 2 * std::numbers::pi;
    for (const std::string form : {"start", "post"}) {
        INFO(form);
        OwnRun run{.own = &body, .integrator = "explicit-correction", .step = turn / 1600, .stop = turn};
        run.options = options(form, true);
        const OwnRecord record =
            run_own(run, UniversalDirectorBody::start_q(), UniversalDirectorBody::start_v());
        Mat3 expected; // columns are the directors
        expected << -0.49238522790599965, 0.8703773821394699, 0, -0.2245001216661571, -0.12700300563853834,
            0.9661624769833789, 0.8409259674381792, 0.47572413142368614, 0.25793423206186095;
        for (int i = 0; i < 3; ++i)
            CHECK((record.state.q.segment<3>(3 * i) - expected.col(i)).norm() < 1e-6);
        CHECK(record.state.work == Approx(6.588067631134811 - 7.363200000000001).margin(1e-5));
        CHECK(record.energy_error() < 1e-6);
        CHECK(record.row < 1e-8);
    }
}
