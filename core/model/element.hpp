#pragma once
// One element of a model under examination: what validate(), joint_keys.cpp and the files of forces/ refuse with.

#include "core/math/digits.hpp"
#include "core/model/model.hpp"

#include <string>
#include <string_view>

namespace tenon {

/// Axes shorter than this are taken for zero: no machine is drawn in nanometres.
inline constexpr double least_axis = 1e-9;

/// The error's element is `<name>.<key>`, as parameters are called, so that a reader can point at the very line.
struct Element {
    std::string_view kind;
    const std::string& name;

    [[noreturn]] void refuse(const std::string& what, std::string_view key = {}) const;

    void finite(double value, std::string_view key) const;
    void finite(const Vec3& value, std::string_view key) const;
    void not_negative(double value, std::string_view key, std::string_view unit) const;
    void positive(double value, std::string_view key, std::string_view unit) const;
    void direction(const Vec3& value, std::string_view key) const;
    void rotation(const Mat3& value, std::string_view key) const;
    /// As the key's limit says.
    void within(const Key& key, double value, std::string_view unit) const;
    void within(const Key& key, const Vec3& value) const;

    /// One of the types, with the keys that it needs and no others, each within its limit; `where` is the element's key.
    void choice(const std::vector<ChoiceType>& types, const Choice& given, std::string_view where) const;

    void index(int value, std::size_t count, bool world_allowed, std::string_view key) const;
    void two_bodies(const Model& model, int first, int second) const;
    /// That `joint` is one whose angle or distance can be measured.
    void measurable(const Model& model, int joint, std::string_view key) const;
    void not_parallel(const Vec3& a, const Vec3& b, std::string_view first, std::string_view second) const;
};

} // namespace tenon
