#include "tools/master/participant.hpp"

#include "tools/master/same_time.hpp"

#include <cmath>

namespace tenon::master {
namespace {

/// A step of this length can bear the price of the clock each time.
constexpr auto long_call = std::chrono::microseconds(5);

} // namespace

void Participant::note_time(std::chrono::steady_clock::duration time) {
    seconds += std::chrono::duration<double>(time).count() * (sample_mask_ + 1);
    if (time > long_call)
        sample_mask_ = 0;
}

bool Participant::failed(const char* call, fmi::Status status) {
    failure = {.kind = Failure::Kind::call, .participant = number, .call = call, .status = status};
    if (status == fmi::Status::fatal)
        dead_ = true;
    return false;
}

unsigned Participant::advance(double t, double h) {
    ++dosteps;
    callback_failed = false;
    result = slave->step(t, h, !rollback);
    // FMI 2.0 asks for the end of the simulation by a Discard.
    const bool wants_to_end = result.status == fmi::Status::discard && result.terminate;
    if (result.status > fmi::Status::warning && !wants_to_end) [[unlikely]] {
        failed("DoStep", result.status);
        failure.h = h;
        return flag_failed;
    }
    if (callback_failed) [[unlikely]]
        return flag_failed; // the failure is that of the callback
    unsigned flags = 0;
    if (result.early && is_before(result.reached, t + h, h))
        flags |= flag_early;
    if (result.event)
        flags |= flag_event;
    if (result.terminate)
        flags |= flag_terminate;
    return flags;
}

bool Participant::send(const double* inputs) {
    if (input_count > 0 &&
        !succeeded("Set", slave->set(input_references, std::span(inputs + first_input, input_count))))
        return false;
    return other_inputs.empty() || send_others();
}

bool Participant::send_others() {
    for (const ValueBlock& block : other_inputs)
        if (!succeeded("Set", block.set(*slave)))
            return false;
    return true;
}

bool Participant::receive(double* outputs) {
    if (output_count > 0) {
        const std::span values(outputs + first_output, output_count);
        if (!succeeded("Get", slave->get(output_references, values)))
            return false;
        double sum = 0; // stays zero unless one of them is not finite
        for (const double value : values)
            sum += value * 0;
        if (sum != 0 || std::isnan(sum)) [[unlikely]]
            return not_finite(outputs);
    }
    return other_outputs.empty() || receive_others();
}

bool Participant::not_finite(const double* outputs) {
    for (std::size_t i = first_output; i < first_output + output_count; ++i)
        if (!std::isfinite(outputs[i])) {
            failure = {
                .kind = Failure::Kind::not_finite, .participant = number, .slot = i, .value = outputs[i]};
            return false;
        }
    return true;
}

bool Participant::receive_others() {
    for (ValueBlock& block : other_outputs)
        if (!succeeded("Get", block.get(*slave)))
            return false;
    return true;
}

bool Participant::save(std::size_t level) {
    const Sample sample(*this);
    return succeeded("GetFMUState", slave->save(states_[level]));
}

bool Participant::restore(std::size_t level) {
    const Sample sample(*this);
    if (!succeeded("SetFMUState", slave->restore(states_[level])))
        return false;
    failure = {};
    return true;
}

void Participant::discard_states() {
    for (fmi::StateHandle& state : states_)
        if (state && !dead_)
            slave->discard(state);
}

bool Participant::serialize(std::vector<unsigned char>& bytes) {
    return save(0) && succeeded("SerializeFMUState", slave->serialize(states_[0], bytes));
}

bool Participant::deserialize(std::span<const unsigned char> bytes) {
    return succeeded("DeserializeFMUState", slave->deserialize(bytes, states_[0])) && restore(0);
}

} // namespace tenon::master
