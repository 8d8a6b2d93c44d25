#include "tools/model_file/model_table.hpp"

#include "core/math/digits.hpp"
#include "core/model/element.hpp"
#include "core/model/suggest.hpp"
#include "tools/files/errors.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tenon {
namespace {

/// Quaternions are normalised where they miss unit length by no more than three or four written digits can make;
/// beyond that something else was meant.
constexpr double quaternion_slack = 1e-3;
constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// What stands there instead of what was wanted.
std::string described(const TomlNode& node) {
    if (node.is_text())
        return "a text (\"" + printable(node.text()) + "\")";
    if (node.is_number())
        return "a number (" + digits(node.number()) + ")";
    if (node.is_boolean())
        return node.boolean() ? "true" : "false";
    if (node.is_array())
        return "a list of " + std::to_string(node.items().size());
    return node.is_table() ? "a table" : "a date";
}

} // namespace

std::string listed(const std::vector<std::string>& words, std::size_t most) {
    std::string result;
    for (std::size_t i = 0; i < std::min(most, words.size()); ++i)
        result += (i ? ", " : "") + words[i];
    return words.size() > most ? result + ", ..." : result;
}

Vec3 vector_of(const TomlNode& node) {
    const TomlNode::Array& items = node.items();
    return {items.at(0).number(), items.at(1).number(), items.at(2).number()};
}

void ModelTable::refuse_at(int line, const std::string& problem) const {
    throw bad_input(file_, line, what_ + ": " + problem);
}

void ModelTable::refuse(const std::string& problem) const { refuse_at(line_, problem); }

void ModelTable::refuse(std::string_view key, const std::string& problem) const {
    const TomlEntry* entry = node_.find(key);
    refuse_at(entry ? entry->line : line_, problem);
}

const TomlNode* ModelTable::find(std::string_view key) const {
    const TomlEntry* entry = node_.find(key);
    return entry ? &entry->node : nullptr;
}

ModelTable ModelTable::inner(std::string_view key) const {
    const TomlEntry* entry = node_.find(key);
    return {file_, entry->node, entry->line, what_ + ", " + std::string(key)};
}

std::vector<ModelTable> ModelTable::inner_list(std::string_view key) const {
    const TomlEntry* entry = node_.find(key);
    std::vector<ModelTable> tables;
    for (const TomlNode& item : entry->node.items())
        tables.emplace_back(file_, item, item.line > 0 ? item.line : entry->line,
                            what_ + ", " + std::string(key) + "[" + std::to_string(tables.size() + 1) + "]");
    return tables;
}

void ModelTable::check(const std::vector<Key>& keys, const Section* section) const {
    for (const TomlEntry& entry : node_.entries()) {
        const Key* key = find_key(keys, entry.key);
        if (!key)
            unknown_key(entry, keys, section);
        check_value(*key, entry);
    }
    for (const Key& key : keys)
        if (key.required && !has(key.name) &&
            std::ranges::none_of(key.instead, [&](std::string_view other) { return has(other); })) {
            std::string hint =
                "; write for example " + std::string(key.name) + " = " + std::string(type_example(key.type));
            if (key.name == "inertia")
                hint = "; a point mass has inertia = [0, 0, 0]";
            if (!key.instead.empty())
                hint += ", or give '" + std::string(key.instead.front()) + "'";
            refuse("key '" + std::string(key.name) + "' is missing (" + std::string(type_text(key.type)) +
                   (key.unit.empty() ? "" : ", " + std::string(key.unit)) + ")" + hint);
        }
}

void ModelTable::unknown_key(const TomlEntry& entry, const std::vector<Key>& keys,
                             const Section* section) const {
    std::vector<std::string> names;
    for (const Key& key : keys)
        names.emplace_back(key.name);
    if (section)
        for (const Variant& variant : section->variants)
            if (find_key(variant.keys, entry.key) || find_key(section->keys, entry.key))
                refuse_at(entry.line, "key '" + printable(entry.key) + "' does not belong to this type of " +
                                          std::string(section->name) + "; its keys are " + listed(names));
    refuse_at(entry.line, "unknown key '" + printable(entry.key) + "'; " + suggestion(entry.key, names));
}

void ModelTable::wrong_type(const Key& key, const TomlNode& node) const {
    std::string example(type_example(key.type));
    if (!key.words.empty())
        example = '"' + std::string(key.words.front()) + '"';
    if (key.name == "gravity")
        example = "[0, 0, -9.81]";
    refuse_at(node.line, "'" + std::string(key.name) + "' must be " + std::string(type_text(key.type)) +
                             (key.unit.empty() ? "" : " (" + std::string(key.unit) + ")") + ", not " +
                             described(node) + "; for example " + std::string(key.name) + " = " + example);
}

