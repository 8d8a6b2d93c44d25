#include "core/simulation/state_bytes.hpp"

#include "core/math/error.hpp"
#include "core/model/model_bytes.hpp"

#include <cstring>

namespace tenon {

namespace {

constexpr char magic[8] = {'T', 'E', 'N', 'O', 'N', 'S', 'T', '1'};

void put(std::vector<unsigned char>& out, const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    out.insert(out.end(), p, p + size);
}

std::size_t payload(const State& s) {
    return 5 +
           static_cast<std::size_t>(s.q.size() + s.v.size() + s.a.size() + s.lambda.size() + s.memory.size() +
                                    s.port_work.size() + s.angle.size() + s.angle_rate.size()) +
           4 * s.inputs.size();
}

/// Calls f with every number of the state in a fixed order.
template <class S, class F> void each_number(S& s, F&& f) {
    f(s.time);
    f(s.work);
    f(s.power);
    f(s.renew);
    f(s.iterations);
    for (auto* v : {&s.q, &s.v, &s.a, &s.lambda, &s.memory, &s.port_work, &s.angle, &s.angle_rate}) {
        for (Eigen::Index i = 0; i < v->size(); ++i) {
            f((*v)[i]);
        }
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
    std::vector<unsigned char> out;
    const std::uint64_t count = payload(state);
    out.reserve(sizeof magic + 8 * (count + 3));
    put(out, magic, sizeof magic);
    put(out, &print, sizeof print);
    put(out, &count, sizeof count);
    each_number(state, [&](double x) { put(out, &x, sizeof x); });
    const std::uint64_t sum = checksum(out);
    put(out, &sum, sizeof sum);
    return out;
}

State state_from_bytes(std::span<const unsigned char> bytes, std::uint64_t print, const State& like) {
    const auto refuse = [](const char* why) -> State {
        throw Error(ErrorKind::model, std::string("the saved state cannot be used: ") + why);
    };
    const std::size_t head = sizeof magic + 16;
    const std::uint64_t expected = payload(like);
    if (bytes.size() < head + 8 || std::memcmp(bytes.data(), magic, sizeof magic) != 0) {
        return refuse("it is not a state of this version of Tenon");
    }
    std::uint64_t found = 0, count = 0, sum = 0;
    std::memcpy(&found, bytes.data() + sizeof magic, 8);
    std::memcpy(&count, bytes.data() + sizeof magic + 8, 8);
    if (found != print) {
        return refuse("it belongs to another model, or to other parameters");
    }
    if (count != expected || bytes.size() != head + 8 * expected + 8) {
        return refuse("it is truncated");
    }
    std::memcpy(&sum, bytes.data() + bytes.size() - 8, 8);
    if (sum != checksum(bytes.first(bytes.size() - 8))) {
        return refuse("its checksum is wrong");
    }
    State state = like;
    const unsigned char* at = bytes.data() + head;
    each_number(state, [&](double& x) {
        std::memcpy(&x, at, 8);
        at += 8;
    });
    return state;
}

} // namespace tenon
