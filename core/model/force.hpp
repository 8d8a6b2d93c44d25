#pragma once
// A force as the user gives it: what it acts on, and the values of the keys of its type. What a type does is in
// core/model/forces/<type>.cpp.

#include "core/model/key.hpp"

#include <functional>
#include <map>

namespace tenon {

struct Force {
    std::string name;
    std::string type; ///< a name in force_types()
    int first = -1;   ///< first and second body of key `bodies`, body indices or `world`
    int second = -1;  ///< or the body of key `body`
    int joint = -1;   ///< of key `joint`
    std::map<std::string, Value, std::less<>>
        values; ///< by key; absent: zero, false, the first word, or what the key says

    Force& set(std::string_view key, Value value);
    bool has(std::string_view key) const { return values.contains(key); }

    /// The value of a key, or what stands for it where it is absent. They throw Error(model) where the type has no such key
    /// and where the value is of another type.
    double number(std::string_view key) const;
    bool flag(std::string_view key) const;
    std::string word(std::string_view key) const;
    std::string text(std::string_view key) const; ///< empty where it is absent
    Vec3 vector(std::string_view key) const;      ///< zero where a load is a table
    std::array<Vec3, 2> points(std::string_view key) const;
    std::array<double, 6> six(std::string_view key) const;
    Mat3 rotation(std::string_view key) const;
    Choice choice(std::string_view key) const;      ///< of no type where it is absent
    VectorTable table(std::string_view key) const;  ///< empty where a load is a vector
    Table effort_table(std::string_view key) const; ///< empty where an effort is a number
    Law law(std::string_view key) const;
    std::optional<Stop> stop(std::string_view key) const;
    std::vector<Law> six_laws(std::string_view key) const;
    std::vector<std::optional<Stop>> six_stops(std::string_view key) const;
    /// Least and largest; without limits where the key is absent.
    std::array<double, 2> range(std::string_view key) const;

    bool operator==(const Force&) const = default;
};

template <class Visit> void members(Is<Force> auto& force, Visit&& visit) {
    auto& [name, type, first, second, joint, values] = force; // values: placed by their keys
    visit(name, type, first, second, joint, values);
}

} // namespace tenon
