#pragma once
// What modelDescription.xml and terminalsAndIcons.xml of an FMU say, as plain data: the same for FMI 2.0 and 3.0.
// FMI 2.0's Real, Integer and Enumeration are float64, int32 and enumeration; references to variables that 2.0 makes by
// index and 3.0 by value reference are indices into `variables` here, from 0.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tenon::fmi {

enum class Version { fmi2, fmi3 };

enum class Type {
    float32,
    float64,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    boolean,
    string,
    binary,
    enumeration,
    clock
};

enum class Causality {
    structural_parameter,
    parameter,
    calculated_parameter,
    input,
    output,
    local,
    independent
};
enum class Variability { constant, fixed, tunable, discrete, continuous };
enum class Initial { none, exact, approx, calculated };

/// Start values; as many as the variable has elements. monostate: the description gives none.
/// float32, float64 as double; signed integers, enumeration and boolean (0 or 1) as int64; unsigned as uint64; string and
/// binary (decoded) as string.
using Start = std::variant<std::monostate, std::vector<double>, std::vector<std::int64_t>,
                           std::vector<std::uint64_t>, std::vector<std::string>>;

struct Dimension {
    std::uint64_t size = 1;              ///< constant size, or the start value of the variable that gives it
    std::optional<std::size_t> variable; ///< index of the structural parameter or constant that gives it
};

struct AliasName {
    std::string name, description, display_unit;
};

struct Variable {
    std::string name;
    std::uint32_t reference = 0; ///< valueReference
    Type type = Type::float64;
    Causality causality = Causality::local;
    Variability variability = Variability::continuous;
    Initial initial =
        Initial::none; ///< what holds: the default is filled in by the reader where there is one
    std::string description;
    std::string unit, display_unit, quantity; ///< own or those of the declared type
    std::string declared_type;
    bool relative_quantity = false;
    std::optional<double> min, max, nominal;
    std::vector<Dimension> dimensions; ///< empty: a scalar
    Start start;
    std::optional<std::size_t> derivative_of; ///< index of the variable that this one is the derivative of
    bool intermediate_update = false;
    bool clocked = false;             ///< has a `clocks` attribute
    std::string interval_variability; ///< of a clock
    std::vector<AliasName> aliases;
    int line = 0; ///< in modelDescription.xml, for messages; 0 when made by a program

    /// Number of elements with the start sizes.
    std::uint64_t elements() const {
        std::uint64_t n = 1;
        for (const Dimension& d : dimensions)
            n *= d.size;
        return n;
    }
};

/// base unit value = factor * value + offset; exponents of kg m s A K mol cd rad.
struct BaseUnit {
    std::array<int, 8> exponents{};
    double factor = 1, offset = 0;
    bool operator==(const BaseUnit&) const = default;
};
struct DisplayUnit {
    std::string name;
    double factor = 1, offset = 0; ///< display value = factor * value + offset
    bool inverse = false;          ///< factor / value (3.0)
};
struct Unit {
    std::string name;
    std::optional<BaseUnit> base;
    std::vector<DisplayUnit> display_units;
};

struct EnumerationItem {
    std::string name;
    std::int64_t value = 0;
    std::string description;
};
/// A type definition; `items` of enumerations only.
struct TypeDefinition {
    std::string name;
    Type type = Type::float64;
    std::string description, quantity, unit, display_unit;
    bool relative_quantity = false;
    std::optional<double> min, max, nominal;
    std::vector<EnumerationItem> items;
};

struct LogCategory {
    std::string name, description;
};

struct DefaultExperiment {
    std::optional<double> start, stop, tolerance, step;
};

/// An entry of ModelStructure. `dependencies` absent: depends on everything known; kinds empty or as many as dependencies.
struct Unknown {
    std::size_t variable = 0;
    std::optional<std::vector<std::size_t>> dependencies;
    std::vector<std::string> kinds;
};

/// What <CoSimulation> promises; names as in FMI 3.0.
struct Capabilities {
    std::string model_identifier;
    bool needs_execution_tool = false;
    bool only_once_per_process = false; ///< canBeInstantiatedOnlyOncePerProcess
    bool no_memory_management = false;  ///< canNotUseMemoryManagementFunctions (2.0)
    bool get_and_set_state = false;
    bool serialize_state = false;
    bool directional_derivatives = false;
    bool adjoint_derivatives = false;
    bool per_element_dependencies = false;
    bool variable_step = false;       ///< canHandleVariableCommunicationStepSize
    bool interpolates_inputs = false; ///< canInterpolateInputs (2.0)
    int max_output_derivative_order = 0;
    bool runs_asynchronously = false; ///< canRunAsynchronuously (2.0)
    std::optional<double> fixed_internal_step;
    int intermediate_input_smoothness = 0; ///< recommendedIntermediateInputSmoothness
    bool intermediate_update = false;
    bool might_return_early = false;
    bool return_early_after_intermediate_update = false;
    bool event_mode = false;
    bool evaluate_discrete_states = false;
};

struct TerminalMember {
    std::string variable; ///< variableName
    std::string member;   ///< memberName; may be empty with matching rule "sequence"
    std::string kind;     ///< variableKind: signal, inflow, outflow, or a vendor's
};
struct Terminal {
    std::string name;
    std::string matching_rule; ///< plug, bus, sequence or a vendor's
    std::string kind;          ///< terminalKind
    std::string description;
    std::vector<TerminalMember> members;
    std::vector<Terminal> terminals; ///< nested
    /// Place of the icon in -100..100, written when `icon` is not empty (its iconBaseName).
    std::string icon;
    std::array<double, 4> icon_box{};
};

struct Description {
    Version version = Version::fmi2;
    std::string model_name, token; ///< token: guid (2.0) or instantiationToken (3.0)
    std::string description, author, model_version, copyright, license, generation_tool, generation_time;
    std::string naming_convention = "structured";
    bool has_co_simulation = false, has_model_exchange = false, has_scheduled_execution = false;
    Capabilities capabilities; ///< of Co-Simulation
    std::vector<Unit> units;
    std::vector<TypeDefinition> types;
    std::vector<LogCategory> log_categories;
    DefaultExperiment experiment;
    std::vector<Variable> variables;
    std::vector<Unknown> outputs, derivatives, initial_unknowns;
    std::vector<Terminal> terminals;
};

} // namespace tenon::fmi
