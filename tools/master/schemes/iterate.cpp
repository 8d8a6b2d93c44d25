// Iteration: inputs and outputs agree at the end of the step. Loops of participants repeat their step, rolled back each
// time, until
//
//     u(t + h) = W y(t + h; u)
//
// within the tolerance; by fixed-point iteration or Broyden's method. Participants on no loop step once, in the order of
// the connections. Inputs are curves through the value at the end: error of order k + 1 with order k, and outputs that
// have feedthrough fit together at every communication point.

#include "core/math/bytes.hpp"
#include "tools/master/dependencies.hpp"
#include "tools/master/schemes/curve_step.hpp"
#include "tools/master/schemes/quasi_newton.hpp"
#include "tools/master/schemes/scheme_types.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tenon::master {
namespace {

class Iterate final : public Scheme {
  public:
    explicit Iterate(Ensemble& ensemble);

    Outcome advance(double t, double h) override;
    bool forget() override;
    void write(ByteWriter& bytes) const override;
    void read(ByteReader& bytes) override;

    /// Participants on loops without rollback.
    static std::vector<std::size_t> stuck(const Ensemble& ensemble);

  private:
    struct Part {
        std::vector<std::size_t> members; ///< participants
        bool loop = false;
        std::vector<std::size_t> inputs; ///< all their float64 inputs
        std::vector<std::size_t>
            slots; ///< those that come from within the loop by a float64 wire: the unknowns
        QuasiNewton newton{0};
        std::vector<double> x, residual; ///< divided by the nominal values
    };

    unsigned solve(Part& part, double t, double h, Failure& failure);
    bool collect_inputs(const Part& part, Failure& failure, bool* changed);
    bool has_converged(Part& part, Failure& failure) const;
    void improve(Part& part);
    unsigned step(const Part& part, double t, double h);

