#include "tools/model_file/model_format.hpp"

#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_keys.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/roads/road_features.hpp"
#include "core/model/suggest.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

namespace tenon {
namespace {

using enum ValueType;

constexpr bool required = true, optional = false;

Key name_key(std::string_view meaning) { return {"name", name, "", "", required, meaning}; }

std::vector<Key> model_keys() {
    return {
        {"name", text, "", "the file's name", optional, "name of the machine"},
        {"gravity", vector, "m/s2", "[0, 0, -9.81]", optional, "acceleration of free fall"},
        {"description", text, "", "", optional, "a sentence for people"},
    };
}

std::vector<Key> body_keys() {
    return {
        name_key("name of the body"),
        {"mass", number, "kg", "", required,
         "mass; may be 0 where the joints leave the body no motion of its own"},
        {"com", vector, "m", "[0, 0, 0]", optional, "centre of mass, in the body frame"},
        {"inertia", inertia, "kg m2", "", required,
         "inertia tensor about the centre of mass in body axes: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz], "
         "where xy = "
         "-integral of x y dm"},
        {"position", vector, "m", "[0, 0, 0]", optional, "origin of the body frame at t = 0, in the world"},
        {"orientation", orientation, "", "[1, 0, 0, 0]", optional, "body axes to world axes at t = 0"},
        {"velocity", vector, "m/s", "at rest", optional,
         "velocity of the body frame's origin at t = 0, in world axes"},
        {"angular_velocity", vector, "rad/s", "at rest", optional,
         "angular velocity at t = 0, in world axes"},
        {"shape", shape, "", "none", optional, "what is drawn; has no effect on the motion"},
    };
}

std::vector<Key> joint_keys() {
    return {
        name_key("name of the joint"),
        {"type", word, "", "", required, "one of the joint types below"},
        {"bodies", two_bodies, "", "", required, "first and second body, or \"world\"; not used by gears"},
        {"friction", friction, "", "none", optional, "friction along the joint's angle or distance"},
    };
}

std::vector<Variant> joint_variants() {
    std::vector<Variant> variants;
    for (const JointType& type : joint_types()) {
        Variant variant{type.name, type.meaning, {}, type.couples_joints() ? "bodies" : ""};
        for (const JointKeyUse& use : type.keys) {
            Key& key = variant.keys.emplace_back(joint_key(use.name).key);
            if (!use.fallback.empty()) {
                key.required = optional;
                key.fallback = use.fallback;
            }
            if (!use.meaning.empty())
                key.meaning = use.meaning;
        }
        variants.push_back(std::move(variant));
    }
    return variants;
}

std::vector<Key> driver_keys() {
    return {
        name_key("name of the driver; of its input where input = true"),
        {"joint", joint, "", "", required, "the joint that is moved"},
        {"coordinate", word, "", "the joint's only one", optional,
         "which of a cylindrical joint's two is moved", driver_coordinates},
        {"motion", motion, "rad or m", "", optional, "the angle or distance over time: a formula or a table"},
        {"table", scalar_table, "s, rad or m", "", optional, "the same as motion with a table"},
        {"input", boolean, "", "false", optional, "true: the motion is an input of the model"},
    };
}

std::vector<Key> road_keys() {
    return {
        name_key("name of the road"),
        {.name = "features",
         .type = choices,
         .fallback = "none: flat",
         .meaning = "what it is made of; heights add up, see below",
         .choices = road_feature_choices},
        {"friction", number, "", "1", optional, "scales the friction of everything that touches it"},
        {"at", vector, "m", "[0, 0, 0]", optional, "its origin, in the world at t = 0"},
        {"axis", vector, "", "[1, 0, 0]", optional, "direction of travel, x of the features"},
        {"normal", vector, "", "[0, 0, 1]", optional, "up, z of the features"},
        {"start", number, "m", "without a start", optional, "x before which there is no road"},
        {"end", number, "m", "without an end", optional, "x behind which there is no road"},
        {"length", number, "m", "as its features need it", optional, "along x, as it is drawn"},
        {"width", number, "m", "as the machine needs it", optional, "along y, as it is drawn"},
    };
}

std::vector<Variant> force_variants() {
    std::vector<Variant> variants;
    for (const ForceType& type : force_types()) {
        Variant& variant = variants.emplace_back(Variant{type.name, type.meaning, {}});
        std::ranges::copy_if(type.keys, std::back_inserter(variant.keys), &Key::in_file);
    }
    return variants;
}

std::vector<Key> alias_keys(std::string_view key, std::string_view meaning) {
    return {
        name_key("name that others see"),
        {key, variable, "", "", required, meaning},
        {"unit", text, "", "", optional, "unit as it is shown"},
        {"description", text, "", "", optional, "a sentence for people"},
    };
}

std::vector<Key> solver_keys() {
    return {
        {"integrator", word, "", "\"projection\"", optional, "the method, see below"},
        {"step", number, "s", "1e-3", optional, "step size"},
        {"stop", number, "s", "10", optional, "time at which the run ends"},
        {"tolerance", number, "", "1e-8", optional, "to which the equations of a step are solved"},
        {"coordinates",
         word,
         "",
         "the integrator's own",
         optional,
         "which form of the equations is integrated",
         {"natural", "lie", "joint"}},
    };
}

std::vector<Section> sections() {
    const Key type{"type", word, "", "", required, "one of the force types below"};
    return {
        {"model", false, "The machine as a whole. The table may be left out.", model_keys()},
        {"body", true, "A rigid body.", body_keys()},
        {"joint", true, "What ties two bodies.", joint_keys(), joint_variants()},
        {"driver", true,
         "Prescribes a joint's angle or distance. It has one of `motion`, `table` and `input = true`.",
         driver_keys()},
        {"road", true, "A height over a plane, on which wheels and contacts roll and slide.", road_keys()},
        {"force",
         true,
         "Springs, dampers and loads.",
         {name_key("name of the force"), type},
         force_variants()},
        {"port",
         true,
         "A frame on a body that can be glued to another model.",
         {name_key("name of the port"),
          {"body", body, "", "", required, "the body that carries it"},
          {"at", vector, "m", "", required, "its origin in the world at t = 0"},
          {"orientation", orientation, "", "[1, 0, 0, 0]", optional, "port axes to world axes at t = 0"}}},
        {"flange",
         true,
         "A revolute or prismatic joint, seen from outside as a one-dimensional flange.",
         {name_key("name of the flange"), {"joint", joint, "", "", required, "the joint"}}},
        {"input", true, "Another name for an input of the model.",
         alias_keys("to", "the input variable, such as motor.t[3]")},
        {"output", true, "Another name for a result.",
         alias_keys("from", "the result variable, such as crank.r_0[1]")},
        {"solver", false, "How the machine is simulated. Further keys are the integrator's options.",
         solver_keys()},
    };
}

} // namespace

std::string Section::heading() const {
    return (repeated ? "[[" : "[") + std::string(name) + (repeated ? "]]" : "]");
}

const Variant* Section::variant(std::string_view type) const {
    for (const Variant& candidate : variants)
        if (candidate.name == type)
            return &candidate;
    return nullptr;
}

std::vector<Key> Section::keys_of(const Variant& variant) const {
    std::vector<Key> all = keys;
    for (Key& key : all)
        if (key.name == variant.spares)
            key.required = false;
    all.insert(all.end(), variant.keys.begin(), variant.keys.end());
    return all;
}

const std::vector<Section>& model_sections() {
    static const std::vector<Section> all = sections();
    return all;
}

const Section* find_section(std::string_view section_name) {
    for (const Section& section : model_sections())
        if (section.name == section_name)
            return &section;
    return nullptr;
}

const Key* find_key(const std::vector<Key>& keys, std::string_view key_name) {
    for (const Key& key : keys)
        if (key.name == key_name)
            return &key;
    return nullptr;
}

const std::vector<Key>& orientation_keys() {
    static const std::vector<Key> keys = {
        {"axis", vector, "", "", required, "axis of the rotation, of any length"},
        {"angle_deg", number, "degrees", "", optional, "angle of the rotation; or angle"},
        {"angle", number, "rad", "", optional, "the same in radians"},
    };
    return keys;
}

const std::vector<Key>& friction_keys() {
    static const std::vector<Key> keys = {
        {"coulomb", number, "N m or N", "0", optional, "friction that does not depend on the speed"},
        {"viscous", number, "N m s/rad or N s/m", "0", optional, "friction per speed"},
        {"speed", number, "rad/s or m/s", "0.01", optional,
         "Coulomb friction is smoothed by tanh(rate / speed), so that it is zero at rest"},
    };
    return keys;
}

const std::vector<Key>& shape_keys() {
    static const std::vector<Key> keys = {
        {"type", word, "", "", required, "the shape", {"box", "cylinder", "sphere", "rod", "wheel", "mesh"}},
        {"size", sizes, "m", "", optional, "edges of a box along the body's x, y and z"},
        {"radius", number, "m", "", optional, "of cylinder, sphere, rod and wheel"},
        {"length", number, "m", "", optional, "of cylinder and rod along the axis; width of a wheel"},
        {"axis", vector, "", "[0, 0, 1]", optional, "of cylinder, rod and wheel, in the body frame"},
        {"file", text, "", "", optional, "of a mesh, relative to the model file"},
        {"color", text, "", "", optional, "as on web pages: \"#c04020\" or \"steelblue\""},
    };
    return keys;
}

const std::vector<Key>& motion_keys() {
    static const std::vector<Key> keys = {
        {"offset", number, "rad or m", "0", optional, "constant part"},
        {"rate", number, "rad/s or m/s", "0", optional, "steady part"},
        {"amplitude", number, "rad or m", "0", optional, "of the sine"},
        {"frequency", number, "Hz", "0", optional, "of the sine"},
        {"phase", number, "rad", "0", optional, "of the sine at t = 0"},
    };
    return keys;
}

const std::vector<Key>& table_keys() {
    static const std::vector<Key> keys = {
        {"time", numbers, "s", "", required, "increasing times, at least 2"},
        {"value", numbers, "rad or m", "", required, "the value at each of them"},
    };
    return keys;
}

const std::vector<Key>& load_table_keys() {
    static const std::vector<Key> keys = {
        {"time", numbers, "s", "", required, "increasing times, at least 2"},
        {"value", vectors, "N or N m", "", required, "the vector at each of them"},
    };
    return keys;
}

const std::vector<Key>& law_keys() {
    static const std::vector<Key> keys = {
        {"constant", number, "", "", optional, "the same everywhere"},
        {"polynomial", numbers, "", "", optional, "c0, c1, c2, ...: c0 + c1 x + c2 x^2 + ..."},
        {"pieces", law_pieces, "", "", optional,
         "polynomials in the same x, each from its `from` to that of the next; a spring's must not jump "
         "there, a "
         "damper's by at most 5 %"},
        {"table", pairs, "", "", optional,
         "points [x, F], x increasing, at least 2: a cubic that is monotone between them, and straight "
         "beyond the "
         "ends"},
    };
    return keys;
}

const std::vector<Key>& law_piece_keys() {
    static const std::vector<Key> keys = {
        {"from", number, "", "", optional, "where it begins; needed for all but the first"},
        {"polynomial", numbers, "", "", required, "c0, c1, c2, ..."},
    };
    return keys;
}

const std::vector<Key>& stop_keys() {
    static const std::vector<Key> keys = {
        {"at", number, "m or rad", "", required, "elongation or angle at which it sets in"},
        {"stiffness", number, "N/m or N m/rad", "", required, "effort per depth"},
        {"damping", number, "N s/m or N m s/rad", "0", optional,
         "effort per speed while it is in; the stop never pulls"},
    };
    return keys;
}

std::string_view type_text(ValueType type) {
    switch (type) {
    case text:
    case name:
    case variable:
    case word:
        return "a text";
    case number:
        return "a number";
    case boolean:
        return "true or false";
    case vector:
        return "3 numbers";
    case inertia:
        return "3 or 6 numbers";
    case six_numbers:
        return "6 numbers";
    case sizes:
        return "1 to 3 numbers";
    case numbers:
        return "a list of numbers";
    case vectors:
        return "a list of [x, y, z]";
    case two_points:
        return "2 points of 3 numbers";
    case body:
        return "the name of a body";
    case two_bodies:
        return "the names of 2 bodies";
    case joint:
        return "the name of a joint";
    case two_joints:
        return "the names of 2 joints";
    case road:
        return "the name of a road";
    case choice:
        return "a table in braces with type";
    case choices:
        return "a list of tables in braces with type";
    case rows:
        return "a list of lists of numbers";
    case orientation:
        return "a quaternion of 4 numbers, scalar first, or a table with axis and angle_deg";
    case friction:
    case shape:
    case motion:
    case scalar_table:
    case vector_table:
        return "a table in braces";
    case load:
        return "3 numbers, or a table with time and value";
    case effort:
        return "a number, or a table with time and value";
    case range:
        return "2 numbers, the least and the largest";
    case law:
        return "a law: a table with one of constant, polynomial, pieces, table";
    case law_pieces:
        return "a list of tables with from and polynomial";
    case pairs:
        return "a list of [x, F]";
    case six_laws:
        return "a list of 6 laws, {} for none";
    case stop:
        return "a table with at, stiffness, damping";
    case six_stops:
        return "a list of 6 stops, {} for none";
    case fmu_file:
        return "the name of a file";
    case terminal:
        return "the terminal of an FMU";
    case settings:
        return "a table in braces";
    }
    return "";
}

std::string_view type_example(ValueType type) {
    switch (type) {
    case text:
    case name:
    case word:
        return "\"crank\"";
    case variable:
        return "\"crank.r_0[1]\"";
    case number:
        return "0.5";
    case boolean:
        return "true";
    case vector:
        return "[0, 0, 1]";
    case inertia:
        return "[0.1, 0.2, 0.2]";
    case six_numbers:
        return "[1e6, 1e6, 1e6, 1e4, 1e4, 1e4]";
    case sizes:
        return "[1, 0.1, 0.1]";
    case numbers:
        return "[0, 0.5, 1]";
    case vectors:
        return "[[0, 0, 0], [0, 0, 5]]";
    case two_points:
        return "[[0, 0, 0], [0, 0, 1]]";
    case body:
        return "\"crank\"";
    case two_bodies:
        return "[\"world\", \"crank\"]";
    case joint:
        return "\"pin\"";
    case two_joints:
        return "[\"pin1\", \"pin2\"]";
    case road:
        return "\"track\"";
    case choice:
        return "{ type = \"linear\", ... }";
    case choices:
        return "[{ type = \"bump\", start = 5, length = 2, height = 0.1 }]";
    case rows:
        return "[[0, 0], [1, 0.1]]";
    case orientation:
        return "{ axis = [0, 0, 1], angle_deg = 30 }";
    case friction:
        return "{ coulomb = 0.1, viscous = 0.01 }";
    case shape:
        return "{ type = \"box\", size = [1, 0.1, 0.1] }";
    case motion:
        return "{ rate = 6.28 }";
    case load:
        return "[0, 0, 5]";
    case effort:
        return "100";
    case range:
        return "[-500, 500]";
    case law:
        return "{ polynomial = [0, 2e4, 0, 1e6] }";
    case law_pieces:
        return "[{ polynomial = [0, 1e4] }, { from = 0.05, polynomial = [-1000, 3e4] }]";
    case pairs:
        return "[[-0.1, -1500], [0, 0], [0.1, 2500]]";
    case six_laws:
        return "[{ polynomial = [0, 1e6, 0, 1e10] }, {}, {}, {}, {}, {}]";
    case stop:
        return "{ at = -0.05, stiffness = 1e6, damping = 500 }";
    case six_stops:
        return "[{ at = -0.01, stiffness = 1e7 }, {}, {}, {}, {}, {}]";
    case scalar_table:
        return "{ time = [0, 1], value = [0, 0.5] }";
    case vector_table:
        return "{ time = [0, 1], value = [[0, 0, 0], [0, 0, 5]] }";
    case fmu_file:
        return "\"crank.fmu\"";
    case terminal:
        return "\"crank/tip\"";
    case settings:
        return "{ \"crank.mass\" = 2.0 }";
    }
    return "";
}

std::string meant_section(std::string_view given) {
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr std::array<Pair, 21> other_words = {{
        {"bodies", "body"},       {"link", "body"},        {"links", "body"},        {"part", "body"},
        {"rigid_body", "body"},   {"constraint", "joint"}, {"hinge", "joint"},       {"connection", "joint"},
        {"spring", "force"},      {"springs", "force"},    {"load", "force"},        {"torque", "force"},
        {"motor", "driver"},      {"actuator", "driver"},  {"motion", "driver"},     {"frame", "port"},
        {"simulation", "solver"}, {"settings", "solver"},  {"integrator", "solver"}, {"sensor", "output"},
        {"result", "output"},
    }};
    for (const auto& [word_given, section] : other_words)
        if (word_given == given)
            return std::string(section);
    std::vector<std::string> names;
    for (const Section& section : model_sections())
        names.emplace_back(section.name);
    return nearest_name(given, names);
}

} // namespace tenon
