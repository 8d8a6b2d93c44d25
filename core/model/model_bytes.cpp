#include "core/model/model_bytes.hpp"

#include "core/math/error.hpp"

#include <array>
#include <cstring>

namespace tenon {
namespace {

constexpr std::array<unsigned char, 8> magic = {'T', 'E', 'N', 'O', 'N', 'M', 'D', '1'};

[[noreturn]] void refuse(const char* why) {
    throw Error(ErrorKind::model, std::string("the compiled model cannot be used: ") + why);
}

// Writer and Reader have the same members; each type of the model is walked once, below, for both directions.

class Writer {
  public:
    std::vector<unsigned char> bytes;

    void raw(const void* data, std::size_t size) {
        const auto* p = static_cast<const unsigned char*>(data);
        bytes.insert(bytes.end(), p, p + size);
    }
    void operator()(double x) { raw(&x, sizeof x); }
    void operator()(int x) { raw(&x, sizeof x); }
    void operator()(bool x) { bytes.push_back(x ? 1 : 0); }
    void operator()(const std::string& s) {
        size(s.size());
        raw(s.data(), s.size());
    }
    std::size_t size(std::size_t n) {
        const auto stored = static_cast<std::uint64_t>(n);
        raw(&stored, sizeof stored);
        return n;
    }
    bool flag(bool x) {
        (*this)(x);
        return x;
    }
};

class Reader {
  public:
    explicit Reader(std::span<const unsigned char> bytes) : rest_(bytes) {}

    void raw(void* data, std::size_t size) {
        if (size > rest_.size())
            refuse("it is truncated");
        if (size > 0)
            std::memcpy(data, rest_.data(), size);
        rest_ = rest_.subspan(size);
    }
    void operator()(double& x) { raw(&x, sizeof x); }
    void operator()(int& x) { raw(&x, sizeof x); }
    void operator()(bool& x) {
        unsigned char byte = 0;
        raw(&byte, 1);
        x = byte != 0;
    }
    void operator()(std::string& s) {
        s.resize(size(0));
        raw(s.data(), s.size());
    }
    /// Every element takes at least one byte: a number beyond what is left is damage, and nothing is allocated for it.
    std::size_t size(std::size_t) {
        std::uint64_t n = 0;
        raw(&n, sizeof n);
        if (n > rest_.size())
            refuse("it is truncated");
        return static_cast<std::size_t>(n);
    }
    bool flag(bool) {
        bool x = false;
        (*this)(x);
        return x;
    }
    bool done() const { return rest_.empty(); }

