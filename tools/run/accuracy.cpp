#include "tools/run/accuracy.hpp"

#include "core/math/error.hpp"
#include "tools/run/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::run {
namespace {

constexpr Eigen::Index per_body = 12; // q of every face: centre of mass, then three directors
constexpr long most_samples = 20;
/// A sample costs two steps and a little: with this many steps to one, less than 5 %.
constexpr long steps_a_sample = 46;
constexpr double order_factor = 4.0 / 3;
/// A step that the core had to make in more parts than half of these is no sample.
constexpr long most_parts = 512;

/// One step of length h in equal parts.
void step_in_parts(Simulation& simulation, double h, long parts) {
    const double begin = simulation.time();
    for (long i = 1; i <= parts; ++i)
        simulation.step(begin + h * static_cast<double>(i) / static_cast<double>(parts) - simulation.time());
}

} // namespace

std::string position_doubt(const PositionError& off, double motion, bool measured) {
    if (off.metres > motion)
        return fmt::format(
            "the step does not resolve the motion: the {} error of positions, {} m (body '{}'), is larger "
            "than the motion of {} m",
            measured ? "measured" : "estimated", short_number(off.metres), off.body, short_number(motion));
    if (off.metres > doubtful_position * motion)
        return fmt::format("positions are off by {} {} m (body '{}'), {:.2g} % of the motion of {} m",
                           measured ? "at least" : "about", short_number(off.metres), off.body,
                           100 * off.metres / motion, short_number(motion));
    return {};
}

Places::Places(const Model& model) {
    for (const Body& body : model.bodies) {
        radius_.push_back(body.mass > 0 ? std::sqrt(body.inertia.trace() / (2 * body.mass)) : 0.0);
        mass_.push_back(body.mass);
        director_mass_.push_back(0.5 * body.inertia.trace() * Mat3::Identity() - body.inertia);
    }
    flies_ = std::none_of(model.joints.begin(), model.joints.end(),
                          [](const Joint& joint) { return joint.first == world || joint.second == world; });
}

double Places::kinetic_in_itself(const Vector& rate) const {
    const double whole = kinetic(rate);
    if (!flies_)
        return whole;
    double mass = 0;
    Vec3 momentum = Vec3::Zero();
    for (std::size_t b = 0; b < bodies(); ++b) {
        mass += mass_[b];
        momentum += mass_[b] * rate.segment<3>(per_body * static_cast<Eigen::Index>(b));
    }
    return std::max(whole - 0.5 * momentum.squaredNorm() / mass, 0.1 * whole);
}

double Places::kinetic(const Vector& rate) const {
    double twice = 0;
    for (std::size_t b = 0; b < bodies(); ++b) {
        const Eigen::Index at = per_body * static_cast<Eigen::Index>(b);
        twice += mass_[b] * rate.segment<3>(at).squaredNorm();
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                twice += director_mass_[b](i, j) *
                         rate.segment<3>(at + 3 + 3 * i).dot(rate.segment<3>(at + 3 + 3 * j));
    }
    return 0.5 * twice;
}

Vec3 Places::velocity(std::size_t body, const Vector& v) const {
    const Eigen::Index length =
        v.size() / static_cast<Eigen::Index>(bodies()); // 6 or 12 a body, that of its centre first
    return v.segment<3>(length * static_cast<Eigen::Index>(body));
}

double Places::distance(std::size_t body, const Vector& q, const Vector& other) const {
    const Eigen::Index at = per_body * static_cast<Eigen::Index>(body);
    // |D - D'| = sqrt(2) |theta| for small angles
    return (q.segment<3>(at) - other.segment<3>(at)).norm() +
           radius_[body] * std::sqrt(0.5) * (q.segment<9>(at + 3) - other.segment<9>(at + 3)).norm();
}

double Places::extent(const Vector& q) const {
    double extent = 0;
    for (std::size_t b = 0; b < radius_.size(); ++b)
        extent = std::max({extent, radius_[b],
                           q.segment<3>(per_body * static_cast<Eigen::Index>(b)).lpNorm<Eigen::Infinity>()});
    return extent;
}

