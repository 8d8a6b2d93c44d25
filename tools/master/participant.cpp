#include "tools/master/participant.hpp"

#include <cmath>

namespace tenon::master {
namespace {

/// A step of this length can bear the price of the clock each time.
constexpr auto long_call = std::chrono::microseconds(5);
constexpr unsigned short_calls_unmeasured = 15;

} // namespace

unsigned Participant::note_time(std::chrono::steady_clock::duration time) {
    const unsigned unmeasured = time > long_call ? 0 : short_calls_unmeasured;
    seconds += std::chrono::duration<double>(time).count() * (unmeasured + 1);
    return unmeasured;
}

bool Participant::failed(const char* call, fmi::Status status) {
    failure = {.kind = Failure::Kind::call, .participant = number, .call = call, .status = status};
    if (status == fmi::Status::fatal)
        dead_ = true;
    return false;
}

bool Participant::send_others() {
    for (const ValueBlock& block : other_inputs)
        if (!succeeded("Set", block.set(*slave)))
            return false;
    return true;
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
    const Sample sample(*this, Work::state);
    return succeeded("GetFMUState", slave->save(states_.at(level)));
}

bool Participant::restore(std::size_t level) {
    const Sample sample(*this, Work::state);
    if (!succeeded("SetFMUState", slave->restore(states_.at(level))))
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