    Ensemble& ensemble_;
    std::vector<Part> parts_;
    std::vector<double> ends_, fresh_; ///< inputs at the end of the step: assumed, and what the outputs give
    std::vector<char> feeds_through_;
    double tolerance_;
    int most_iterations_;
    bool quasi_newton_;
};

Iterate::Iterate(Ensemble& ensemble)
    : ensemble_(ensemble), ends_(ensemble.signals.inputs.size()), fresh_(ensemble.signals.inputs.size()),
      feeds_through_(feeds_through(ensemble.wiring, ensemble.participants)),
      tolerance_(ensemble.system.system.master.tolerance),
      most_iterations_(ensemble.system.system.master.max_iterations),
      quasi_newton_(ensemble.system.system.master.iteration == "quasi-newton") {
    ensemble.delivery.hold_at_end(feeds_through_);
    const Successors graph = participant_graph(ensemble.wiring, ensemble.participants.size());
    std::vector<std::size_t> part_of(graph.size());
    for (std::vector<std::size_t>& members : components(graph)) {
        for (const std::size_t i : members)
            part_of[i] = parts_.size();
        Part& part = parts_.emplace_back();
        part.loop = is_loop(graph, members);
        part.members = std::move(members);
    }
    const std::vector<Port>&inputs = ensemble.wiring.inputs(), &outputs = ensemble.wiring.outputs();
    for (const Port& port : inputs)
        for (std::size_t i = 0; i < port.count && port.block == Port::shared; ++i)
            parts_[part_of[port.participant]].inputs.push_back(port.first + i);
    for (const Wiring::Wire& wire : ensemble.wiring.wires()) {
        const Port &from = outputs[wire.from], &to = inputs[wire.to];
        if (part_of[from.participant] == part_of[to.participant] && from.block == Port::shared &&
            to.block == Port::shared)
            parts_[part_of[to.participant]].slots.push_back(wire.to_index);
    }
    for (Part& part : parts_) {
        part.newton = QuasiNewton(quasi_newton_ && part.loop ? part.slots.size() : 0);
        part.x.resize(part.slots.size());
        part.residual.resize(part.slots.size());
    }
}

std::vector<std::size_t> Iterate::stuck(const Ensemble& ensemble) {
    const Successors graph = participant_graph(ensemble.wiring, ensemble.participants.size());
    std::vector<std::size_t> result;
    for (const std::vector<std::size_t>& members : components(graph))
        for (const std::size_t i : members)
            if (is_loop(graph, members) && !ensemble.participants[i]->rollback)
                result.push_back(i);
    std::ranges::sort(result);
    return result;
}

bool Iterate::forget() {
    bool had = false;
    for (Part& part : parts_)
        had |= part.newton.forget();
    return had;
}

Outcome Iterate::advance(double t, double h) {
    Outcome outcome;
    if (!begin_curves(ensemble_, t, outcome.failure))
        return outcome;
    ensemble_.signals.next = ensemble_.signals.now;
    unsigned flags = 0;
    for (Part& part : parts_) {
        const unsigned one = solve(part, t, h, outcome.failure);
        if (outcome.failure)
            return outcome;
        flags |= one;
        if (one & (flag_failed | flag_early))
            return ensemble_.outcome(flags, t, h, part.members);
    }
    return ensemble_.outcome(flags, t, h);
}

/// Inputs of all members at the end of the step from the outputs that are there; without `changed` into ends_.
bool Iterate::collect_inputs(const Part& part, Failure& failure, bool* changed) {
    const double* next = ensemble_.signals.next.data();
    for (const std::size_t i : part.members) {
        ensemble_.wiring.gather(i, next, changed ? fresh_.data() : ends_.data());
        if (ensemble_.wiring.has_others() &&
            !ensemble_.wiring.gather_others(i, ensemble_.participants, next, ends_.data(), failure, changed))
            return false;
    }
    return true;
}

unsigned Iterate::step(const Part& part, double t, double h) {
    for (const std::size_t slot : part.inputs)
        ensemble_.curves.interpolate(slot, ends_[slot], h);
    return step_along_curves(ensemble_, part.members, t, h);
}

unsigned Iterate::solve(Part& part, double t, double h, Failure& failure) {
    if (!collect_inputs(part, failure, nullptr))
        return flag_failed;
    if (!part.loop)
        return step(part, t, h);
    if (ensemble_.curves.order() > 0)
        for (const std::size_t slot : part.slots)
            ends_[slot] = ensemble_.curves.at(slot, h); // the curves are still those through the past
    part.newton.begin();
    for (int iteration = 1;; ++iteration) {
        ++ensemble_.report.iterations;
        const unsigned flags = step(part, t, h);
        if (flags & (flag_failed | flag_early))
            return flags;
        bool changed = false;
        if (!collect_inputs(part, failure, &changed))
            return flag_failed;
        const bool converged = has_converged(part, failure);
        if (converged && !changed) {
            failure = {};
            return flags;
        }
        if (iteration == most_iterations_) {
            if (converged)
                failure.kind = Failure::Kind::not_settled;
            failure.iterations = iteration;
            failure.h = h;
            return flag_failed;
        }
        failure = {};
        improve(part);
        if (!ensemble_.restore(part.members, failure))
            return flag_failed;
    }
}

/// Leaves the residuals behind, and in `failure` the worst of them.
bool Iterate::has_converged(Part& part, Failure& failure) const {
    failure = {
        .kind = Failure::Kind::not_converged, .participant = part.members.front(), .limit = tolerance_};
    bool converged = true;
    for (std::size_t i = 0; i < part.slots.size(); ++i) {
        const std::size_t slot = part.slots[i];
        const double nominal = ensemble_.wiring.nominal()[slot], change = fresh_[slot] - ends_[slot];
        part.x[i] = ends_[slot] / nominal;
        part.residual[i] = change / nominal;
        const double relative = std::abs(change) / std::max(std::abs(fresh_[slot]), nominal);
        if (!(relative <= tolerance_))
            converged = false;
        if (!(relative <= failure.value)) {
            failure.value = relative;
            failure.slot = slot;
        }
    }
    return converged;
}

void Iterate::improve(Part& part) {
    if (quasi_newton_)
        part.newton.next(part.x, part.residual);
    for (std::size_t i = 0; i < part.slots.size(); ++i) {
        const std::size_t slot = part.slots[i];
        ends_[slot] = quasi_newton_ ? part.x[i] * ensemble_.wiring.nominal()[slot] : fresh_[slot];
    }
}

void Iterate::write(ByteWriter& bytes) const {
    for (const Part& part : parts_) {
        const Eigen::MatrixXd& inverse = part.newton.inverse();
        bytes.put(part.newton.has_learned());
        bytes.put(std::span(inverse.data(), static_cast<std::size_t>(inverse.size())));
    }
}

void Iterate::read(ByteReader& bytes) {
    for (Part& part : parts_) {
        Eigen::MatrixXd inverse = part.newton.inverse();
        const bool has_learned = bytes.get<bool>();
        bytes.get(std::span(inverse.data(), static_cast<std::size_t>(inverse.size())));
        part.newton.set_inverse(inverse, has_learned);
    }
}

} // namespace

SchemeType schemes::iterate() {
    return {.name = "iterate",
            .make = make_scheme<Iterate>,
            .need = "needs rollback",
            .capability = "canGetAndSetFMUState",
            .unfit = Iterate::stuck,
            .iterates = true};
}

} // namespace tenon::master