WatchedModel::WatchedModel(Simulation& simulation, std::vector<std::size_t> columns, long steps,
                           std::unique_ptr<Simulation> twin)
    : SteppedModel(simulation, std::move(columns)), simulation_(simulation), places_(simulation.model()),
      steps_(steps), samples_(steps == 0 ? 0 : std::clamp(steps / steps_a_sample, 1l, most_samples)),
      start_(simulation.state().q), halves_(start_), before_probe_(simulation.state()),
      after_step_(before_probe_), last_q_(start_), rate_(Vector::Zero(start_.size())), change_(rate_),
      leap_rate_(rate_), sums_(places_.bodies()), velocity_sums_(places_.bodies(), Vec3::Zero()),
      twin_(std::move(twin)) {
    if (twin_)
        difference_ = {0, "", simulation.time()};
}

/// Samples are spread evenly: in the middle of each of so many parts of the run.
bool WatchedModel::sampled() const {
    if (samples_ == 0)
        return false;
    const long k = done_ * samples_ / std::max(steps_, 1l);
    return done_ == (2 * k + 1) * steps_ / (2 * samples_);
}

/// In how many parts the last step of length h is to be made to be finer than it was: two, unless the core had to make it in parts.
long WatchedModel::finer_parts(double h) const {
    return 2 * std::max(std::lround(h / simulation_.report().shortest_part), 1l);
}

/// The last step, of length h, once more in finer parts, and forth again; false where they fail, or are too many.
bool WatchedModel::probe(double h) {
    const long parts = finer_parts(h);
    if (parts > most_parts)
        return false;
    after_step_ = simulation_.state();
    const RunReport report = simulation_.report();
    simulation_.restore(before_probe_);
    bool good = true;
    try {
        step_in_parts(simulation_, h, parts);
        halves_ = simulation_.state().q;
        halves_v_ = simulation_.state().v;
    } catch (const Error&) {
        good = false;
    }
    simulation_.restore(after_step_, report);
    return good;
}

void WatchedModel::look_for_leaps(double h) {
    const Vector& q = simulation_.state().q;
    leap_rate_ = (q - last_q_) / h;
    last_q_ = q;
    leap_.kinetic = std::max(leap_.kinetic, places_.kinetic_in_itself(leap_rate_));
    leap_rate_.swap(rate_); // rate_ of this step, leap_rate_ of the one before
    leap_rate_ = rate_ - leap_rate_;
    leap_rate_.swap(change_);
    leap_rate_ = change_ - leap_rate_;
    const double energy = places_.kinetic(leap_rate_);
    // A leap shows in the steps around it as well: those before are the third to the sixth.
    const long n = static_cast<long>(leaps_.size());
    double before = 0;
    for (long i = 3; i <= n; ++i)
        before = std::max(before, leaps_[static_cast<std::size_t>((done_ + n - i) % n)]);
    leaps_[static_cast<std::size_t>(done_ % n)] = energy;
    if (done_ > n + 3 && energy > Leap::stands_out * before && energy > leap_.energy) {
        leap_.energy = energy;
        leap_.time = simulation_.time();
    }
}

bool WatchedModel::step(double until) {
    const double h = until - simulation_.time();
    const bool is_sample = sampled();
    if (is_sample)
        before_probe_ = simulation_.state();
    const bool goes_on = SteppedModel::step(until);
    const bool probed = is_sample && probe(h);
    ++done_;
    look_for_leaps(h);
    if (probed) {
        ++sampled_;
        for (std::size_t b = 0; b < sums_.size(); ++b) {
            sums_[b] += places_.distance(b, simulation_.state().q, halves_);
            motion_ = std::max(motion_, places_.distance(b, simulation_.state().q, start_));
            const Vec3 velocity = places_.velocity(b, simulation_.state().v);
            speed_ = std::max(speed_, velocity.norm());
            velocity_sums_[b] += velocity - places_.velocity(b, halves_v_);
        }
    }
    if (twin_)
        follow(h);
    return goes_on;
}

void WatchedModel::follow(double h) {
    try {
        step_in_parts(*twin_, h, std::min(finer_parts(h), most_parts));
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
    const double steps = order_factor * static_cast<double>(done_) / static_cast<double>(sampled_);
    const double tau = speed_ > 0 ? motion_ / speed_ : 0, lever = std::min(tau, 0.5 * simulation_.time());
    PositionError worst{-1, "", NAN};
    for (std::size_t b = 0; b < sums_.size(); ++b)
        if (const double metres = steps * (sums_[b] + lever * velocity_sums_[b].norm());
            !(metres <= worst.metres))
            worst = {metres, simulation_.model().bodies[b].name, NAN};
    return worst;
}

} // namespace tenon::run