void ModelTable::check_number(const Key& key, const TomlNode& node) const {
    if (!node.is_number())
        wrong_type(key, node);
    if (!std::isfinite(node.number()))
        refuse_at(node.line,
                  "'" + std::string(key.name) + "' must be finite (" + digits(node.number()) + ")");
}

void ModelTable::check_list(const Key& key, const TomlNode& node, std::size_t least, std::size_t most) const {
    if (!node.is_array() || node.items().size() < least || node.items().size() > most)
        wrong_type(key, node);
}

void ModelTable::check_inner(const Key& key, const TomlNode& node, const std::vector<Key>& keys) const {
    if (!node.is_table())
        wrong_type(key, node);
    inner(key.name).check(keys);
}

void ModelTable::check_choice(const Key& key, const TomlNode& node, const std::string& what) const {
    if (!node.is_table())
        wrong_type(key, node);
    const ModelTable table(file_, node, node.line, what);
    std::vector<std::string> names;
    for (const ChoiceType& type : key.choices())
        names.emplace_back(type.name);
    const TomlNode* given = table.find("type");
    if (!given || !given->is_text())
        table.refuse("key 'type' is missing; known: " + listed(names, names.size()));
    const ChoiceType* type = find_choice(key.choices(), given->text());
    if (!type)
        table.refuse("type", "unknown type '" + printable(given->text()) + "'; " +
                                 suggestion(given->text(), names, names.size()));
    std::vector<Key> keys = type->keys;
    keys.push_back({.name = "type", .type = ValueType::word, .required = true});
    table.check(keys);
}

/// A law has one of its keys.
void ModelTable::check_law(const ModelTable& law) {
    law.check(law_keys());
    if (law.entries().size() != 1)
        law.refuse("give one of constant, polynomial, pieces and table (" +
                   std::to_string(law.entries().size()) + " given)");
    if (!law.has("pieces"))
        return;
    const std::vector<ModelTable> pieces = law.inner_list("pieces");
    if (pieces.empty())
        law.refuse("pieces", "pieces is empty; write for example pieces = " +
                                 std::string(type_example(ValueType::law_pieces)));
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (pieces[i].has("from") != (i > 0))
            pieces[i].refuse(i > 0 ? "key 'from' is missing: where the piece begins"
                                   : "the first piece has no beginning; leave 'from' out");
}

void ModelTable::check_value(const Key& key, const TomlEntry& entry) const {
    const TomlNode& node = entry.node;
    const auto list_of_numbers = [&](const TomlNode& list, std::size_t least, std::size_t most) {
        check_list(key, list, least, most);
        for (const TomlNode& item : list.items())
            check_number(key, item);
    };
    const auto list_of_vectors = [&](std::size_t least, std::size_t most) {
        check_list(key, node, least, most);
        for (const TomlNode& item : node.items())
            list_of_numbers(item, 3, 3);
    };
    const auto tables = [&](std::size_t least, std::size_t most) {
        check_list(key, node, least, most);
        for (const TomlNode& item : node.items())
            if (!item.is_table())
                wrong_type(key, node);
        return inner_list(key.name);
    };
    const auto list_of_names = [&] {
        check_list(key, node, 2, 2);
        for (const TomlNode& item : node.items())
            if (!item.is_text())
                wrong_type(key, node);
    };
    using enum ValueType;
    switch (key.type) {
    case text:
    case name:
    case variable:
    case body:
    case joint:
    case fmu_file:
    case terminal:
        if (!node.is_text())
            wrong_type(key, node);
        return;
    case road:
        if (!node.is_text())
            wrong_type(key, node);
        return;
    case choice:
        return check_choice(key, node, what_ + ", " + std::string(key.name));
    case choices:
        check_list(key, node, 0, any_number);
        for (std::size_t i = 0; i < node.items().size(); ++i)
            check_choice(key, node.items()[i], what_ + ", feature " + std::to_string(i + 1));
        return;
    case rows:
        check_list(key, node, 0, any_number);
        for (const TomlNode& row : node.items())
            list_of_numbers(row, 0, any_number);
        return;
    case settings:
        if (!node.is_table())
            wrong_type(key, node);
        return;
    case word:
        if (!node.is_text())
            wrong_type(key, node);
        if (const std::vector<std::string> words(key.words.begin(), key.words.end());
            !words.empty() && std::find(words.begin(), words.end(), node.text()) == words.end())
            refuse_at(node.line, "'" + std::string(key.name) + "' cannot be '" + printable(node.text()) +
                                     "' (one of " + listed(words) + "); " + suggestion(node.text(), words));
        return;
    case number:
        return check_number(key, node);
    case boolean:
        if (!node.is_boolean())
            wrong_type(key, node);
        return;
    case vector:
        return list_of_numbers(node, 3, 3);
    case inertia:
        list_of_numbers(node, 3, 6);
        if (node.items().size() != 3 && node.items().size() != 6)
            wrong_type(key, node);
        return;
    case six_numbers:
        return list_of_numbers(node, 6, 6);
    case sizes:
        return list_of_numbers(node, 1, 3);
    case numbers:
        return list_of_numbers(node, 0, any_number);
    case vectors:
        return list_of_vectors(0, any_number);
    case two_points:
        return list_of_vectors(2, 2);
    case two_bodies:
    case two_joints:
        return list_of_names();
    case orientation:
        return node.is_table() ? check_inner(key, node, orientation_keys()) : list_of_numbers(node, 4, 4);
    case friction:
        return check_inner(key, node, friction_keys());
    case shape:
        return check_inner(key, node, shape_keys());
    case motion: {
        const bool table = node.is_table() && (node.find("time") || node.find("value"));
        return check_inner(key, node, table ? table_keys() : motion_keys());
    }
    case load:
        return node.is_table() ? check_inner(key, node, load_table_keys()) : list_of_numbers(node, 3, 3);
    case effort:
        return node.is_table() ? check_inner(key, node, table_keys()) : check_number(key, node);
    case scalar_table:
        return check_inner(key, node, table_keys());
    case vector_table:
        return check_inner(key, node, load_table_keys());
    case range:
        return list_of_numbers(node, 2, 2);
    case pairs:
        check_list(key, node, 0, any_number);
        for (const TomlNode& item : node.items())
            list_of_numbers(item, 2, 2);
        return;
    case law:
        if (!node.is_table())
            wrong_type(key, node);
        return check_law(inner(key.name));
    case six_laws:
        for (const ModelTable& law : tables(6, 6))
            if (!law.entries().empty())
                check_law(law);
        return;
    case law_pieces:
        for (const ModelTable& piece : tables(0, any_number))
            piece.check(law_piece_keys());
        return;
    case stop:
        return check_inner(key, node, stop_keys());
    case six_stops:
        for (const ModelTable& stop : tables(6, 6))
            if (!stop.entries().empty())
                stop.check(stop_keys());
        return;
    }
}

