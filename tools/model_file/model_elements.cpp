#include "tools/model_file/model_elements.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/model/suggest.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <array>

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
    std::vector<Key> keys = section.keys;
    keys.insert(keys.end(), variant->keys.begin(), variant->keys.end());
    for (Key& key : keys)
        if (key.name == "bodies" && variant->name == "gear")
            key.required = false;
    table.check(keys, &section);
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
    return given == "world" ? world : find_name(table, key, given, names.bodies, "body");
}

int joint_index(const ModelTable& table, std::string_view key, const std::string& given,
                const ModelNames& names) {
    return find_name(table, key, given, names.joints, "joint");
}

std::array<int, 2> read_bodies(const ModelTable& table, const ModelNames& names) {
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

void read_load(const ModelTable& table, std::string_view key, const ModelNames& names, Force& force) {
    force.second = body_index(table, "body", table.text("body"), names);
    force.body_axes = table.text("axes", "world") == "body";
    force.input = table.boolean("input");
    const bool over_time = table.has("table") || (table.has(key) && table.find(key)->is_table());
    if (table.has("table") && table.has(key))
        table.refuse("table", "give either '" + std::string(key) + "' or 'table', not both");
    if (over_time && force.input)
        table.refuse("input", "a table over time cannot be an input too; leave one of them out");
    if (over_time)
        force.table = read_vector_points(table.inner(table.has("table") ? "table" : key));
    else if (table.has(key))
        force.vector = table.vector(key, Vec3::Zero());
    else if (!force.input)
        table.refuse("key '" + std::string(key) + "' is missing; write " + std::string(key) +
                     " = [x, y, z], a table { time = [..], value = [..] } for it, or input = true");
}

void read_six(const ModelTable& table, std::string_view key, std::array<double, 6>& place) {
    const std::vector<double> values = table.numbers(key);
    std::copy(values.begin(), values.end(), place.begin());
}

/// Reserved, but not in this build, is another thing than misspelt.
const IntegratorType& known_integrator(const ModelTable& table, const std::string& name) {
    if (const IntegratorType* type = find_integrator(name))
        return *type;
    std::vector<std::string> names;
    for (const IntegratorType& type : integrator_types())
        names.push_back(type.name);
    const auto& reserved = reserved_integrators();
    if (std::find(reserved.begin(), reserved.end(), name) != reserved.end())
        table.refuse("integrator",
                     "integrator '" + name + "' is not in this build; it has " + listed(names, names.size()));
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
        const auto [first, second] = read_bodies(table, names);
        if (joint.type != "gear") {
            joint.first = first;
            joint.second = second;
        }
        if (const int carrier = second == world ? first : second; carrier != world)
            joint.at = bodies[static_cast<std::size_t>(carrier)].position;
    }
    joint.at = table.vector("at", joint.at);
    joint.axis = table.vector("axis", joint.axis);
    joint.axis2 = table.vector("axis2", joint.axis2);
    joint.normal = table.vector("normal", joint.normal);
    if (const TomlNode* points = table.find("points")) {
        joint.point1 = vector_of(points->items()[0]);
        joint.point2 = vector_of(points->items()[1]);
    }
    if (table.has("length"))
        joint.length = table.number("length", 0);
    joint.pitch = table.number("pitch", joint.pitch);
    joint.ratio = table.number("ratio", joint.ratio);
    joint.radius = table.number("radius", joint.radius);
    if (const TomlNode* joints = table.find("joints")) {
        joint.joint1 = joint_index(table, "joints", joints->items()[0].text(), names);
        joint.joint2 = joint_index(table, "joints", joints->items()[1].text(), names);
    }
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

Force read_force(const ModelTable& table, const ModelNames& names) {
    using Pair = std::pair<std::string_view, ForceType>;
    static constexpr std::array<Pair, 5> types = {{{"spring_damper", ForceType::spring_damper},
                                                   {"torsion_spring", ForceType::torsion_spring},
                                                   {"bushing", ForceType::bushing},
                                                   {"force", ForceType::force},
                                                   {"torque", ForceType::torque}}};
    const Variant& variant = checked_variant(table, section_of("force"));
    Force force;
    force.name = table.text("name");
    force.type = std::find_if(types.begin(), types.end(), [&](const Pair& p) {
                     return p.first == variant.name;
                 })->second;
    force.at = table.vector("at", force.at);
    if (table.has("bodies")) {
        const auto [first, second] = read_bodies(table, names);
        force.first = first;
        force.second = second;
    }
    if (table.has("joint"))
        force.joint = joint_index(table, "joint", table.text("joint"), names);
    if (const TomlNode* points = table.find("points")) {
        force.point1 = vector_of(points->items()[0]);
        force.point2 = vector_of(points->items()[1]);
    }
    if (force.type == ForceType::bushing) {
        read_six(table, "stiffness", force.stiffness6);
        read_six(table, "damping", force.damping6);
    } else {
        force.stiffness = table.number("stiffness", 0);
        force.damping = table.number("damping", 0);
    }
    if (table.has("free_length"))
        force.free_length = table.number("free_length", 0);
    force.free_angle = table.number("free_angle", 0);
    if (force.type == ForceType::force || force.type == ForceType::torque)
        read_load(table, variant.name, names, force);
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
