#include "tools/run/accuracy.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::run {
namespace {

constexpr Eigen::Index per_body = 12; // q of every face: centre of mass, then three directors
constexpr long most_samples = 20;
/// A sample costs two steps and a little: with this many steps to one, less than 5 %.
constexpr long steps_a_sample = 46;
constexpr double order_factor = 4.0 / 3;

} // namespace

Places::Places(const Model& model) {
    for (const Body& body : model.bodies)
        radius_.push_back(body.mass > 0 ? std::sqrt(body.inertia.trace() / (2 * body.mass)) : 0.0);
}

double Places::distance(std::size_t body, const Vector& q, const Vector& other) const {
    const Eigen::Index at = per_body * static_cast<Eigen::Index>(body);
    // |D - D'| = sqrt(2) |theta| for small angles
    return (q.segment<3>(at) - other.segment<3>(at)).norm() +
           radius_[body] * std::sqrt(0.5) * (q.segment<9>(at + 3) - other.segment<9>(at + 3)).norm();
}

WatchedModel::WatchedModel(Simulation& simulation, std::vector<std::size_t> columns, long steps,
                           std::unique_ptr<Simulation> twin)
    : SteppedModel(simulation, std::move(columns)), simulation_(simulation), places_(simulation.model()),
      steps_(steps), samples_(std::clamp(steps / steps_a_sample, 1l, most_samples)),
      start_(simulation.state().q), halves_(start_), before_probe_(simulation.state()),
      sums_(places_.bodies()), twin_(std::move(twin)) {
    if (twin_)
        difference_ = {0, "", simulation.time()};
}

/// Samples are spread evenly: in the middle of each of so many parts of the run.
bool WatchedModel::sampled() const {
    const long k = done_ * samples_ / std::max(steps_, 1l);
    return done_ == (2 * k + 1) * steps_ / (2 * samples_);
}

/// Two halves of the coming step, and back; false where they fail, which the step itself may not.
bool WatchedModel::probe(double h) {
    before_probe_ = simulation_.state();
    const RunReport report = simulation_.report();
    bool good = true;
    try {
        simulation_.step(0.5 * h);
        simulation_.step(before_probe_.time + h - simulation_.time());
        halves_ = simulation_.state().q;
    } catch (const Error&) {
        good = false;
    }
    simulation_.restore(before_probe_, report);
    return good;
}

bool WatchedModel::step(double until) {
    const double h = until - simulation_.time();
    const bool probed = sampled() && probe(h);
    const bool goes_on = SteppedModel::step(until);
    ++done_;
    if (probed) {
        ++sampled_;
        for (std::size_t b = 0; b < sums_.size(); ++b) {
            sums_[b] += places_.distance(b, simulation_.state().q, halves_);
            motion_ = std::max(motion_, places_.distance(b, simulation_.state().q, start_));
        }
    }
    if (twin_)
        follow(h);
    return goes_on;
}

void WatchedModel::follow(double h) {
    try {
        const double begin = twin_->time();
        twin_->step(0.5 * h);
        twin_->step(begin + h - twin_->time());
    } catch (const Error& error) {
        twin_failure_ = error.what();
        twin_.reset();
        return;
    }
    for (std::size_t b = 0; b < sums_.size(); ++b) {
        const double d = places_.distance(b, simulation_.state().q, twin_->state().q);
        if (d > difference_.metres)
            difference_ = {d, simulation_.model().bodies[b].name, simulation_.time()};
        motion_ = std::max(motion_, places_.distance(b, simulation_.state().q, start_));
    }
}

PositionError WatchedModel::estimate() const {
    if (sampled_ == 0 || sums_.empty())
        return {};
    const auto worst = std::ranges::max_element(sums_);
    return {order_factor * *worst / static_cast<double>(sampled_) * static_cast<double>(done_),
            simulation_.model().bodies[static_cast<std::size_t>(worst - sums_.begin())].name, NAN};
}

} // namespace tenon::run
