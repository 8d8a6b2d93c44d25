#include "core/model/model_bytes.hpp"

#include "core/math/error.hpp"

#include <array>
#include <cstring>

namespace tenon {
namespace {

constexpr std::array<unsigned char, 8> magic = {'T', 'E', 'N', 'O', 'N', 'M', 'D', '2'};

[[noreturn]] void refuse(const char* why) {
    throw Error(ErrorKind::model, std::string("the compiled model cannot be used: ") + why);
}

// Writer and Reader have the same members; the members of a struct are listed beside it (members.hpp).

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

template <class A> void walk(A& a, double& x) { a(x); }
template <class A> void walk(A& a, int& x) { a(x); }
template <class A> void walk(A& a, bool& x) { a(x); }
template <class A> void walk(A& a, std::string& x) { a(x); }

template <class A, int rows, int columns> void walk(A& a, Eigen::Matrix<double, rows, columns>& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i)
        a(m.data()[i]);
}

template <class A, class T, std::size_t n> void walk(A& a, std::array<T, n>& list);
template <class A, class T> void walk(A& a, std::vector<T>& list);
template <class A, class T> void walk(A& a, std::optional<T>& x);
template <class A, class T, class Less> void walk(A& a, std::map<std::string, T, Less>& map);
template <class A, class... T> void walk(A& a, std::variant<T...>& x);
template <class A> void walk(A& a, Table& table);

/// A struct of the model.
template <class A, class T>
requires std::is_aggregate_v<T>
void walk(A& a, T& x) {
    const auto one = [&]<class M>(M&& member) {
        if constexpr (requires { member.value; })
            walk(a, member.value);
        else
            walk(a, member);
    };
    members(x, [&](auto&&... member) { (one(member), ...); });
}

template <class A, class T, std::size_t n> void walk(A& a, std::array<T, n>& list) {
    for (T& element : list)
        walk(a, element);
}

template <class A, class T> void walk(A& a, std::vector<T>& list) {
    list.resize(a.size(list.size()));
    for (T& element : list)
        walk(a, element);
}

template <class A, class T> void walk(A& a, std::optional<T>& x) {
    if (!a.flag(x.has_value())) {
        x.reset();
        return;
    }
    if (!x)
        x.emplace();
    walk(a, *x);
}

template <class A> void walk(A& a, Table& table) {
    std::vector<double> times = table.times(), values = table.values();
    walk(a, times);
    walk(a, values);
    if constexpr (std::is_same_v<A, Reader>)
        table = times.empty() ? Table() : Table(std::move(times), std::move(values));
}

template <class A, class... T> void walk(A& a, std::variant<T...>& x) {
    int kind = static_cast<int>(x.index());
    a(kind);
    if constexpr (std::is_same_v<A, Reader>) {
        if (kind < 0 || kind >= static_cast<int>(sizeof...(T)))
            refuse("a value has an unknown type");
        int i = 0;
        (void)((i++ == kind ? (x.template emplace<T>(), true) : false) || ...);
    }
    std::visit([&](auto& value) { walk(a, value); }, x);
}

template <class A, class T, class Less> void walk(A& a, std::map<std::string, T, Less>& map) {
    std::vector<std::pair<std::string, T>> list(map.begin(), map.end());
    list.resize(a.size(list.size()));
    for (auto& [name, value] : list) {
        walk(a, name);
        walk(a, value);
    }
    if constexpr (std::is_same_v<A, Reader>)
        map = {list.begin(), list.end()};
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
