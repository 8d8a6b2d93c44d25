#include "fmu/instance.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::fmu {
namespace {

/// Times of a master carry rounding: what is closer than this, relative to the times and the step, is the same.
constexpr double time_tolerance = 1e-9;

bool same_time(double a, double b, double h) {
    return std::abs(a - b) <= time_tolerance * std::max({std::abs(a), std::abs(b), h});
}

} // namespace

Instance::Instance(Blueprint blueprint) : blueprint_(std::move(blueprint)) { reset(); }

void Instance::reset() {
    now_ = Situation();
    for (const Parameter& p : blueprint_.parameters.list())
        now_.parameters.push_back(p.start);
    for (const double start : interface().input_starts())
        now_.inputs.push_back({start, 0, 0});
    samples_.resize(now_.inputs.size());
    simulation_.reset();
    results_valid_ = false;
}

const Variable& Instance::variable(std::size_t slot) const {
    if (slot >= interface().slots())
        throw Error(ErrorKind::usage, "there is no variable with value reference " + std::to_string(slot));
    return interface().variables()[interface().variable_of(slot)];
}

// The simulation of the current parameters and inputs. While it moves, other parameters make another one that goes on
// from the same state.
Simulation& Instance::simulation() {
    if (simulation_ && built_with_ == now_.parameters)
        return *simulation_;
    if (simulation_ && now_.moving) {
        const State state = simulation_->state();
        build(now_.parameters, true);
        simulation_->take_over(state);
    } else {
        build(now_.parameters, false);
        applied_.clear();
    }
    return *simulation_;
}

Model Instance::as_drawn(Model model) {
    model.solver.options.erase("start");
    return model;
}

void Instance::build(const std::vector<double>& parameters, bool goes_on) {
    const Model model = blueprint_.parameters.apply(blueprint_.model, parameters);
    simulation_ = std::make_unique<Simulation>(goes_on ? as_drawn(model) : model);
    built_with_ = parameters;
    results_valid_ = false;
}

// Inputs that are as the simulation has them are not set again: that would make it find its accelerations anew.
void Instance::apply_inputs() {
    Simulation& s = simulation();
    if (applied_.empty()) {
        for (const double start : interface().input_starts())
            applied_.push_back({start, 0, 0});
    }
    for (std::size_t i = 0; i < applied_.size(); ++i) {
        const InputValue& u = now_.inputs[i];
        if (u == applied_[i] && u.rate == 0 && u.acceleration == 0)
            continue;
        s.set_input(static_cast<int>(i), u.value, u.rate, u.acceleration);
        applied_[i] = u;
        results_valid_ = false;
    }
    now_.inputs_set = false;
}

// After a step with derivatives of inputs, the simulation has them as they are at its end; only what was set since then
// makes it find its accelerations anew.
Simulation& Instance::up_to_date() {
    if (now_.inputs_set || !simulation_ || built_with_ != now_.parameters)
        apply_inputs();
    return *simulation_;
}

const std::vector<double>& Instance::results() {
    up_to_date();
    if (!results_valid_) {
        results_.resize(simulation().columns().size());
        simulation().read(results_);
        results_valid_ = true;
    }
    return results_;
}

double Instance::get(std::size_t slot) {
    const Variable& v = variable(slot);
    const std::size_t at = v.source + (slot - v.slot);
    switch (v.role) {
    case Role::time:
        return now_.time;
    case Role::parameter:
        return now_.parameters[at];
    case Role::input:
        return now_.inputs[at].value;
    case Role::output:
        break;
    }
    return results()[at];
}

void Instance::set(std::size_t slot, double value) {
    const Variable& v = variable(slot);
    const std::size_t at = v.source + (slot - v.slot);
    if (!std::isfinite(value))
        throw Error(ErrorKind::usage,
                    "'" + v.element_name(slot - v.slot) + "' was given a value that is not finite");
    if (v.role == Role::parameter) {
        now_.parameters[at] = value;
    } else if (v.role == Role::input) {
        now_.inputs[at] = {value, 0, 0};
        now_.inputs_set = true;
    } else {
        throw Error(ErrorKind::usage,
                    "'" + v.element_name(slot - v.slot) + "' cannot be set; it is computed");
    }
}

void Instance::set_input_derivative(std::size_t slot, int order, double value) {
    const Variable& v = variable(slot);
    if (v.role != Role::input)
        throw Error(ErrorKind::usage,
                    "'" + v.element_name(slot - v.slot) + "' is not an input; it takes no derivative");
    if (order < 1 || order > 2)
        throw Error(ErrorKind::usage, "derivative of order " + std::to_string(order) + " of input '" +
                                          v.element_name(slot - v.slot) + "'; orders 1 and 2 are used");
    if (!std::isfinite(value))
        throw Error(ErrorKind::usage, "the derivative of '" + v.element_name(slot - v.slot) +
                                          "' was given a value that is not finite");
    InputValue& u = now_.inputs[v.source + (slot - v.slot)];
    (order == 1 ? u.rate : u.acceleration) = value;
    now_.derivatives_set = now_.inputs_set = true;
}

double Instance::output_derivative(std::size_t slot, int order) {
    const Variable& v = variable(slot);
    if (v.role != Role::output)
        throw Error(ErrorKind::usage,
                    "'" + v.element_name(slot - v.slot) + "' is not an output; it has no derivative here");
    if (order < 1)
        throw Error(ErrorKind::usage,
                    "derivative of order " + std::to_string(order) + "; orders begin with 1");
    if (order > 1)
        return 0;
    const Simulation& s = up_to_date();
    rates_.resize(s.columns().size());
    s.read_rates(rates_);
    return rates_[v.source + (slot - v.slot)];
}

