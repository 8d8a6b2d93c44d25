#include "core/simulation/judge.hpp"

#include "core/math/digits.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// A machine at rest has no energy to compare with but the potential of its weight: errors below this part of it are rounding and
/// the solver's tolerance.
constexpr double rest = 1e-6;
/// Speeds and violations below this, m/s or rad/s, are the same.
constexpr double rest_speed = 1e-6;
/// How much more energy a method may lose that damps on purpose, besides what springs hold.
constexpr double damping_factor = 2;

std::string percent(double part) { return rounded(100 * part) + " %"; }

} // namespace

std::string description(const Verdict& v, double from) {
    const std::string time = "t = " + digits(from) + " s";
    const std::string moved = " of the " + rounded(v.scale) + " J that the machine has moved so far)";
    switch (v.of) {
    case Verdict::Of::energy_of_step:
        return "the step from " + time + " changes the energy by " + rounded(v.value) +
               " J that no work accounts for (limit " + rounded(v.limit) + " J, " +
               percent(v.limit / v.scale) + moved;
    case Verdict::Of::energy:
        return "with the step from " + time + " the energy is off by " + rounded(v.value) + " J (limit " +
               rounded(v.limit) + " J, " + percent(v.limit / v.scale) + moved;
    case Verdict::Of::velocity:
        return "with the step from " + time + " joints come apart at " + rounded(v.value) +
               " m/s or rad/s (limit " + rounded(v.limit) + ", " + percent(Judge::velocity_limit) +
               " of the largest speed so far)";
    case Verdict::Of::not_finite:
        break;
    }
    return "with the step from " + time + " the energy is no longer finite (" + rounded(v.value) + ")";
}

std::string refusal(const Verdict& verdict, double from, int parts) {
    return std::string(divergence_words) + description(verdict, from) +
           (parts > 1 ? ", in " + std::to_string(parts) + " parts, too" : "") +
           "; a smaller step is the first thing to try";
}

Judge::Judge(bool dissipates, double weight_work, double unit_kinetic)
    : dissipates_(dissipates), rest_(rest * weight_work + unit_kinetic * rest_speed * rest_speed) {}

double Judge::scale(const EnergyAccount& account) const {
    return account.kinetic + account.springs + account.exchanged + rest_;
}

void Judge::start(EnergyAccount& account, const Judged& now) const {
    account = {};
    account.start = now.energy - now.work;
    account.kinetic = now.kinetic;
    account.springs = now.springs;
    account.speed = now.speed;
}

void Judge::shift(EnergyAccount& account, const Judged& now) const {
    account.start = now.energy - now.work - account.corrected - account.error;
    account.kinetic = std::max(account.kinetic, now.kinetic);
    account.springs = std::max(account.springs, now.springs);
}

std::optional<Verdict> Judge::step(EnergyAccount& account, const Judged& now) const {
    const double balance = now.energy - now.work - account.corrected;
    if (!std::isfinite(balance)) {
        return Verdict{Verdict::Of::not_finite, balance, 0, 0};
    }
    if (now.jumped)
        account.start = balance - account.error;
    const double change = balance - account.start - account.error;
    account.error = balance - account.start;
    // Energy out of nothing is no measure of itself: a motion that grows by a little in every step would never be caught.
    const double gained = std::max(account.error, 0.0);
    account.kinetic = std::max(account.kinetic, now.kinetic - gained);
    account.springs = std::max(account.springs, now.springs - gained);
    account.speed = std::max(account.speed, now.speed);
    account.exchanged += now.exchanged;

    const double floor = rest_ + 1e-9 * (std::abs(now.energy) + std::abs(now.work));
    const auto limit_of = [&](double error, double part, double whole) {
        return dissipates_ && error < 0 ? damping_factor * part * whole + account.springs : part * whole;
    };
    const double in_step = account.kinetic + account.springs + now.exchanged + floor;
    if (const double limit = limit_of(change, step_limit, in_step); std::abs(change) > limit) {
        return Verdict{Verdict::Of::energy_of_step, change, limit, in_step};
    }
    const double whole = account.kinetic + account.springs + account.exchanged + floor;
    if (const double limit = limit_of(account.error, energy_limit, whole); std::abs(account.error) > limit) {
        return Verdict{Verdict::Of::energy, account.error, limit, whole};
    }
    if (const double limit = velocity_limit * account.speed + rest_speed; now.velocity_violation > limit) {
        return Verdict{Verdict::Of::velocity, now.velocity_violation, limit, account.speed};
    }
    return {};
}

} // namespace tenon
