// tenon new NAME: a commented model file to start from.

#include "core/model/joints/joint_types.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace tenon::verbs {
namespace {

/// {0} is the model's name, {1} a comment with the types of joints. A double pendulum: the smallest machine with everything that a model file is made of.
constexpr std::string_view model_text =
    R"toml(# {0}: a double pendulum to start from. Units are SI: metres, kilograms, seconds, radians.
# Simulate it:            tenon simulate {0}.toml --out {0}.csv
# See what is in it:      tenon info {0}.toml

[model]
name = "{0}"
description = "two rods that hang from a pin"
gravity = [0.0, 0.0, -9.81]        # m/s2

# A body has a frame of its own. `position` says where its origin is in the world at t = 0; `com` is the centre of mass,
# seen from that origin; `inertia` is about the centre of mass: [xx, yy, zz] or [xx, yy, zz, xy, xz, yz].
[[body]]
name = "upper"
mass = 1.0
com = [0.5, 0.0, 0.0]              # halfway along a rod of 1 m
inertia = [1e-4, 0.0834, 0.0834]   # a slender rod along x: m L^2 / 12 across it
position = [0.0, 0.0, 0.0]
# orientation = {{ axis = [0, 1, 0], angle_deg = 30 }}    # turns the body; joints then must fit, too
# angular_velocity = [0.0, 1.0, 0.0]                      # rad/s at the start, world axes
shape = {{ type = "box", size = [1.0, 0.05, 0.05] }}      # for drawing only

[[body]]
name = "lower"
mass = 0.5
com = [0.4, 0.0, 0.0]
inertia = [5e-5, 0.0267, 0.0267]
position = [1.0, 0.0, 0.0]
shape = {{ type = "box", size = [0.8, 0.04, 0.04] }}

# Joints are placed in the world as it is at t = 0. "world" is the ground.
{1}
[[joint]]
name = "shoulder"
type = "revolute"
bodies = ["world", "upper"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]

[[joint]]
name = "elbow"
type = "revolute"
bodies = ["upper", "lower"]
at = [1.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
# friction = {{ viscous = 0.01 }}                         # N m s/rad; 'tenon cut' cuts joints without friction only

# A spring at the elbow: take the marks away to try it.
# [[force]]
# name = "elbow_spring"
# type = "torsion_spring"
# joint = "elbow"
# stiffness = 5.0                  # N m/rad; change it from outside: --set elbow_spring.stiffness=8
# damping = 0.05

[solver]
integrator = "projection"          # tenon info --integrators lists them all
step = 1e-3                        # s
stop = 10.0                        # s
)toml";

/// "# Types: fixed, revolute, ...", in lines of at most 111 characters.
std::string joint_types_comment() {
    std::string text, line = "# Types:";
    for (const JointType& type : joint_types()) {
        const std::string word = std::string(type.name) + (&type == &joint_types().back() ? "." : ",");
        if (line.size() + 1 + word.size() > 111) {
            text += line + "\n";
            line = "#";
        }
        line += " " + word;
    }
    return text + line;
}

/// Model names are free text, but this one also goes into file names of examples: letters, digits and underscores.
std::string model_name(const std::filesystem::path& file) {
    std::string name = file.stem().string();
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-')
            c = '_';
    return name;
}

/// As it is typed in a shell.
std::string shell_word(const std::filesystem::path& path) {
    const std::string text = path.string();
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) || c >= 0x80 || c == '/' || c == '.' || c == '_' || c == '-';
    };
    if (std::all_of(text.begin(), text.end(), plain))
        return text;
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

struct NewWords {
    std::string name;
    bool quiet = false;
    bool verbose = false;
};

void run(const NewWords& options) {
    std::filesystem::path file = options.name;
    if (file.extension() != ".toml")
        file += ".toml";
    const std::string stem = file.stem().string();
    if (stem.find_first_not_of('.') == std::string::npos || stem == ".toml" || stem.starts_with('-'))
        throw Failure(ExitCode::usage,
                      fmt::format("NAME '{}' is not a file name; try 'tenon new pendulum'", options.name));
    const std::string text = fmt::format(fmt::runtime(model_text), model_name(file), joint_types_comment());
    write_new_file(file, text);
    if (options.quiet)
        return;
    fmt::print("Wrote {}, a double pendulum with comments.\n"
               "Next:  tenon info {}\n"
               "       tenon simulate {} --out {}\n",
               file.string(), shell_word(file), shell_word(file),
               shell_word(std::filesystem::path(file).replace_extension(".csv")));
    if (options.verbose)
        fmt::print("\n{}", text);
}

} // namespace

Verb new_verb() {
    auto options = std::make_shared<NewWords>();
    return {"new",
            "Write a commented model file to start from",
            {{"NAME", &options->name, "NAME.toml is written; never over a file that exists", true},
             {"--quiet", &options->quiet, "Say nothing but errors"},
             {"--verbose", &options->verbose, "Also print the file"}},
            "Example: tenon new pendulum && tenon simulate pendulum.toml --out pendulum.csv",
            [options] { run(*options); }};
}

} // namespace tenon::verbs
