// Communication steps: their arguments, their size, and what the events in them change.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"
#include "tools/check/tracing_slave.hpp"

#include <cmath>
#include <limits>

namespace tenon::check {
namespace {

// ---- arguments -----------------------------------------------------------------------------------------------------

/// One step after two ordinary ones, with a current time and a size that are made from the right ones.
struct OddStep {
    std::string_view name;
    double (*time)(double t, double h);
    double (*size)(double h);
    bool to_be_accepted;
    fmi::Severity severity; ///< of the finding where it is not as it should be
    std::string_view hint;
};

double right_time(double t, double) { return t; }
double right_size(double h) { return h; }

constexpr std::string_view positive = "a communication step is positive: return an error";

constexpr std::array<OddStep, 6> odd_steps{{
    {"a step size of 0", right_time, [](double) { return 0.0; }, false, fmi::Severity::error, positive},
    {"a negative step size", right_time, [](double h) { return -h; }, false, fmi::Severity::error, positive},
    {"a step size that is NaN", right_time, [](double) { return std::numeric_limits<double>::quiet_NaN(); },
     false, fmi::Severity::error, positive},
    {"a current time that is one step ahead", [](double t, double h) { return t + h; }, right_size, false,
     fmi::Severity::warning, "compare it with the end of the last step, to within rounding"},
    {"a current time that is one step behind", [](double t, double h) { return t - h; }, right_size, false,
     fmi::Severity::warning, "compare it with the end of the last step, to within rounding"},
    {"a current time that is off by rounding", [](double t, double) { return t * (1 + 4e-16) + 1e-300; },
     right_size, true, fmi::Severity::warning, "masters compute times in different ways: allow for rounding"},
}};

void try_odd_step(Probe& probe, const OddStep& odd) {
    const double h = probe.experiment().step;
    Session session(probe);
    session.initialize();
    session.run(std::min(2, probe.experiment().steps));
    const fmi::StepResult result = session.slave().step(odd.time(session.time(), h), odd.size(h));
    const bool accepted = result.status <= fmi::Status::warning;
    if (accepted != odd.to_be_accepted)
        probe.report(
            {odd.severity, "step-arguments", "step-arguments",
             fmt::format("{} is {}", odd.name,
                         accepted ? "accepted" : fmt::format("answered with {}", status_name(result.status))),
             std::string(odd.hint)});
}

/// Steps up to the stop time and beyond it.
void try_stop_time(Probe& probe) {
    const Experiment& experiment = probe.experiment();
    const int steps = std::min(3, experiment.steps);
    const double stop = experiment.time(steps);
    // What a master makes that adds up its times: the last step ends a few roundings behind the stop time.
    const double short_of_stop = stop - 1e-14 * std::max(std::abs(stop), experiment.step);
    Session session(probe, {.stop = short_of_stop});
    session.initialize();
    session.run(steps - 1);
    const fmi::StepResult last = session.slave().step(session.time(), experiment.step);
    if (last.status > fmi::Status::warning) {
        probe.warning("stop-time",
                      fmt::format("a step that ends at {} is answered with {} where the stop time is {}",
                                  stop, status_name(last.status), short_of_stop),
                      "allow for rounding: a relative 1e-9 hurts nobody");
        return;
    }
    const fmi::StepResult beyond = session.slave().step(stop, experiment.step);
    if (beyond.status <= fmi::Status::warning)
        probe.note("stop-time", fmt::format("a step to {} is accepted although the stop time is {}",
                                            stop + experiment.step, short_of_stop));
}

// ---- step size -----------------------------------------------------------------------------------------------------

/// Outputs at the same time, reached by other steps; inputs are at rest.
std::vector<double> outputs_after(Probe& probe, const std::vector<double>& pattern, int repeats) {
    Session session(probe, {.excited = false});
    session.initialize();
    for (int i = 0; i < repeats; ++i)
        for (const double part : pattern)
            session.step(part * probe.experiment().step);
    return session.watch().floats(session.sample());
}

struct Distance {
    double largest = 0;
    std::string where;
};

/// Largest difference relative to the size of the values, and the variable that it is at.
Distance distance(const std::vector<double>& a, const std::vector<double>& b,
                  const std::vector<std::string>& names) {
    Distance result;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]) / std::max({1.0, std::abs(a[i]), std::abs(b[i])});
        if (!(difference <= result.largest))
            result = {difference, names[i]};
    }
    return result;
}

/// Below this, two runs are the same for all purposes of a master.
constexpr double negligible = 1e-6;
/// Differences that grow by more than this when steps are made smaller are not discretisation errors.
constexpr double strong_growth = 4;

void compare_step_sizes(Probe& probe) {
    const int steps = std::max(1, probe.experiment().steps / 2);
    const std::vector<std::string> names = Watch(probe.description()).float_names();
    const auto whole = outputs_after(probe, {1}, steps);
    const auto halves = outputs_after(probe, {0.5, 0.5}, steps);
    const auto quarters = outputs_after(probe, {0.25, 0.25, 0.25, 0.25}, steps);
    const auto irregular = outputs_after(probe, {0.1, 0.35, 0.05, 0.3, 0.2}, steps);
    for (const auto* values : {&whole, &halves, &quarters, &irregular})
        if (!std::all_of(values->begin(), values->end(), [](double v) { return std::isfinite(v); })) {
            probe.note("step-size", "not compared: there are values that are not finite");
            return;
        }
    const Distance first = distance(whole, halves, names), second = distance(halves, quarters, names),
                   odd = distance(whole, irregular, names);
    const double step = probe.experiment().step;
    const std::string numbers = fmt::format("at t = {:.6g}: {:.2g} between steps of {:.4g} and {:.4g}, "
                                            "{:.2g} between {:.4g} and {:.4g}, {:.2g} between {:.4g} "
                                            "and irregular ones",
                                            probe.experiment().time(steps), first.largest, step, step / 2,
                                            second.largest, step / 2, step / 4, odd.largest, step);
    if (!(second.largest <= std::max(negligible, strong_growth * first.largest)))
        probe.warning(
            "step-size",
            fmt::format("the results depend on the step size, most in {}: {}", second.where, numbers),
            "differences should shrink with the step; is something reset or rounded in each step?");
    else if (!(odd.largest <= std::max(negligible, strong_growth * (first.largest + second.largest))))
        probe.warning("step-size",
                      fmt::format("the results depend on the regularity of the steps, most in {}: {}",
                                  odd.where, numbers),
                      "is a step cut to a grid of the FMU's own?");
    else
        probe.note("step-size", numbers);
}

} // namespace

void check_step_arguments(Runner& runner) {
    runner.each(
        odd_steps.size() + 1,
        [](Probe& probe, std::size_t i) {
            if (i < odd_steps.size())
                try_odd_step(probe, odd_steps[i]);
            else
                try_stop_time(probe);
            return false; // a refusal may be fatal: each case has a process of its own
        },
        [](std::size_t i) { return std::string(i < odd_steps.size() ? odd_steps[i].name : "a stop time"); });
}

void check_step_size(Runner& runner) { runner.in_child(compare_step_sizes); }

void check_event_mode(Runner& runner) {
    runner.in_child([](Probe& probe) {
        Session session(probe, {.event_mode = true});
        session.initialize();
        session.run(probe.experiment().steps);
        session.terminate();
    });
}

} // namespace tenon::check
