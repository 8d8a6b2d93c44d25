#include "core/model/force.hpp"

#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"

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

} // namespace

Force& Force::set(std::string_view key, Value value) {
    values.insert_or_assign(std::string(key), std::move(value));
    return *this;
}

double Force::number(std::string_view key) const {
    const Key* described = nullptr;
    if (!find(*this, key, &described) && described->otherwise)
        return described->otherwise(*this);
    return get(*this, key, 0.0);
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
    const std::vector<double> given = get(*this, key, std::vector<double>(6));
    std::array<double, 6> result{};
    if (given.size() != result.size())
        refuse(*this, key,
               "needs 6 numbers for '" + std::string(key) + "', not " + std::to_string(given.size()));
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

} // namespace tenon
