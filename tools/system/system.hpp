#pragma once
// A system of FMUs as the user gives it (docs/contract.md section 4, or SSP), checked against the descriptions of its FMUs before
// any binary is loaded. Plain data; running it is for the master.

#include "modelDescription/description.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/import/fmu.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tenon::system {

/// A value for a parameter or start value: number, truth, text, or several of them for an array. Whole numbers that a double
/// cannot hold are int64.
using SettingValue = std::variant<double, bool, std::string, std::vector<double>, std::int64_t,
                                  std::vector<bool>, std::vector<std::string>>;

struct Setting {
    std::string variable;
    SettingValue value;
    std::string unit; ///< as given in an SSP parameter set; empty: the variable's own
    int line = 0;
    std::size_t source = 0;            ///< index into System::sources: the file that `line` is in
    std::optional<fmi::BaseUnit> base; ///< what `unit` means, where the parameter set says it
    double factor = 1, offset = 0;     ///< of an SSP mapping, applied after the conversion of units
    bool convert_units = true;
    bool optional = false; ///< SSP: without effect where the FMU has no such variable
};

struct SystemFmu {
    std::string name;
    std::filesystem::path file; ///< as it can be opened
    std::vector<Setting> set;
    bool isolate = false;
    int line = 0;
    std::size_t source = 0;
};

/// <fmu>.<variable>; `element` selects one of an array (row major, from 0). Readers, who do not know the FMU yet, leave the
/// element in the name: `x[2]`, `R[1,3]`.
struct Endpoint {
    std::size_t fmu = 0; ///< index into System::fmus
    std::string variable;
    std::optional<std::size_t> element;
};

/// A connector of an SSP system that a connection passes: value = factor * value + offset, after the conversion to the
/// connector's unit where it has one.
struct Passage {
    double factor = 1, offset = 0;
    bool convert_units = true;
    std::optional<fmi::Unit> unit;
};

/// An entry of an SSP mapping transformation: names of enumeration items, whole numbers, or true and false.
struct MapEntry {
    std::string source, target;
};

/// target = factor * source + offset, after the conversion of units.
struct Connection {
    Endpoint from, to;
    double factor = 1, offset = 0;
    bool convert_units = true;
    int line = 0;
    std::size_t source = 0;
    std::vector<Passage> passages; ///< before factor and offset, in the order of the way
    std::vector<MapEntry> map; ///< of booleans, integers and enumerations; values that it does not name stay
    /// Units that SSP connectors give, for variables whose FMU gives none.
    std::optional<fmi::Unit> from_unit, to_unit;
    /// The ends are terminals, `variable` their names: check_system() puts connections of their members in its place.
    bool of_terminals = false;
};

/// One side of a joint: a terminal of an FMU, or the world.
struct Side {
    std::optional<std::size_t> fmu;
    std::string terminal;
};

/// An ideal joint between two terminals; axes are those of port a. Read and saved here, solved by the glue.
struct GlueJoint {
    std::string name, type;
    Side a, b;
    std::map<std::string, std::vector<double>>
        numbers;        ///< axis, axis2, at, length, motion.rate, ... as given
    std::string method; ///< empty: the system's
    int line = 0;
    std::size_t source = 0;
};

struct MasterSettings {
    std::string method = "auto"; ///< or one of method_words()
    double start = 0;
    double step = 0.01;
    double stop = 10;
    double tolerance = 1e-8;
    int extrapolation = 0;                 ///< order of input extrapolation: 0, 1, 2
    bool adaptive = false;                 ///< error-controlled macro step
    std::string iteration = "fixed-point"; ///< of method iterate: fixed-point or quasi-newton
    int max_iterations = 50;
    std::string polynomial = "linear"; ///< of glue: multipliers over a step, linear or cubic
    std::string corrections = "auto";  ///< of glue: auto (as many as needed), or converged (to the tolerance)
    bool accept_divergence =
        false; ///< of glue: go on where the total energy cannot be believed; not in files
};

/// A variable of the system itself that SSP exposes (system connector): an alias of an endpoint.
struct Exposed {
    std::string name;
    Endpoint endpoint;
};

struct System {
    std::string name = "system";
    std::filesystem::path file;
    std::vector<SystemFmu> fmus;
    std::vector<Connection> connections;
    std::vector<GlueJoint> joints;
    std::vector<Exposed> exposed;
    MasterSettings master;
    std::shared_ptr<const TemporaryFolder> unpacked; ///< of an SSP: keeps the folder with its FMUs
    std::vector<std::string> remarks;                ///< what was read but has no effect here
    std::vector<std::string> sources; ///< the files that `line` counts in; the first is the main one
    bool ssp = false;                 ///< parameters may be sources of connections
    fmi::Letter letter =
        fmi::Letter::noted; ///< not in files: what becomes of FMUs that are against the letter
};

/// Reads .toml or .ssp (1.0 and 2.0; a folder with SystemStructure.ssd too). Throws InputError, also where the file is a
/// model or an FMU.
System read_system(const std::filesystem::path& file);

/// An FMU that is against the letter of FMI.
struct Deviating {
    std::string fmu, file; ///< the name in the system, and of the file
    FindingList found;
};
/// "3 things are against the letter of FMI: the first, ...; what to do"
std::string deviations_line(const FindingList& found);

/// The FMUs of a system opened and checked, everything that refers to them resolved: unknown names with "did you mean",
/// units converted or refused with both named, types and sizes, two sources of one input, joints and their terminals.
struct CheckedSystem {
    System system;
    std::vector<std::shared_ptr<const fmi::Fmu>> fmus; ///< one a SystemFmu; equal files share one
    /// What the FMUs have against the letter of FMI, each file once.
    std::vector<Deviating> deviations;
    /// For each connection, flat: element by element, with units folded into factor and offset.
    struct Wire {
        std::size_t from_fmu = 0, from_variable = 0, from_element = 0; ///< variable: index in the description
        std::size_t to_fmu = 0, to_variable = 0, to_element = 0;
        double factor = 1, offset = 0;
        std::size_t connection = 0;
        std::vector<std::pair<std::int64_t, std::int64_t>> map = {}; ///< value to value; others stay
    };
    std::vector<Wire> wires;
    /// What is to be set before initialisation, in the units and the type of the variable, all elements of it.
    struct Assignment {
        std::size_t variable = 0;
        fmi::Start values;
    };
    /// One list a SystemFmu, structural parameters first, each variable once.
    std::vector<std::vector<Assignment>> assignments;
    /// Numbers of elements of arrays whose size a structural parameter gives that was set: variable to number, for each FMU.
    std::vector<std::map<std::size_t, std::uint64_t>> resized;

    /// Elements of a variable with the sizes that were set.
    std::uint64_t elements(std::size_t fmu, std::size_t variable) const;
};

/// Throws InputError(malformed) "FILE:LINE: ..." for what cannot be run.
CheckedSystem check_system(System system);

/// SSP 1.0 that other tools open, FMUs inside; the glue as annotation dev.tenon.glue, and couplers (none, or one per joint) that do
/// the work of the joints in other tools. Throws OutputError.
struct SspCoupler;
void save_ssp(const CheckedSystem& system, const std::filesystem::path& file,
              const std::vector<SspCoupler>& couplers);
void save_ssp(const CheckedSystem& system, const std::filesystem::path& file);

} // namespace tenon::system