void Instance::set_experiment(double start, std::optional<double> stop) {
    if (!std::isfinite(start))
        throw Error(ErrorKind::usage, "the start time is not finite");
    if (stop && !(*stop >= start))
        throw Error(ErrorKind::usage,
                    "the stop time " + digits(*stop) + " s is before the start time " + digits(start) + " s");
    now_.experiment_set = true;
    now_.start = now_.time = start;
    now_.stop = stop;
}

std::string Instance::start() {
    simulation_.reset(); // parameters may have been set back and forth: begin from what they are now
    results_valid_ = false;
    apply_inputs();
    now_.moving = true;
    const StartReport& report = simulation_->start();
    std::string remark;
    if (report.position_correction > 0 || report.velocity_correction > 0)
        remark = "the start was assembled: joint '" + report.corrected_joint + "' moved by " +
                 digits(report.position_correction) + " (m or rad), velocities by " +
                 digits(report.velocity_correction);
    if (report.rank_deficiency > 0)
        remark += (remark.empty() ? "" : "; ") + std::to_string(report.rank_deficiency) +
                  " rows of joints are redundant";
    return remark;
}

void Instance::require_step(double time, double h) const {
    if (!std::isfinite(time) || !std::isfinite(h) || !(h > 0))
        throw Error(ErrorKind::usage, "a step of " + digits(h) + " s from t = " + digits(time) +
                                          " s; the step must be positive and finite");
    if (!same_time(time, now_.time, h))
        throw Error(ErrorKind::usage, "the step begins at t = " + digits(time) +
                                          " s, but the FMU is at t = " + digits(now_.time) + " s");
    if (now_.stop && time + h > *now_.stop && !same_time(time + h, *now_.stop, h))
        throw Error(ErrorKind::usage, "the step ends at t = " + digits(time + h) +
                                          " s, after the stop time " + digits(*now_.stop) + " s");
}

double Instance::step(double time, double h, StepObserver* observer) {
    require_step(time, h);
    Simulation& s = simulation();
    const double time_before = now_.time;
    before_ = s.state();
    inputs_before_ = now_.inputs;
    applied_before_ = applied_;
    try {
        apply_inputs();
        const double end = (time + h) - now_.start;
        const double reached = advance(end, observer);
        now_.time = reached == end ? time + h : now_.start + reached;
    } catch (...) {
        s.restore(before_);
        now_.inputs = inputs_before_;
        applied_ = applied_before_;
        now_.inputs_set = true;
        now_.time = time_before;
        results_valid_ = false;
        throw;
    }
    results_valid_ = false;
    if (now_.derivatives_set) { // they were meant for this step
        const double s1 = now_.time - time_before;
        for (InputValue& u : now_.inputs)
            u = {u.value + s1 * (u.rate + 0.5 * s1 * u.acceleration), 0, 0};
        now_.derivatives_set = false;
    }
    return now_.time;
}

namespace {

/// Internal steps from `begin` to `end`. Where both lie on the grid i * step, its points are taken: the same, to the bit, as
/// those of `tenon simulate`. Elsewhere the way is divided evenly.
class InternalSteps {
  public:
    InternalSteps(double begin, double end, double step) : begin_(begin), end_(end), step_(step) {
        aligned_ = on_grid(begin) && on_grid(end);
        const double ratio = aligned_ ? std::round(end / step) - std::round(begin / step)
                                      : std::ceil((end - begin) / step - 1e-6);
        count_ = std::max(1L, static_cast<long>(ratio));
    }
    long count() const { return count_; }
    double point(long i) const {
        if (aligned_)
            return (std::round(begin_ / step_) + static_cast<double>(i)) * step_;
        return i == count_ ? end_
                           : begin_ + (end_ - begin_) * static_cast<double>(i) / static_cast<double>(count_);
    }

  private:
    bool on_grid(double t) const { return std::abs(t / step_ - std::round(t / step_)) <= 1e-6; }
    double begin_, end_, step_;
    bool aligned_ = false;
    long count_ = 1;
};

} // namespace

double Instance::advance(double end, StepObserver* observer) {
    Simulation& s = *simulation_;
    const double step = s.model().solver.step;
    InternalSteps way(s.time(), end, step);
    for (long i = 1; i <= way.count(); ++i) {
        const double to = way.point(i);
        if (observer)
            follow(*observer, s.time(), to);
        s.step(to - s.time());
        if (!observer)
            continue;
        results_valid_ = false;
        now_.time = now_.start + to;
        const std::optional<double> wanted = observer->finished(now_.time);
        if (!wanted || i == way.count())
            continue;
        const double stop = *wanted - now_.start;
        if (stop <= to || same_time(stop, to, step))
            return to;
        if (stop < end) { // the way that is left is shorter now
            end = stop;
            way = InternalSteps(to, end, step);
            i = 0;
        }
    }
    return end;
}

// Inputs over an internal step from the observer: asked at its begin, middle and end, a parabola through the three.
void Instance::follow(StepObserver& observer, double from, double to) {
    const double h = to - from;
    const std::array<double, 3> times = {from, from + 0.5 * h, to};
    for (std::size_t k = 0; k < 3; ++k) {
        observer.inputs_wanted(now_.start + times[k]);
        for (std::size_t i = 0; i < samples_.size(); ++i)
            samples_[i][k] = now_.inputs[i].value;
    }
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const auto& [u0, um, u1] = samples_[i];
        now_.inputs[i] = {u0, (4 * (um - u0) - (u1 - u0)) / h, 4 * ((u1 - um) - (um - u0)) / (h * h)};
    }
    apply_inputs();
    for (std::size_t i = 0; i < samples_.size(); ++i)
        now_.inputs[i] = {samples_[i][2], 0, 0}; // what they read at its end
}

} // namespace tenon::fmu
