#include "tools/master/rewind.hpp"

#include <algorithm>

namespace tenon::master {

Rewind::Rewind(Ensemble& ensemble, std::size_t stride)
    : ensemble_(ensemble), stride_(stride), always_(stride == 1), memory_(stride) {
    for (Step& step : memory_)
        step.inputs.resize(ensemble.signals.inputs.size());
}

bool Rewind::save(Failure& failure) {
    steps_ = {};
    saved_ = ensemble_.save_base(failure);
    return saved_;
}

void Rewind::note(double t, double h) {
    Step& step = memory_[steps_.size()];
    step.t = t;
    step.h = h;
    std::ranges::copy(ensemble_.signals.inputs, step.inputs.begin());
    steps_ = std::span(memory_).first(steps_.size() + 1);
}

bool Rewind::repeat(Participant& participant) {
    for (const Step& step : steps_)
        if (!participant.send(step.inputs.data()) || participant.advance(step.t, step.h) & flag_failed)
            return false;
    return true;
}

bool Rewind::back(Failure& failure) {
    if (!saved_ || !ensemble_.restore_base(failure))
        return saved_ = false;
    for (const auto& participant : ensemble_.participants) {
        if (!participant->rollback || participant->is_dead())
            continue;
        if (!repeat(*participant) || !participant->receive_others()) {
            failure = participant->failure;
            return saved_ = false;
        }
    }
    return true;
}

} // namespace tenon::master
