// With x = s - free:
//   spring   effort -F(x), potential V = integral of F; over a step -(V(x1) - V(x0)) / (x1 - x0), the mean of -F (law.cpp)
//   damper   effort -D(x')
//
// Stops. The bump stop acts where p = x_b - x > 0 and pushes towards larger x, the rebound stop where p = x - x_r > 0, the other
// way. A stop pushes with
//   k p + c p' where p > 0, but never with less than zero;   potential k p^2 / 2
// Over a step from p0 to p1 its potential's difference quotient is
//   k (p0 + p1) / 2             both ends in
//   k p^2 / (2 (p - p-))        one end in (p) and one out (p-): the part p / (p - p-) of the way is in the stop
// and the damper acts on that part of the way, so that the effort is continuous where a step ends at the stop. At a point the damper
// sets in at once.

#include "core/model/spring_laws.hpp"

#include <algorithm>

namespace tenon {
namespace {

/// What a stop pushes with at p, or from p0 to p1, in the sense of its p: elastic part, loss; and what changes them.
LoadEffort push(const Stop& stop, double p0, double p1, double rate) {
    LoadEffort effort;
    if (p0 <= 0 && p1 <= 0)
        return effort;
    double in = 1, in_by_end = 0; // the part of the way that is in the stop, and its derivative by p1
    effort.elastic = 0.5 * stop.stiffness * (p0 + p1);
    effort.stiffness = stop.stiffness;
    if (p0 <= 0 || p1 <= 0) {
        const double inside = std::max(p0, p1), way = inside - std::min(p0, p1);
        in = inside / way;
        in_by_end = p1 > 0 ? -p0 / (way * way) : p0 / (way * way);
        effort.elastic = 0.5 * stop.stiffness * inside * in;
        effort.stiffness = stop.stiffness * (p1 > 0 ? in * (2 - in) : in * in);
    }
    effort.loss = stop.damping * in * rate;
    effort.stiffness += 2 * stop.damping * in_by_end * rate;
    effort.damping = stop.damping * in;
    if (effort.elastic + effort.loss < 0) { // it does not pull
        effort.loss = -effort.elastic;
        effort.stiffness = effort.damping = 0;
    }
    return effort;
}

} // namespace

SpringLaws::SpringLaws(double free, const Law& spring, const Law& damper, std::optional<Stop> bump,
                       std::optional<Stop> rebound)
    : free_(free), spring_(spring), damper_(damper), bump_(bump), rebound_(rebound) {}

double SpringLaws::potential(double s) const {
    const double x = s - free_;
    double held = spring_.integral(x);
    if (bump_ && x < bump_->at)
        held += 0.5 * bump_->stiffness * (bump_->at - x) * (bump_->at - x);
    if (rebound_ && x > rebound_->at)
        held += 0.5 * rebound_->stiffness * (x - rebound_->at) * (x - rebound_->at);
    return held;
}

LoadEffort SpringLaws::between(double s0, double s1, double rate) const {
    const double x0 = s0 - free_, x1 = s1 - free_;
    LoadEffort effort;
    if (!spring_.empty()) {
        effort.elastic = -spring_.mean(x0, x1);
        effort.stiffness = 2 * spring_.mean_slope(x0, x1);
    }
    if (!damper_.empty()) {
        effort.loss = -damper_.value(rate);
        effort.damping = damper_.slope(rate);
    }
    const auto add = [&](const LoadEffort& stop, double sense) {
        effort.elastic += sense * stop.elastic;
        effort.loss += sense * stop.loss;
        effort.stiffness += stop.stiffness;
        effort.damping += stop.damping;
    };
    if (bump_)
        add(push(*bump_, bump_->at - x0, bump_->at - x1, -rate), 1);
    if (rebound_)
        add(push(*rebound_, x0 - rebound_->at, x1 - rebound_->at, rate), -1);
    return effort;
}

bool SpringLaws::dissipates() const {
    return !damper_.empty() || (bump_ && bump_->damping != 0) || (rebound_ && rebound_->damping != 0);
}

double SpringLaws::beyond(double s) const {
    const double x = s - free_;
    return std::max({0.0, bump_ ? bump_->at - x : 0.0, rebound_ ? x - rebound_->at : 0.0});
}

} // namespace tenon
