#include "core/simulation/state_bytes.hpp"

#include "core/math/bytes.hpp"
#include "core/model/model_bytes.hpp"

#include <algorithm>

namespace tenon {

namespace {

constexpr char magic[8] = {'T', 'E', 'N', 'O', 'N', 'S', 'T', '2'};

std::size_t payload(const State& s) {
    return 12 +
           static_cast<std::size_t>(s.q.size() + s.v.size() + s.a.size() + s.lambda.size() + s.memory.size() +
                                    s.port_work.size() + s.angle.size() + s.angle_rate.size() + s.lag.size() +
                                    s.lag_rate.size()) +
           4 * s.inputs.size();
}

/// Calls f with every number of the state in a fixed order.
template <class S, class F> void each_number(S& s, F& f) {
    f(s.time);
    f(s.work);
    f(s.power);
    f(s.renew);
    f(s.iterations);
    auto& account = s.account;
    for (auto* x : {&account.start, &account.error, &account.kinetic, &account.springs, &account.exchanged,
                    &account.speed, &account.corrected})
        f(*x);
    for (auto* v : {&s.q, &s.v, &s.a, &s.lambda, &s.memory, &s.port_work, &s.angle, &s.angle_rate, &s.lag,
                    &s.lag_rate}) {
        for (Eigen::Index i = 0; i < v->size(); ++i)
            f((*v)[i]);
    }
    for (auto& input : s.inputs) {
        f(input.since);
        f(input.value);
        f(input.rate);
        f(input.acceleration);
    }
}

} // namespace

std::vector<unsigned char> state_to_bytes(const State& state, std::uint64_t print) {
    ByteWriter out;
    const std::uint64_t count = payload(state);
    out.bytes.reserve(sizeof magic + 8 * (count + 3));
    out.raw(magic, sizeof magic);
    out.put(print);
    out.put(count);
    each_number(state, out);
    out.put(checksum(out.bytes));
    return std::move(out.bytes);
}

State state_from_bytes(std::span<const unsigned char> bytes, std::uint64_t print, const State& like) {
    const auto refuse = [](const char* why) -> State {
        throw Error(ErrorKind::model, std::string("the saved state cannot be used: ") + why);
    };
    const std::size_t head = sizeof magic + 16;
    const std::uint64_t expected = payload(like);
    ByteReader in(bytes, "the saved state");
    if (bytes.size() < head + 8 || !std::ranges::equal(in.take(sizeof magic), magic))
        return refuse("it is not a state of this version of Tenon");
    if (in.get<std::uint64_t>() != print)
        return refuse("it belongs to another model, or to other parameters");
    if (in.get<std::uint64_t>() != expected || bytes.size() != head + 8 * expected + 8)
        return refuse("it is truncated");
    State state = like;
    each_number(state, in);
    if (in.get<std::uint64_t>() != checksum(bytes.first(bytes.size() - 8)))
        return refuse("its checksum is wrong");
    return state;
}

} // namespace tenon
