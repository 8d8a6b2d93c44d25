#include "core/simulation/state_bytes.hpp"

#include "core/math/error.hpp"

#include <cstring>

namespace tenon {

namespace {

constexpr char magic[8] = {'T', 'E', 'N', 'O', 'N', 'S', 'T', '1'};

/// FNV-1a, 64 bits.
class Hash {
  public:
    void bytes(const void* data, std::size_t size) {
        const auto* p = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i) {
            value_ = (value_ ^ p[i]) * 1099511628211ULL;
        }
    }
    void add(double x) { bytes(&x, sizeof x); }
    void add(int x) { bytes(&x, sizeof x); }
    void add(bool x) { add(x ? 1 : 0); }
    void add(const std::string& s) {
        bytes(s.data(), s.size());
        add(static_cast<int>(s.size()));
    }
    void add(const Vec3& v) { bytes(v.data(), sizeof(double) * 3); }
    void add(const Mat3& m) { bytes(m.data(), sizeof(double) * 9); }
    void add(const Table& t) {
        for (double x : t.times()) {
            add(x);
        }
        for (double x : t.values()) {
            add(x);
        }
    }
    template <class T> void add(const std::optional<T>& x) {
        add(x.has_value());
        if (x) {
            add(*x);
        }
    }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 14695981039346656037ULL;
};

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

std::uint64_t fingerprint(const Model& model) {
    Hash h;
    h.bytes(magic, sizeof magic);
    h.add(model.gravity);
    for (const Body& b : model.bodies) {
        h.add(b.name);
        h.add(b.mass);
        h.add(b.com);
        h.add(b.inertia);
        h.add(b.position);
        h.add(b.rotation);
    }
    for (const Joint& j : model.joints) {
        h.add(j.name);
        h.add(j.type);
        for (int i : {j.first, j.second, j.joint1, j.joint2}) {
            h.add(i);
        }
        for (const Vec3& v : {j.at, j.axis, j.axis2, j.point1, j.point2, j.normal}) {
            h.add(v);
        }
        h.add(j.length);
        for (double x :
             {j.pitch, j.ratio, j.radius, j.friction.coulomb, j.friction.viscous, j.friction.speed}) {
            h.add(x);
        }
    }
    for (const Driver& d : model.drivers) {
        h.add(d.name);
        h.add(d.joint);
        h.add(d.coordinate);
        for (double x :
             {d.motion.offset, d.motion.rate, d.motion.amplitude, d.motion.frequency, d.motion.phase}) {
            h.add(x);
        }
        h.add(d.table);
        h.add(d.input);
    }
    for (const Force& f : model.forces) {
        h.add(f.name);
        h.add(static_cast<int>(f.type));
        for (int i : {f.first, f.second, f.joint}) {
            h.add(i);
        }
        for (const Vec3& v : {f.point1, f.point2, f.at, f.vector}) {
            h.add(v);
        }
        for (double x : {f.stiffness, f.damping, f.free_angle}) {
            h.add(x);
        }
        h.add(f.free_length);
        for (int i = 0; i < 6; ++i) {
            h.add(f.stiffness6[i]);
            h.add(f.damping6[i]);
        }
        h.add(f.body_axes);
        h.add(f.input);
        for (const Table& t : f.table) {
            h.add(t);
        }
    }
    for (const Port& p : model.ports) {
        h.add(p.name);
        h.add(p.body);
        h.add(p.at);
        h.add(p.rotation);
    }
    for (const Flange& f : model.flanges) {
        h.add(f.name);
        h.add(f.joint);
    }
    h.add(model.solver.integrator);
    h.add(model.solver.coordinates);
    h.add(model.solver.tolerance);
    h.add(model.solver.step);
    for (const auto& [name, value] : model.solver.options) {
        h.add(name);
        std::visit([&](const auto& x) { h.add(x); }, value);
    }
    return h.value();
}

std::vector<unsigned char> state_to_bytes(const State& state, std::uint64_t print) {
    std::vector<unsigned char> out;
    const std::uint64_t count = payload(state);
    out.reserve(sizeof magic + 8 * (count + 3));
    put(out, magic, sizeof magic);
    put(out, &print, sizeof print);
    put(out, &count, sizeof count);
    each_number(state, [&](double x) { put(out, &x, sizeof x); });
    Hash check;
    check.bytes(out.data(), out.size());
    const std::uint64_t sum = check.value();
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
    Hash check;
    check.bytes(bytes.data(), bytes.size() - 8);
    std::memcpy(&sum, bytes.data() + bytes.size() - 8, 8);
    if (sum != check.value()) {
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
