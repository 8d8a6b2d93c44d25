// Copies of an instance's state: in memory, and as bytes that another process can go on with.

#include "fmu/instance.hpp"

#include "core/math/bytes.hpp"
#include "core/math/error.hpp"
#include "core/model/model_bytes.hpp"
#include "core/simulation/state_bytes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tenon::fmu {

void Instance::save(Snapshot& snapshot) const {
    snapshot.now = now_;
    if (!now_.moving)
        return;
    snapshot.built_with = built_with_;
    snapshot.applied = applied_;
    snapshot.state = simulation_->state();
}

void Instance::restore(const Snapshot& snapshot) {
    if (snapshot.now.moving) {
        if (!simulation_ || built_with_ != snapshot.built_with)
            build(snapshot.built_with, true);
        simulation_->restore(snapshot.state);
        applied_ = snapshot.applied;
    } else {
        simulation_.reset();
    }
    now_ = snapshot.now;
    results_valid_ = false;
}

// ---- bytes ---------------------------------------------------------------------------------------------------------
// magic, token, then all numbers as doubles, then the core's own bytes of the state, then a checksum of it all.

namespace {

constexpr char magic[8] = {'T', 'E', 'N', 'O', 'N', 'F', 'S', '1'};

[[noreturn]] void refuse(const char* why) {
    throw Error(ErrorKind::model, std::string("the serialized state cannot be used: ") + why);
}

/// Calls f with every number of a snapshot but those of the core's state, in a fixed order.
template <class S, class F> void each_number(S& s, F&& f) {
    auto phase = static_cast<double>(s.now.phase), moving = s.now.moving ? 1.0 : 0.0,
         has_stop = s.now.stop ? 1.0 : 0.0, stop = s.now.stop.value_or(0),
         derivatives = s.now.derivatives_set ? 1.0 : 0.0, inputs_set = s.now.inputs_set ? 1.0 : 0.0,
         experiment = s.now.experiment_set ? 1.0 : 0.0;
    for (double* x : {&phase, &moving, &has_stop, &stop, &derivatives, &inputs_set, &experiment})
        f(*x);
    f(s.now.start);
    f(s.now.time);
    for (auto& x : s.now.parameters)
        f(x);
    for (auto& x : s.built_with)
        f(x);
    for (auto* list : {&s.now.inputs, &s.applied})
        for (auto& u : *list) {
            f(u.value);
            f(u.rate);
            f(u.acceleration);
        }
    if constexpr (!std::is_const_v<S>) {
        if (!(phase >= 0) || phase > static_cast<double>(Phase::error))
            refuse("it was altered");
        s.now.phase = static_cast<Phase>(static_cast<int>(phase));
        s.now.moving = moving != 0;
        s.now.stop = has_stop != 0 ? std::optional<double>(stop) : std::nullopt;
        s.now.derivatives_set = derivatives != 0;
        s.now.inputs_set = inputs_set != 0;
        s.now.experiment_set = experiment != 0;
    }
}

} // namespace

std::vector<unsigned char> Instance::to_bytes(const Snapshot& given) const {
    Snapshot snapshot = given;
    snapshot.built_with.resize(snapshot.now.parameters.size()); // of one that does not move yet
    snapshot.applied.resize(snapshot.now.inputs.size());
    ByteWriter out;
    out.raw(magic, sizeof magic);
    out.raw(blueprint_.token.data(), blueprint_.token.size());
    each_number(std::as_const(snapshot), out);
    if (snapshot.now.moving) {
        const Model model = blueprint_.parameters.apply(blueprint_.model, snapshot.built_with);
        const std::vector<unsigned char> state = state_to_bytes(snapshot.state, fingerprint(model));
        out.raw(state.data(), state.size());
    }
    out.put(checksum(out.bytes));
    return std::move(out.bytes);
}

Snapshot Instance::from_bytes(std::span<const unsigned char> bytes) const {
    const std::string& token = blueprint_.token;
    const std::size_t head = sizeof magic + token.size();
    if (bytes.size() < head + 8 || std::memcmp(bytes.data(), magic, sizeof magic) != 0)
        refuse("it is truncated, or not a state of this version of Tenon");
    if (std::memcmp(bytes.data() + sizeof magic, token.data(), token.size()) != 0)
        refuse("it belongs to another FMU");
    const auto content = bytes.first(bytes.size() - 8);
    if (ByteReader(bytes.last(8), "a checksum").get<std::uint64_t>() != checksum(content))
        refuse("it is truncated, or its checksum is wrong");
    Snapshot snapshot;
    snapshot.now.parameters.resize(now_.parameters.size());
    snapshot.now.inputs.resize(now_.inputs.size());
    snapshot.built_with.resize(now_.parameters.size());
    snapshot.applied.resize(now_.inputs.size());
    ByteReader reader(content.subspan(head), "the serialized state");
    std::size_t behind = head; // the numbers
    each_number(snapshot, [&](double& x) {
        reader(x);
        behind += sizeof x;
    });
    if (!snapshot.now.moving) {
        if (!reader.is_empty())
            refuse("it is longer than it should be");
        return snapshot;
    }
    const Model model = blueprint_.parameters.apply(blueprint_.model, snapshot.built_with);
    const bool same = simulation_ && built_with_ == snapshot.built_with;
    const State like = same ? simulation_->state() : Simulation(as_drawn(model)).state();
    snapshot.state = state_from_bytes(content.subspan(behind), fingerprint(model), like);
    return snapshot;
}

} // namespace tenon::fmu