  private:
    std::span<const unsigned char> rest_;
};

template <class A, class M>
requires requires(M& m) {
    m.data();
    m.rows();
}
void walk(A& a, M& m) { // Vec3, Mat3
    for (Eigen::Index i = 0; i < m.size(); ++i)
        a(m.data()[i]);
}

template <class A, std::size_t n> void walk(A& a, std::array<double, n>& x) {
    for (double& e : x)
        a(e);
}

template <class A> void walk(A& a, std::vector<double>& x) {
    x.resize(a.size(x.size()));
    for (double& e : x)
        a(e);
}

template <class A, class T> void walk(A& a, std::optional<T>& x) {
    if (!a.flag(x.has_value())) {
        x.reset();
        return;
    }
    if (!x) {
        if constexpr (std::is_same_v<T, double>)
            x = 0;
        else
            x = T::Zero();
    }
    if constexpr (std::is_same_v<T, double>)
        a(*x);
    else
        walk(a, *x);
}

template <class A> void walk(A& a, Table& table) {
    std::vector<double> times = table.times(), values = table.values();
    walk(a, times);
    walk(a, values);
    if constexpr (std::is_same_v<A, Reader>)
        table = times.empty() ? Table() : Table(std::move(times), std::move(values));
}

template <class A> void walk(A& a, Shape& s) {
    a(s.type);
    walk(a, s.size);
    a(s.radius);
    a(s.length);
    walk(a, s.axis);
    a(s.file);
    a(s.color);
}

template <class A> void walk(A& a, Body& b) {
    a(b.name);
    a(b.mass);
    walk(a, b.com);
    walk(a, b.inertia);
    walk(a, b.position);
    walk(a, b.rotation);
    walk(a, b.velocity);
    walk(a, b.angular_velocity);
    walk(a, b.shape);
}

template <class A> void walk(A& a, Joint& j) {
    a(j.name);
    a(j.type);
    for (int* i : {&j.first, &j.second, &j.joint1, &j.joint2})
        a(*i);
    for (Vec3* v : {&j.at, &j.axis, &j.axis2, &j.point1, &j.point2, &j.normal})
        walk(a, *v);
    walk(a, j.length);
    for (double* x :
         {&j.pitch, &j.ratio, &j.radius, &j.friction.coulomb, &j.friction.viscous, &j.friction.speed})
        a(*x);
}

template <class A> void walk(A& a, Driver& d) {
    a(d.name);
    a(d.joint);
    a(d.coordinate);
    for (double* x :
         {&d.motion.offset, &d.motion.rate, &d.motion.amplitude, &d.motion.frequency, &d.motion.phase})
        a(*x);
    walk(a, d.table);
    a(d.input);
}

template <class A> void walk(A& a, Force& f) {
    a(f.name);
    int type = static_cast<int>(f.type);
    a(type);
    if (type < 0 || type > static_cast<int>(ForceType::torque))
        refuse("a force has an unknown type");
    f.type = static_cast<ForceType>(type);
    for (int* i : {&f.first, &f.second, &f.joint})
        a(*i);
    for (Vec3* v : {&f.point1, &f.point2, &f.at, &f.vector})
        walk(a, *v);
    for (double* x : {&f.stiffness, &f.damping, &f.free_angle})
        a(*x);
    walk(a, f.free_length);
    walk(a, f.stiffness6);
    walk(a, f.damping6);
    walk(a, f.axes);
    a(f.body_axes);
    for (Table& table : f.table)
        walk(a, table);
    a(f.input);
}

template <class A> void walk(A& a, Port& p) {
    a(p.name);
    a(p.body);
    walk(a, p.at);
    walk(a, p.rotation);
}

template <class A> void walk(A& a, Flange& f) {
    a(f.name);
    a(f.joint);
}

template <class A> void walk(A& a, Alias& alias) {
    a(alias.name);
    a(alias.variable);
    a(alias.unit);
    a(alias.description);
}

template <class A> void walk(A& a, std::map<std::string, OptionValue>& options) {
    std::vector<std::pair<std::string, OptionValue>> list(options.begin(), options.end());
    list.resize(a.size(list.size()));
    for (auto& [name, value] : list) {
        a(name);
        int kind = static_cast<int>(value.index());
        a(kind);
        if constexpr (std::is_same_v<A, Reader>) {
            if (kind == 0)
                value = 0.0;
            else if (kind == 1)
                value = false;
            else if (kind == 2)
                value = std::string();
            else
                refuse("an option has an unknown type");
        }
        std::visit([&](auto& x) { a(x); }, value);
    }
    if constexpr (std::is_same_v<A, Reader>)
        options = {list.begin(), list.end()};
}

template <class A> void walk(A& a, SolverSettings& s) {
    a(s.integrator);
    for (double* x : {&s.step, &s.stop, &s.tolerance})
        a(*x);
    a(s.coordinates);
    walk(a, s.options);
}

template <class A, class T> void walk_list(A& a, std::vector<T>& list) {
    list.resize(a.size(list.size()));
    for (T& element : list)
        walk(a, element);
}

template <class A> void walk(A& a, Model& m) {
    a(m.name);
    a(m.description);
    walk(a, m.gravity);
    walk_list(a, m.bodies);
    walk_list(a, m.joints);
    walk_list(a, m.drivers);
    walk_list(a, m.forces);
    walk_list(a, m.ports);
    walk_list(a, m.flanges);
    walk_list(a, m.inputs);
    walk_list(a, m.outputs);
    walk(a, m.solver);
}

} // namespace

std::uint64_t checksum(std::span<const unsigned char> bytes, std::uint64_t start) {
    std::uint64_t value = start;
    for (const unsigned char byte : bytes)
        value = (value ^ byte) * 1099511628211ULL;
    return value;
}

std::vector<unsigned char> model_to_bytes(const Model& model) {
    Model copy = model; // the walk can write too
    Writer writer;
    writer.raw(magic.data(), magic.size());
    walk(writer, copy);
    const std::uint64_t sum = checksum(writer.bytes);
    writer.raw(&sum, sizeof sum);
    return std::move(writer.bytes);
}

Model model_from_bytes(std::span<const unsigned char> bytes) {
    std::uint64_t sum = 0;
    if (bytes.size() < magic.size() + sizeof sum || !std::equal(magic.begin(), magic.end(), bytes.begin()))
        refuse("it was not written by this version of Tenon");
    const auto content = bytes.first(bytes.size() - sizeof sum);
    std::memcpy(&sum, bytes.data() + content.size(), sizeof sum);
    if (sum != checksum(content))
        refuse("its checksum is wrong");
    Reader reader(content.subspan(magic.size()));
    Model model;
    walk(reader, model);
    if (!reader.done())
        refuse("it has more than a model in it");
    return model;
}

std::uint64_t fingerprint(const Model& model) {
    Model bare = model;
    bare.name.clear();
    bare.description.clear();
    bare.inputs.clear();
    bare.outputs.clear();
    bare.solver.stop = 0;
    for (Body& body : bare.bodies) {
        body.velocity.reset();
        body.angular_velocity.reset();
        body.shape = {};
    }
    return checksum(model_to_bytes(bare));
}

} // namespace tenon
