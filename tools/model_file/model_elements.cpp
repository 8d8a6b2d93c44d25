#include "tools/model_file/model_elements.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/roads/road_features.hpp"
#include "core/model/suggest.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <tuple>

namespace tenon {
namespace {

const Section& section_of(std::string_view name) { return *find_section(name); }

/// The variant that the table's `type` names, after all keys have been checked against it.
const Variant& checked_variant(const ModelTable& table, const Section& section) {
    const TomlNode* type = table.find("type");
    std::vector<std::string> names;
    for (const Variant& variant : section.variants)
        names.emplace_back(variant.name);
    if (!type)
        table.refuse("key 'type' is missing; known: " + listed(names, names.size()));
    if (!type->is_text())
        table.refuse("type", "'type' must be a text; known: " + listed(names, names.size()));
    const Variant* variant = section.variant(type->text());
    if (!variant)
        table.refuse("type", "unknown " + std::string(section.name) + " type '" + printable(type->text()) +
                                 "'; " + suggestion(type->text(), names, names.size()));
    table.check(section.keys_of(*variant), &section);
    return *variant;
}

int find_name(const ModelTable& table, std::string_view key, const std::string& given,
              const std::map<std::string, int>& known, std::string_view kind) {
    if (const auto place = known.find(given); place != known.end())
        return place->second;
    std::vector<std::string> names;
    for (const auto& [name, index] : known)
        names.push_back(name);
    table.refuse(key, "there is no " + std::string(kind) + " '" + printable(given) + "'; " +
                          suggestion(given, names));
}

int body_index(const ModelTable& table, std::string_view key, const std::string& given,
               const ModelNames& names) {
    if (given == "world")
        return world;
    // What others call it.
    for (const char* ground : {"ground", "Ground", "World", "WORLD", "earth"})
        if (given == ground && !names.bodies.contains(given))
            table.refuse(key, "there is no body '" + given + "'; what stands still is called 'world'");
    return find_name(table, key, given, names.bodies, "body");
}

int joint_index(const ModelTable& table, std::string_view key, const std::string& given,
                const ModelNames& names) {
    return find_name(table, key, given, names.joints, "joint");
}

std::pair<int, int> two_body_indices(const ModelTable& table, const ModelNames& names) {
    const TomlNode::Array& items = table.find("bodies")->items();
    return {body_index(table, "bodies", items[0].text(), names),
            body_index(table, "bodies", items[1].text(), names)};
}

Shape read_shape(const ModelTable& table) {
    Shape shape;
    shape.type = table.text("type");
    shape.size = table.numbers("size");
    shape.radius = table.number("radius", 0);
    shape.length = table.number("length", 0);
    shape.axis = table.numbers("axis");
    shape.file = table.text("file");
    shape.color = table.text("color");
    const auto positive = [&](std::string_view key, double value) {
        if (value <= 0)
            table.refuse(key, "'" + std::string(key) + "' must be positive (" + digits(value) + " m)");
    };
    for (double edge : shape.size)
        positive("size", edge);
    for (std::string_view key : {"radius", "length"})
        if (table.has(key))
            positive(key, table.number(key, 0));
    if (!shape.axis.empty() && table.vector("axis", Vec3::Zero()).isZero(0))
        table.refuse("axis", "axis has no direction ([0, 0, 0])");
    if (shape.type == "mesh" && shape.file.empty())
        table.refuse("a mesh needs file = \"...\"");
    return shape;
}

Friction read_friction(const ModelTable& table) {
    const Friction fallback;
    return {table.number("coulomb", fallback.coulomb), table.number("viscous", fallback.viscous),
            table.number("speed", fallback.speed)};
}

/// A spline through the table's points; what the core finds wrong with them gets file and line.
Table read_points(const ModelTable& table, std::vector<double> value) {
    try {
        return Table(table.numbers("time"), std::move(value));
    } catch (const Error& error) {
        table.refuse(error.what());
    }
}

std::array<Table, 3> read_vector_points(const ModelTable& table) {
    std::array<Table, 3> result;
    for (int i = 0; i < 3; ++i) {
        std::vector<double> component;
        for (const TomlNode& item : table.find("value")->items())
            component.push_back(vector_of(item)[i]);
        result[static_cast<std::size_t>(i)] = read_points(table, std::move(component));
    }
    return result;
}

Formula read_formula(const ModelTable& table) {
    return {table.number("offset", 0), table.number("rate", 0), table.number("amplitude", 0),
            table.number("frequency", 0), table.number("phase", 0)};
}

void read_load(const ModelTable& table, std::string_view key, Force& force) {
    const bool over_time = table.has("table") || (table.has(key) && table.find(key)->is_table());
    if (table.has("table") && table.has(key))
        table.refuse("table", "give either '" + std::string(key) + "' or 'table', not both");
    if (over_time && table.boolean("input"))
        table.refuse("input", "a table over time cannot be an input too; leave one of them out");
    if (over_time)
        force.set(key, read_vector_points(table.inner(table.has("table") ? "table" : key)));
    else if (table.has(key))
        force.set(key, table.vector(key, Vec3::Zero()));
    else if (!table.boolean("input"))
        table.refuse("key '" + std::string(key) + "' is missing; write " + std::string(key) +
                     " = [x, y, z], a table { time = [..], value = [..] } for it, or input = true");
}

std::vector<double> numbers_of(const TomlNode& node) {
    std::vector<double> list;
    for (const TomlNode& item : node.items())
        list.push_back(item.number());
    return list;
}

/// A table that ModelTable::check has passed.
Choice read_choice(const TomlNode& node) {
    Choice choice;
    for (const TomlEntry& entry : node.entries()) {
        if (entry.key == "type") {
            choice.type = entry.node.text();
        } else if (entry.node.is_number()) {
            choice.values[entry.key] = entry.node.number();
        } else if (!entry.node.items().empty() && entry.node.items().front().is_array()) {
            std::vector<std::vector<double>> rows;
            for (const TomlNode& row : entry.node.items())
                rows.push_back(numbers_of(row));
            choice.values[entry.key] = std::move(rows);
        } else {
            choice.values[entry.key] = numbers_of(entry.node);
        }
    }
    return choice;
}

Law read_law(const ModelTable& table) {
    if (table.entries().empty())
        return {};
    if (table.has("constant"))
        return polynomial_law({table.number("constant", 0)});
    if (table.has("polynomial"))
        return polynomial_law(table.numbers("polynomial"));
    Law law;
    if (table.has("pieces"))
        for (const ModelTable& piece : table.inner_list("pieces"))
            law.pieces.push_back({piece.number("from", 0), piece.numbers("polynomial")});
    else
        for (const TomlNode& point : table.find("table")->items())
            law.table.push_back({point.items()[0].number(), point.items()[1].number()});
    if (law.empty())
        table.refuse("table", "needs a table of at least 2 points [x, F] (0 given)");
    return law;
}

Stop read_stop(const ModelTable& table) {
    return {table.number("at", 0), table.number("stiffness", 0), table.number("damping", 0)};
}

std::array<Vec3, 2> read_two_points(const TomlNode& node) {
    return {vector_of(node.items()[0]), vector_of(node.items()[1])};
}

/// A key of a force whose type has it; what is absent stays so.
void read_key(const ModelTable& table, const Key& key, const ModelNames& names, Force& force) {
    using enum ValueType;
    if (key.type == load)
        return read_load(table, key.name, force);
    const TomlNode* node = table.find(key.name);
    if (!node)
        return;
    switch (key.type) {
    case two_bodies:
        std::tie(force.first, force.second) = two_body_indices(table, names);
        return;
    case body:
        force.second = body_index(table, key.name, node->text(), names);
        return;
    case joint:
        force.joint = joint_index(table, key.name, node->text(), names);
        return;
    case number:
        force.set(key.name, node->number());
        return;
    case boolean:
        force.set(key.name, node->boolean());
        return;
    case word:
    case road:
        force.set(key.name, node->text());
        return;
    case choice:
        force.set(key.name, read_choice(*node));
        return;
    case vector:
        force.set(key.name, vector_of(*node));
        return;
    case two_points:
        force.set(key.name, read_two_points(*node));
        return;
    case six_numbers:
        force.set(key.name, table.numbers(key.name));
        return;
    case range:
        force.set(key.name, table.numbers(key.name));
        return;
    case effort:
        if (node->is_table())
            force.set(key.name, read_points(table.inner(key.name), table.inner(key.name).numbers("value")));
        else
            force.set(key.name, node->number());
        return;
    case law:
        force.set(key.name, read_law(table.inner(key.name)));
        return;
    case stop:
        force.set(key.name, read_stop(table.inner(key.name)));
        return;
    case six_laws: {
        std::vector<Law> laws;
        for (const ModelTable& law : table.inner_list(key.name))
            laws.push_back(read_law(law));
        force.set(key.name, std::move(laws));
        return;
    }
    case six_stops: {
        std::vector<std::optional<Stop>> stops;
        for (const ModelTable& stop : table.inner_list(key.name))
            stops.push_back(stop.entries().empty() ? std::nullopt : std::optional<Stop>(read_stop(stop)));
        force.set(key.name, std::move(stops));
        return;
    }
    case vector_table: // read_load has it
        return;
    default:
        throw std::logic_error("force key '" + std::string(key.name) + "' is of a type that is not read");
    }
}

const IntegratorType& known_integrator(const ModelTable& table, const std::string& name) {
    if (const IntegratorType* type = find_integrator(name))
        return *type;
    std::vector<std::string> names;
    for (const IntegratorType& type : integrator_types())
        names.push_back(type.name);
    table.refuse("integrator",
                 "unknown integrator '" + printable(name) + "'; " + suggestion(name, names, names.size()));
}

std::string owner_of_option(std::string_view option) {
    for (const IntegratorType& type : integrator_types())
        for (const IntegratorOption& candidate : type.options)
            if (candidate.name == option)
                return type.name;
    return {};
}

} // namespace

Body read_body(const ModelTable& table) {
    table.check(section_of("body").keys);
    Body body;
    body.name = table.text("name");
    body.mass = table.number("mass", 0);
    body.com = table.vector("com", body.com);
    const std::vector<double> i = table.numbers("inertia");
    body.inertia = Vec3(i[0], i[1], i[2]).asDiagonal();
    if (i.size() == 6) {
        body.inertia(0, 1) = body.inertia(1, 0) = i[3];
        body.inertia(0, 2) = body.inertia(2, 0) = i[4];
        body.inertia(1, 2) = body.inertia(2, 1) = i[5];
    }
    body.position = table.vector("position", body.position);
    body.rotation = table.rotation("orientation");
    if (table.has("velocity"))
        body.velocity = table.vector("velocity", Vec3::Zero());
    if (table.has("angular_velocity"))
        body.angular_velocity = table.vector("angular_velocity", Vec3::Zero());
    if (table.has("shape"))
        body.shape = read_shape(table.inner("shape"));
    return body;
}

Joint read_joint(const ModelTable& table, const ModelNames& names, const std::vector<Body>& bodies) {
    const Variant& variant = checked_variant(table, section_of("joint"));
    Joint joint;
    joint.name = table.text("name");
    joint.type = variant.name;
    if (table.has("bodies")) {
        const auto [first, second] = two_body_indices(table, names);
        if (!type_of(joint).couples_joints()) {
            joint.first = first;
            joint.second = second;
        }
        if (const int carrier = second == world ? first : second; carrier != world)
            joint.at = bodies[static_cast<std::size_t>(carrier)].position;
    }
    for (const JointKeyUse& use : type_of(joint).keys)
        if (const TomlNode* node = table.find(use.name))
            std::visit(
                [&](const auto& member) {
                    if constexpr (std::is_same_v<decltype(member), Vec3 Joint::*const&>) {
                        joint.*member = vector_of(*node);
                    } else if constexpr (requires { joint.*member; }) { // a number, optional or not
                        joint.*member = node->number();
                    } else if constexpr (std::is_same_v<decltype(joint.*member[0]), Vec3&>) {
                        for (std::size_t i : {0U, 1U})
                            joint.*member[i] = vector_of(node->items()[i]);
                    } else {
                        for (std::size_t i : {0U, 1U})
                            joint.*member[i] = joint_index(table, use.name, node->items()[i].text(), names);
                    }
                },
                joint_key(use.name).member);
    if (table.has("friction"))
        joint.friction = read_friction(table.inner("friction"));
    return joint;
}

Driver read_driver(const ModelTable& table, const ModelNames& names) {
    table.check(section_of("driver").keys);
    Driver driver;
    driver.name = table.text("name");
    driver.joint = joint_index(table, "joint", table.text("joint"), names);
    driver.coordinate = table.text("coordinate");
    driver.input = table.boolean("input");
    const int given = int(table.has("motion")) + int(table.has("table")) + int(driver.input);
    if (given != 1)
        table.refuse("one of motion = { rate = .. }, motion = { time = [..], value = [..] } and input = true "
                     "is needed" +
                     std::string(given > 1 ? ", not several of them" : ""));
    const std::string_view key = table.has("table") ? "table" : "motion";
    if (table.has(key)) {
        const ModelTable motion = table.inner(key);
        if (motion.has("time"))
            driver.table = read_points(motion, motion.numbers("value"));
        else
            driver.motion = read_formula(motion);
    }
    return driver;
}

Road read_road(const ModelTable& table) {
    table.check(section_of("road").keys);
    Road road;
    road.name = table.text("name");
    if (const TomlNode* features = table.find("features"))
        for (const TomlNode& feature : features->items())
            road.features.push_back(read_choice(feature));
    road.friction = table.number("friction", road.friction);
    road.at = table.vector("at", road.at);
    road.axis = table.vector("axis", road.axis);
    road.normal = table.vector("normal", road.normal);
    for (const auto& [key, place] : {std::pair{"start", &road.start}, std::pair{"end", &road.end}})
        if (table.has(key))
            *place = table.number(key, 0);
    road.length = table.number("length", 0);
    road.width = table.number("width", 0);
    return road;
}

Force read_force(const ModelTable& table, const ModelNames& names) {
    const Variant& variant = checked_variant(table, section_of("force"));
    Force force;
    force.name = table.text("name");
    force.type = variant.name;
    for (const Key& key : variant.keys)
        read_key(table, key, names, force);
    return force;
}

Port read_port(const ModelTable& table, const ModelNames& names) {
    table.check(section_of("port").keys);
    return {table.text("name"), body_index(table, "body", table.text("body"), names),
            table.vector("at", Vec3::Zero()), table.rotation("orientation")};
}

Flange read_flange(const ModelTable& table, const ModelNames& names) {
    table.check(section_of("flange").keys);
    return {table.text("name"), joint_index(table, "joint", table.text("joint"), names)};
}

Alias read_alias(const ModelTable& table, std::string_view section) {
    table.check(section_of(section).keys);
    return {table.text("name"), table.text(section == "input" ? "to" : "from"), table.text("unit"),
            table.text("description")};
}

SolverSettings read_solver(const ModelTable& table) {
    SolverSettings solver;
    if (const TomlNode* name = table.find("integrator"); name && name->is_text())
        solver.integrator = name->text();
    const IntegratorType& type = known_integrator(table, solver.integrator);
    std::vector<Key> keys = section_of("solver").keys;
    for (const IntegratorOption& option : type.options) {
        const std::array<ValueType, 3> kinds = {ValueType::number, ValueType::boolean, ValueType::word};
        keys.push_back({option.name,
                        kinds.at(option.fallback.index()),
                        "",
                        "",
                        false,
                        option.description,
                        {option.words.begin(), option.words.end()}});
    }
    for (const TomlEntry& entry : table.entries())
        if (const std::string owner = owner_of_option(entry.key);
            !owner.empty() && !find_key(keys, entry.key))
            table.refuse(entry.key, "integrator '" + solver.integrator + "' has no option '" + entry.key +
                                        "'; it belongs to '" + owner + "'");
    table.check(keys);
    solver.step = table.number("step", solver.step);
    solver.stop = table.number("stop", solver.stop);
    solver.tolerance = table.number("tolerance", solver.tolerance);
    solver.coordinates = table.text("coordinates");
    for (const IntegratorOption& option : type.options)
        if (const TomlNode* node = table.find(option.name))
            solver.options[option.name] = node->is_number()    ? OptionValue(node->number())
                                          : node->is_boolean() ? OptionValue(node->boolean())
                                                               : OptionValue(node->text());
    return solver;
}

} // namespace tenon
