#include "tools/glue/coupler/coupler_data.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>

namespace tenon::glue {
namespace {

constexpr std::string_view first_line = "tenon coupler 1";
constexpr std::string_view kind_names[] = {"frame", "rotational", "translational"};

[[noreturn]] void refuse(const std::string& what) {
    throw Error(ErrorKind::model, std::string(coupler_file) + ": " + what);
}

/// A number as the digits of its bits: the same everywhere, and read without what from_chars of a double needs of newer systems.
std::string hexadecimal(double number) {
    char text[16];
    return {text, std::to_chars(text, text + sizeof text, std::bit_cast<std::uint64_t>(number), 16).ptr};
}

void put(std::string& text, std::string_view key, const std::vector<double>& numbers) {
    text += key;
    for (const double number : numbers)
        text += " " + hexadecimal(number);
    text += '\n';
}

/// What comes before the next `end`, which is taken away with it. Streams would bring half of the C++ library along.
std::string_view next_part(std::string_view& text, char end) {
    const std::size_t length = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return part;
}

std::vector<double> read_numbers(std::string_view line, const std::string& key) {
    std::vector<double> numbers;
    while (!line.empty()) {
        const std::string_view word = next_part(line, ' ');
        std::uint64_t bits = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
        if (error != std::errc() || end != word.data() + word.size() ||
            !std::isfinite(std::bit_cast<double>(bits)))
            refuse("'" + std::string(word) + "' of '" + key + "' is not a number");
        numbers.push_back(std::bit_cast<double>(bits));
    }
    return numbers;
}

std::vector<double> flat(const PortMotion& motion) { return motion_values(motion, PortKind::frame); }

PortMotion read_motion(std::string_view line, const std::string& key) {
    const std::vector<double> numbers = read_numbers(line, key);
    if (numbers.size() != 18)
        refuse("'" + key + "' has " + std::to_string(numbers.size()) + " numbers instead of 18");
    return motion_from(numbers.data(), PortKind::frame);
}

PortKind read_kind(std::string_view name) {
    for (std::size_t i = 0; i < std::size(kind_names); ++i)
        if (name == kind_names[i])
            return static_cast<PortKind>(i);
    refuse("unknown kind '" + std::string(name) + "'");
}

/// A member of a side's terminal and its unit.
struct Member {
    std::string_view name, unit;
};

constexpr Member frame_motion[] = {
    {"r_0[1]", "m"},     {"r_0[2]", "m"},     {"r_0[3]", "m"},     {"R[1,1]", ""},    {"R[1,2]", ""},
    {"R[1,3]", ""},      {"R[2,1]", ""},      {"R[2,2]", ""},      {"R[2,3]", ""},    {"R[3,1]", ""},
    {"R[3,2]", ""},      {"R[3,3]", ""},      {"v_0[1]", "m/s"},   {"v_0[2]", "m/s"}, {"v_0[3]", "m/s"},
    {"w_0[1]", "rad/s"}, {"w_0[2]", "rad/s"}, {"w_0[3]", "rad/s"},
};
constexpr Member frame_effort[] = {{"f_0[1]", "N"},   {"f_0[2]", "N"},   {"f_0[3]", "N"},
                                   {"t_0[1]", "N.m"}, {"t_0[2]", "N.m"}, {"t_0[3]", "N.m"}};
constexpr Member shaft_motion[] = {{"phi", "rad"}, {"w", "rad/s"}};
constexpr Member shaft_effort[] = {{"tau", "N.m"}};
constexpr Member rod_motion[] = {{"s", "m"}, {"v", "m/s"}};
constexpr Member rod_effort[] = {{"f", "N"}};

std::span<const Member> members(PortKind kind, bool effort) {
    if (kind == PortKind::frame)
        return effort ? std::span<const Member>(frame_effort) : std::span<const Member>(frame_motion);
    if (kind == PortKind::rotational)
        return effort ? std::span<const Member>(shaft_effort) : std::span<const Member>(shaft_motion);
    return effort ? std::span<const Member>(rod_effort) : std::span<const Member>(rod_motion);
}

void add_side(const CouplerData& data, int side, std::vector<CouplerVariable>& variables) {
    const std::string prefix = side == 0 ? "a." : "b.";
    const std::vector<double> start = motion_values(side == 0 ? data.start_a : data.start_b, data.kind);
    std::size_t i = 0;
    for (const Member& member : members(data.kind, false))
        variables.push_back({prefix + std::string(member.name), std::string(member.unit),
                             "motion of the port", CouplerVariable::Role::motion, side, member.name,
                             start[i++]});
    for (const Member& member : members(data.kind, true))
        variables.push_back({prefix + std::string(member.name), std::string(member.unit), "acts on the port",
                             CouplerVariable::Role::effort, side, member.name, 0});
}

} // namespace

std::string to_text(const CouplerData& data) {
    std::string text = std::string(first_line) + "\n";
    text += "token " + data.token + "\n";
    text += "kind " + std::string(kind_names[static_cast<std::size_t>(data.kind)]) + "\n";
    text += "type " + data.joint.type + "\n";
    if (data.joint.world_a || data.joint.world_b)
        text += std::string("world ") + (data.joint.world_a ? "a" : "b") + "\n";
    for (const auto& [name, numbers] : data.joint.numbers)
        put(text, "number " + name, numbers);
    put(text, "start_a", flat(data.start_a));
    put(text, "start_b", flat(data.start_b));
    put(text, "stiffness", data.stiffness);
    put(text, "damping", data.damping);
    return text;
}

CouplerData coupler_from_text(std::string_view text) {
    CouplerData data;
    data.joint.name = "coupler";
    if (next_part(text, '\n') != first_line)
        refuse("does not begin with '" + std::string(first_line) + "'");
    while (!text.empty()) {
        std::string_view line = next_part(text, '\n');
        const std::string key(next_part(line, ' '));
        if (key == "token")
            data.token = line;
        else if (key == "kind")
            data.kind = read_kind(line);
        else if (key == "type")
            data.joint.type = line;
        else if (key == "world")
            (line == "a" ? data.joint.world_a : data.joint.world_b) = true;
        else if (key == "number") {
            const std::string name(next_part(line, ' '));
            data.joint.numbers[name] = read_numbers(line, name);
        } else if (key == "start_a")
            data.start_a = read_motion(line, key);
        else if (key == "start_b")
            data.start_b = read_motion(line, key);
        else if (key == "stiffness")
            data.stiffness = read_numbers(line, key);
        else if (key == "damping")
            data.damping = read_numbers(line, key);
        else
            refuse("unknown line '" + key + "'");
    }
    return data;
}

std::vector<CouplerVariable> coupler_variables(const CouplerData& data) {
    std::vector<CouplerVariable> variables;
    const auto add_rows = [&](const std::string& name, const std::vector<double>& values, const char* what) {
        for (std::size_t i = 0; i < values.size(); ++i)
            variables.push_back({name + "[" + std::to_string(i + 1) + "]", "", what,
                                 CouplerVariable::Role::parameter, 0, "", values[i]});
    };
    add_rows("stiffness", data.stiffness, "of the spring along a row of the joint: N/m, or N.m/rad");
    add_rows("damping", data.damping, "of the damper along a row of the joint: N.s/m, or N.m.s/rad");
    if (!data.joint.world_a)
        add_side(data, 0, variables);
    if (!data.joint.world_b)
        add_side(data, 1, variables);
    return variables;
}

} // namespace tenon::glue
