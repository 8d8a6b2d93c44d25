#include "core/model/model_bytes.hpp"

#include "core/math/bytes.hpp"

#include <array>

namespace tenon {
namespace {

constexpr std::array<unsigned char, 8> magic = {'T', 'E', 'N', 'O', 'N', 'M', 'D', '3'};

[[noreturn]] void refuse(const char* why) {
    throw Error(ErrorKind::model, std::string("the compiled model cannot be used: ") + why);
}

// A is a ByteWriter or a ByteReader; the members of a struct are listed beside it (members.hpp).

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
    if constexpr (std::is_same_v<A, ByteReader>)
        table = times.empty() ? Table() : Table(std::move(times), std::move(values));
}

template <class A, class... T> void walk(A& a, std::variant<T...>& x) {
    int kind = static_cast<int>(x.index());
    a(kind);
    if constexpr (std::is_same_v<A, ByteReader>) {
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
    if constexpr (std::is_same_v<A, ByteReader>)
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
    ByteWriter writer;
    writer.raw(magic.data(), magic.size());
    walk(writer, copy);
    writer.put(checksum(writer.bytes));
    return std::move(writer.bytes);
}

Model model_from_bytes(std::span<const unsigned char> bytes) {
    constexpr std::string_view name = "the compiled model";
    constexpr std::size_t tail = sizeof(std::uint64_t);
    if (bytes.size() < magic.size() + tail || !std::equal(magic.begin(), magic.end(), bytes.begin()))
        refuse("it was not written by this version of Tenon");
    const auto content = bytes.first(bytes.size() - tail);
    if (ByteReader(bytes.last(tail), name).get<std::uint64_t>() != checksum(content))
        refuse("its checksum is wrong");
    ByteReader reader(content.subspan(magic.size()), name);
    Model model;
    walk(reader, model);
    if (!reader.is_empty())
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
