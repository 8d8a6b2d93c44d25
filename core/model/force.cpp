#include "core/model/force.hpp"

#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"

#include <limits>

namespace tenon {
namespace {

[[noreturn]] void refuse(const Force& force, std::string_view key, const std::string& what) {
    throw Error(ErrorKind::model, "force '" + force.name + "' (" + force.type + ") " + what,
                force.name + "." + std::string(key));
}

/// The value of a key that the type has, or null where it is absent.
const Value* find(const Force& force, std::string_view key, const Key** described = nullptr) {
    const Key* found = type_of(force).key(key);
    if (!found)
        refuse(force, key, "has no key '" + std::string(key) + "'");
    if (described)
        *described = found;
    const auto place = force.values.find(key);
    return place == force.values.end() ? nullptr : &place->second;
}

template <class T> T get(const Force& force, std::string_view key, T otherwise) {
    const Value* value = find(force, key);
    if (!value)
        return otherwise;
    if (const T* given = std::get_if<T>(value))
        return *given;
    refuse(force, key, "has a value of another type for '" + std::string(key) + "'");
}

/// A list with as many elements as that which stands for it where it is absent.
template <class T> T counted(const Force& force, std::string_view key, const T& otherwise) {
    T given = get(force, key, otherwise);
    if (given.size() != otherwise.size())
        refuse(force, key,
               "needs " + std::to_string(otherwise.size()) + " values for '" + std::string(key) + "', not " +
                   std::to_string(given.size()));
    return given;
}

} // namespace

Force& Force::set(std::string_view key, Value value) {
    values.insert_or_assign(std::string(key), std::move(value));
    return *this;
}

double Force::number(std::string_view key) const {
    const Key* described = nullptr;
    const Value* value = find(*this, key, &described);
    if (!value && described->otherwise)
        return described->otherwise(*this);
    return value && std::holds_alternative<Table>(*value) ? 0 : get(*this, key, 0.0);
}

bool Force::flag(std::string_view key) const { return get(*this, key, false); }

std::string Force::word(std::string_view key) const {
    const Key* described = nullptr;
    find(*this, key, &described);
    return get(*this, key, described->words.empty() ? std::string() : std::string(described->words.front()));
}

Vec3 Force::vector(std::string_view key) const {
    const Value* value = find(*this, key);
    return value && std::holds_alternative<VectorTable>(*value) ? Vec3(Vec3::Zero())
                                                                : get(*this, key, Vec3(Vec3::Zero()));
}

std::array<Vec3, 2> Force::points(std::string_view key) const {
    return get(*this, key, std::array<Vec3, 2>{Vec3::Zero(), Vec3::Zero()});
}

std::array<double, 6> Force::six(std::string_view key) const {
    const std::vector<double> given = counted(*this, key, std::vector<double>(6));
    std::array<double, 6> result{};
    std::copy(given.begin(), given.end(), result.begin());
    return result;
}

Mat3 Force::rotation(std::string_view key) const { return get(*this, key, Mat3(Mat3::Identity())); }

VectorTable Force::table(std::string_view key) const {
    const Value* value = find(*this, key);
    return value && std::holds_alternative<VectorTable>(*value) ? std::get<VectorTable>(*value)
                                                                : VectorTable();
}

std::string Force::text(std::string_view key) const { return get(*this, key, std::string()); }

Choice Force::choice(std::string_view key) const { return get(*this, key, Choice()); }

Table Force::effort_table(std::string_view key) const {
    const Value* value = find(*this, key);
    return value && std::holds_alternative<Table>(*value) ? std::get<Table>(*value) : Table();
}

Law Force::law(std::string_view key) const { return get(*this, key, Law()); }

std::optional<Stop> Force::stop(std::string_view key) const {
    return has(key) ? std::optional<Stop>(get(*this, key, Stop())) : std::nullopt;
}

std::vector<Law> Force::six_laws(std::string_view key) const {
    return counted(*this, key, std::vector<Law>(6));
}

std::vector<std::optional<Stop>> Force::six_stops(std::string_view key) const {
    return counted(*this, key, std::vector<std::optional<Stop>>(6));
}

std::array<double, 2> Force::range(std::string_view key) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> given = counted(*this, key, std::vector<double>{-infinity, infinity});
    return {given[0], given[1]};
}

} // namespace tenon
