#include "tools/system/system_format.hpp"

#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"
#include "tools/model_file/sections.hpp"
#include "tools/system/methods.hpp"

#include <array>
#include <utility>

namespace tenon::system {
namespace {

using enum ValueType;

constexpr bool required = true, optional = false;

std::vector<Key> fmu_keys() {
    return {
        {"name", name, "", "", required, "name of the FMU in this system"},
        {"file", fmu_file, "", "", required,
         "the FMU, or a model file that is made one for the run; relative to this file"},
        {"set", settings, "", "none", optional,
         "parameters and start values by the names of the FMU's variables"},
        {"isolate", boolean, "", "false", optional, "run this FMU in a process of its own"},
    };
}

std::vector<Key> connection_keys() {
    return {
        {"from", variable, "", "", required,
         "an output: `<fmu>.<variable>`; or a terminal: `<fmu>/<terminal>`"},
        {"to", variable, "", "", required, "an input: `<fmu>.<variable>`; or a terminal: `<fmu>/<terminal>`"},
        {"factor", number, "", "1", optional,
         "input = factor * output + offset, after the conversion of units"},
        {"offset", number, "the input's", "0", optional, "see factor"},
        {"suppress_unit_conversion", boolean, "", "false", optional,
         "true: the number is passed on whatever the units are"},
    };
}

std::vector<std::string_view> joint_methods() {
    std::vector<std::string_view> names = {"auto"};
    for (const MethodWord& method : method_words())
        if (method.for_joints)
            names.push_back(method.name);
    return names;
}

std::vector<std::string_view> all_methods() {
    std::vector<std::string_view> names = {"auto"};
    for (const MethodWord& method : method_words())
        names.push_back(method.name);
    return names;
}

std::vector<Key> joint_keys() {
    return {
        {"name", name, "", "", required, "name of the joint"},
        {"type", word, "", "", required, "one of the joint types below"},
        {"a", terminal, "", "", required, "first side: `<fmu>/<terminal>`, or \"world\""},
        {"b", terminal, "", "", required, "second side, in the same way"},
        {"method", word, "", "that of [master]", optional,
         "how this joint, and those that are coupled with it, are glued", joint_methods()},
    };
}

/// What the types of joints between FMUs may ask for. Their point is the origin of the ports.
const std::vector<Key>& glue_keys() {
    static const std::vector<Key> keys = {
        {"axis", vector, "", "", required, "direction in the axes of port a, of any length"},
        {"axis2", vector, "", "", required,
         "direction that stays with side b, in the axes of port a at the start"},
        {"length", number, "m", "the distance at the start", optional,
         "distance of the origins of the ports"},
    };
    return keys;
}

/// For types whose axis is on both sides, and for the universal joint's second axis.
const Key& axis_b_key() {
    static const Key key{
        "axis_b",       vector,   "",
        "as in port a", optional, "the axis on side b in the axes of port b; of a universal joint its axis2"};
    return key;
}

/// For types with points that are apart: the ports have one of them each, and the world is everywhere.
const Key& at_key() {
    static const Key key{"at",     vector,
                         "m",      "where the other port starts",
                         optional, "of a joint to the world: its point there"};
    return key;
}

/// For method compliant.
const std::vector<Key>& spring_keys() {
    static const std::vector<Key> keys = {
        {"stiffness", number, "N/m or N.m/rad", "none", optional,
         "of the spring that method compliant puts in the joint's place"},
        {"damping", number, "N.s/m or N.m.s/rad", "none", optional, "of its damper"},
    };
    return keys;
}

bool has_axis_on_both_sides(const JointType& type) {
    return type.orientation != Orientation::free && type.takes("axis");
}

/// All types of the core but those that need more than two ports or a pitch.
std::vector<Variant> joint_variants() {
    const Key motion_key{"motion",   motion,
                         "rad or m", "none",
                         optional,   "prescribes the angle or distance over time: a formula or a table"};
    std::vector<Variant> variants;
    for (const JointType& type : joint_types()) {
        if (!type.gluable)
            continue;
        Variant variant{type.name, type.meaning, {}};
        for (const JointKeyUse& use : type.keys)
            if (const Key* known = find_key(glue_keys(), use.name))
                variant.keys.push_back(*known);
        if (has_axis_on_both_sides(type))
            variant.keys.push_back(axis_b_key());
        if (type.keeps_distance)
            variant.keys.push_back(at_key());
        if (type.has_angle != type.has_distance)
            variant.keys.push_back(motion_key);
        for (const Key& key : spring_keys())
            variant.keys.push_back(key);
        variants.push_back(std::move(variant));
    }
    return variants;
}

std::vector<Key> master_keys() {
    static const std::string method_meaning =
        "how the FMUs are stepped (" + method_list(false) + ") or glued (" + method_list(true) + ")";
    return {
        {"method", word, "", "\"auto\"", optional, method_meaning, all_methods()},
        {"start", number, "s", "0", optional, "time at which the run begins"},
        {"step", number, "s", "0.01", optional, "communication step"},
        {"stop", number, "s", "10", optional, "time at which the run ends"},
        {"tolerance", number, "", "1e-8", optional, "to which iterations and adaptive steps work"},
        {"extrapolation", number, "", "0", optional, "order of the extrapolation of inputs: 0, 1 or 2"},
        {"adaptive", boolean, "", "false", optional, "true: the step is controlled by an error estimate"},
        {"iteration",
         word,
         "",
         "\"fixed-point\"",
         optional,
         "how method iterate solves each step",
         {"fixed-point", "quasi-newton"}},
        {"max_iterations", number, "", "50", optional, "the most iterations of a step"},
        {"polynomial",
         word,
         "",
         "\"linear\"",
         optional,
         "of joints glued by newton: forces over a step; cubic ones close the accelerations, too, and cost "
         "more steps",
         {"linear", "cubic"}},
        {"corrections",
         word,
         "",
         "\"auto\"",
         optional,
         "of glued joints: as many as accuracy needs, or until the gap is below a tenth of the tolerance",
         {"auto", "converged"}},
    };
}

std::vector<Section> sections() {
    return {
        {"system",
         false,
         "The system as a whole.",
         {{"name", text, "", "the file's name", optional, "name of the system"}}},
        {"fmu", true, "One FMU of the system. The same file may be used several times.", fmu_keys()},
        {"connection", true, "Feeds an input from an output.", connection_keys()},
        {"joint", true, "An ideal joint between two ports.", joint_keys(), joint_variants()},
        {"master", false, "How the system is run.", master_keys()},
    };
}

} // namespace

const std::vector<Section>& system_sections() {
    static const std::vector<Section> all = sections();
    return all;
}

std::string meant_system_section(std::string_view given) {
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr std::array<Pair, 12> other_words = {{
        {"component", "fmu"},
        {"slave", "fmu"},
        {"element", "fmu"},
        {"model", "fmu"},
        {"wire", "connection"},
        {"connect", "connection"},
        {"link", "connection"},
        {"glue", "joint"},
        {"solver", "master"},
        {"simulation", "master"},
        {"settings", "master"},
        {"experiment", "master"},
    }};
    for (const auto& [word_given, section] : other_words)
        if (word_given == given)
            return std::string(section);
    std::vector<std::string> names;
    for (const Section& section : system_sections())
        names.emplace_back(section.name);
    return nearest_name(given, names);
}

std::vector<std::string> words_of(std::string_view section, std::string_view key) {
    const std::vector<std::string_view>& words =
        find_key(find_section(system_sections(), section)->keys, key)->words;
    return {words.begin(), words.end()};
}

} // namespace tenon::system