double ModelTable::number(std::string_view key, double fallback) const {
    const TomlNode* node = find(key);
    return node ? node->number() : fallback;
}

bool ModelTable::boolean(std::string_view key) const {
    const TomlNode* node = find(key);
    return node && node->boolean();
}

std::string ModelTable::text(std::string_view key, const std::string& fallback) const {
    const TomlNode* node = find(key);
    return node ? node->text() : fallback;
}

Vec3 ModelTable::vector(std::string_view key, const Vec3& fallback) const {
    const TomlNode* node = find(key);
    return node ? vector_of(*node) : fallback;
}

std::vector<double> ModelTable::numbers(std::string_view key) const {
    std::vector<double> result;
    if (const TomlNode* node = find(key))
        for (const TomlNode& item : node->items())
            result.push_back(item.number());
    return result;
}

Mat3 ModelTable::rotation(std::string_view key) const {
    const TomlNode* node = find(key);
    if (!node)
        return Mat3::Identity();
    if (node->is_table()) {
        const ModelTable table = inner(key);
        if (table.has("angle") == table.has("angle_deg"))
            table.refuse("one of angle_deg (degrees) and angle (rad) is needed");
        const Vec3 axis = table.vector("axis", Vec3::Zero());
        if (!(axis.stableNorm() >= least_axis))
            table.refuse("axis", "axis has no direction (" + digits(axis) + ")");
        const double angle = table.number("angle", table.number("angle_deg", 0) * std::numbers::pi / 180);
        return Eigen::AngleAxisd(angle, axis.stableNormalized()).toRotationMatrix();
    }
    const std::vector<double> q = numbers(key);
    const Eigen::Vector4d coefficients(q[0], q[1], q[2], q[3]);
    const double length = coefficients.stableNorm();
    if (!(length >= least_axis))
        refuse(key, "a quaternion of length 0 is not a rotation; no rotation is [1, 0, 0, 0]");
    if (!(std::abs(length - 1) <= quaternion_slack)) {
        const Eigen::Vector4d unit = coefficients.stableNormalized();
        refuse(key, "the quaternion has length " + digits(length) + " (1 within " + digits(quaternion_slack) +
                        "); did you mean [" + digits(unit[0]) + ", " + digits(unit[1]) + ", " +
                        digits(unit[2]) + ", " + digits(unit[3]) + "], or { axis = .., angle_deg = .. }?");
    }
    return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

} // namespace tenon
