#include "core/model/element.hpp"

#include "core/math/error.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// Two directions closer than this (sine of the angle between them) are parallel.
constexpr double least_sine = 1e-6;
/// Rotation matrices may miss orthonormality by this.
constexpr double rotation_slack = 1e-9;

} // namespace

void Element::refuse(const std::string& what, std::string_view key) const {
    throw Error(ErrorKind::model, std::string(kind) + " '" + name + "': " + what,
                key.empty() ? name : name + "." + std::string(key));
}

void Element::finite(double value, std::string_view key) const {
    if (!std::isfinite(value))
        refuse(std::string(key) + " must be a finite number (" + digits(value) + ")", key);
}

void Element::finite(const Vec3& value, std::string_view key) const {
    if (!value.allFinite())
        refuse(std::string(key) + " must be finite " + digits(value), key);
}

void Element::not_negative(double value, std::string_view key, std::string_view unit) const {
    finite(value, key);
    if (value < 0)
        refuse(std::string(key) + " must not be negative (" + digits(value) + " " + std::string(unit) +
                   ", least 0)",
               key);
}

void Element::positive(double value, std::string_view key, std::string_view unit) const {
    finite(value, key);
    if (value <= 0)
        refuse(std::string(key) + " must be positive (" + digits(value) + " " + std::string(unit) + ")", key);
}

void Element::direction(const Vec3& value, std::string_view key) const {
    finite(value, key);
    if (value.norm() < least_axis)
        refuse(std::string(key) + " has no direction (" + digits(value) + " has length " +
                   digits(value.norm()) + ", least " + digits(least_axis) + ")",
               key);
    if (!std::isfinite(value.squaredNorm()))
        refuse(std::string(key) + " is too long " + digits(value) + "; only its direction counts", key);
}

void Element::rotation(const Mat3& value, std::string_view key) const {
    if (!value.allFinite() ||
        (value.transpose() * value - Mat3::Identity()).cwiseAbs().maxCoeff() > rotation_slack ||
        value.determinant() < 0)
        refuse(std::string(key) + " is not a rotation", key);
}

void Element::within(const Key& key, double value, std::string_view unit) const {
    if (key.limit == Limit::not_negative)
        return not_negative(value, key.name, unit);
    if (key.limit == Limit::positive)
        return positive(value, key.name, unit);
    finite(value, key.name);
}

void Element::within(const Key& key, const Vec3& value) const {
    if (key.limit == Limit::direction)
        return direction(value, key.name);
    finite(value, key.name);
}

void Element::choice(const std::vector<ChoiceType>& types, const Choice& given,
                     std::string_view where) const {
    std::vector<std::string> names;
    for (const ChoiceType& type : types)
        names.emplace_back(type.name);
    const ChoiceType* type = find_choice(types, given.type);
    if (!type)
        refuse(std::string(where) + " has no type '" + given.type + "'; " +
                   suggestion(given.type, names, names.size()),
               where);
    names.clear();
    for (const Key& key : type->keys)
        names.emplace_back(key.name);
    for (const auto& [given_key, value] : given.values)
        if (std::ranges::find(names, given_key) == names.end())
            refuse(std::string(where) + " of type " + given.type + " has no '" + given_key + "'; " +
                       suggestion(given_key, names),
                   where);
    for (const Key& key : type->keys) {
        if (!given.has(key.name)) {
            if (key.required)
                refuse(std::string(where) + " of type " + given.type + " needs '" + std::string(key.name) +
                           "'",
                       where);
            continue;
        }
        const std::string called = std::string(key.name) + " of " + given.type;
        Key part = key;
        part.name = called;
        if (key.type == ValueType::number)
            within(part, given.number(key.name), key.unit);
        for (const double number : given.list(key.name))
            finite(number, called);
        for (const std::vector<double>& row : given.rows(key.name))
            for (const double number : row)
                finite(number, called);
    }
}

void Element::index(int value, std::size_t count, bool world_allowed, std::string_view key) const {
    if (value == world && world_allowed)
        return;
    if (value == world)
        refuse(std::string(key) + " must name an element of the model, not the world", key);
    if (value < 0 || static_cast<std::size_t>(value) >= count)
        refuse(std::string(key) + " has index " + std::to_string(value) + ", but there are " +
                   std::to_string(count),
               key);
}

void Element::two_bodies(const Model& model, int first, int second) const {
    index(first, model.bodies.size(), true, "bodies");
    index(second, model.bodies.size(), true, "bodies");
    if (first == second)
        refuse("bodies must differ, but both are '" + model.body_name(first) + "'", "bodies");
}

void Element::measurable(const Model& model, int joint, std::string_view key) const {
    index(joint, model.joints.size(), false, key);
    const Joint& measured = model.joints[static_cast<std::size_t>(joint)];
    const JointType& type = type_of(measured);
    if (!type.has_angle && !type.has_distance)
        refuse("joint '" + measured.name + "' is " + measured.type + " and has neither angle nor distance",
               key);
}

void Element::not_parallel(const Vec3& a, const Vec3& b, std::string_view first,
                           std::string_view second) const {
    if (a.normalized().cross(b.normalized()).norm() < least_sine)
        refuse(std::string(second) + " must not be parallel to " + std::string(first) + " (" + digits(b) +
                   " and " + digits(a) + ")",
               second);
}

} // namespace tenon
