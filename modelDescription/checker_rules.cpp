// The rules, by subject. Names are stable: scripts and documentation use them.

#include "modelDescription/checker.hpp"

namespace tenon::fmi {
namespace {

constexpr Severity note = Severity::note, warning = Severity::warning, error = Severity::error;

constexpr Rule catalogue[] = {
    // The model as a whole: check_model.cpp.
    {"model-name", warning, "The model has a name."},
    {"token", error, "The guid or instantiationToken is not empty."},
    {"interface", error, "There is at least one of ModelExchange, CoSimulation and ScheduledExecution."},
    {"model-identifier", error, "The modelIdentifier is an identifier of C of at most 128 characters."},
    {"model-identifier-long", warning, "The modelIdentifier has at most 40 characters, for short paths."},
    {"naming-convention", error, "variableNamingConvention is flat or structured."},
    {"generation-time", warning, "generationDateAndTime has the form YYYY-MM-DDThh:mm:ssZ."},
    {"flag-serialize", error, "Who can serialize the state can also get and set it."},
    {"flag-early-return", error, "Who returns early after an intermediate update also provides the update."},
    {"flag-discrete-states", warning, "Who evaluates discrete states in Co-Simulation has an event mode."},
    {"flag-clocks", error, "Who has clocks in Co-Simulation has an event mode."},
    {"flag-intermediate-variables", warning,
     "Variables are for intermediate updates only where there are updates."},
    {"flag-number", error, "maxOutputDerivativeOrder is 0 or more; fixedInternalStepSize is more than 0."},
    {"flag-memory", note, "An FMU of version 2.0 does not need the importer's memory functions."},
    {"flag-asynchronous", note, "An FMU of version 2.0 does not run asynchronously."},
    {"experiment-stop", warning, "The default experiment stops after it starts."},
    {"experiment-step", error, "Step size and tolerance of the default experiment are more than 0."},
    {"log-category", error, "Log categories have names, and no two the same."},
    {"log-category-version", note, "logAll and logStatusPending are log categories of FMI 2.0."},
    {"version-feature", error, "A description of FMI 2.0 has nothing that only FMI 3.0 has."},

    // Units and types: check_units.cpp, check_types.cpp.
    {"unit-name", error, "Units have names, and no two the same."},
    {"unit-factor", error, "Factors of units are finite and not 0, offsets finite."},
    {"unit-exponent", error, "Exponents of base units are from -128 to 127."},
    {"unit-base-missing", warning, "A unit that a variable has says how it is made of base units."},
    {"unit-undefined", error, "A unit that a variable or type has is defined."},
    {"unit-of-float", error, "Only floating-point variables and types have units."},
    {"display-unit-name", error, "Display units have names, and no two of a unit the same."},
    {"display-unit-inverse", error, "An inverse display unit has no offset."},
    {"display-unit-undefined", error,
     "A display unit that a variable, alias or type has is defined for its unit."},
    {"display-unit-alone", error, "Who has a display unit has a unit."},
    {"type-name", error, "Types have names, and no two the same."},
    {"type-variable-clash", error, "No type has the name of a variable."},
    {"declared-type-undefined", error, "A declared type is defined."},
    {"declared-type-mismatch", error, "A declared type is of the kind of its variable."},
    {"enumeration-type", error, "An enumeration variable has a declared type."},
    {"enumeration-items", error, "An enumeration type has items, no two with the same name or value."},
    {"bounds", error, "min is not more than max, and both are finite."},
    {"nominal", warning, "A nominal value is finite and more than 0."},

    // Variables: check_names.cpp, check_variables.cpp, check_start.cpp, check_arrays.cpp.
    {"variables", error, "There is at least one variable."},
    {"name-empty", error, "Variables and aliases have names."},
    {"name-duplicate", error, "No two variables or aliases have the same name."},
    {"name-structured", error, "Structured names follow the grammar: a.b[1,2].c, der(x), 'any text'."},
    {"name-flat", error, "Flat names have neither tabs nor line breaks."},
    {"name-order", warning, "Elements of an array of FMI 2.0 follow each other, the last index fastest."},
    {"reference-duplicate", error, "No two variables of FMI 3.0 have the same value reference."},
    {"alias-settable", error, "Of variables with one value reference in FMI 2.0 at most one can be set."},
    {"alias-start", error, "Of variables with one value reference in FMI 2.0 at most one has a start value."},
    {"alias-unit", error, "Variables with one value reference in FMI 2.0 have the same unit."},
    {"alias-constant", error, "Constants of FMI 2.0 share a value reference with equal constants only."},
    {"variability-continuous", error, "Only floating-point variables are continuous."},
    {"causality-variability", error, "Causality and variability go together."},
    {"initial", error, "initial goes with causality and variability."},
    {"independent", error, "There is one independent variable (in FMI 2.0 there may be none)."},
    {"independent-type", error, "The independent variable is a floating-point scalar."},
    {"start-missing", error, "Inputs, parameters, constants and what is exact or approx have start values."},
    {"start-forbidden", error,
     "What is calculated, the independent variable and clocks have no start values."},
    {"start-type", error, "Start values are values of the variable's type."},
    {"start-count", error, "There are as many start values as elements, or one for all."},
    {"start-range", error, "Start values are not below min and not above max."},
    {"start-item", error, "The start value of an enumeration is one of its items."},
    {"dimension-size", error, "Dimensions are more than 0 at the start, and all elements fit into memory."},
    {"dimension-variable", error, "A dimension comes from a scalar UInt64 structural parameter or constant."},
    {"structural-scalar", error, "Structural parameters are scalars."},
    {"derivative", error, "A derivative is a continuous float, and is that of another one of its shape."},
    {"intermediate-update", error, "Variables for intermediate updates are continuous."},
    {"clock-interval", error, "Clocks, and nothing else, have an interval variability that FMI knows."},
    {"clock-causality", error, "Clocks that tick by time are inputs; triggered ones input, output or local."},

    // ModelStructure: check_structure.cpp.
    {"structure-bounds", error, "ModelStructure names variables that exist."},
    {"outputs", error, "Outputs lists each output once and nothing else."},
    {"derivatives", error, "Derivatives lists variables that are derivatives, each once."},
    {"state-causality", error, "Continuous states are local or outputs."},
    {"initial-unknowns", error,
     "InitialUnknowns lists outputs, states and derivatives that are approx or calculated and all calculated "
     "parameters, each once."},
    {"initial-unknowns-order", error, "InitialUnknowns of FMI 2.0 are in ascending order."},
    {"dependencies-order", error, "Dependencies of FMI 2.0 are in ascending order."},
    {"dependencies-duplicate", error, "No dependency is listed twice."},
    {"dependencies-known", error,
     "Outputs and derivatives depend on inputs, states, the independent variable."},
    {"dependencies-known-initially", warning,
     "Initial unknowns depend on inputs, what is exact, the independent variable."},
    {"dependencies-kind-count", error, "There are as many kinds of dependencies as dependencies, or none."},
    {"dependencies-kind", error,
     "Kinds of dependencies are legal words; initial unknowns: dependent or constant."},
    {"dependencies-kind-float", warning, "Kinds of dependencies other than dependent are between floats."},

    // Terminals: check_terminals.cpp, check_joints.cpp.
    {"terminal-name", error, "Terminals have names, and no two siblings the same."},
    {"terminal-rule", error, "A matching rule is plug, bus, sequence or a reverse domain name."},
    {"terminal-member-name", error, "Members of plugs and buses have names, and no two the same."},
    {"terminal-variable", error, "A member of a terminal names a variable that exists."},
    {"terminal-causality", error, "Members of terminals are inputs, outputs or (calculated) parameters."},
    {"terminal-variable-kind-missing", error, "Members of terminals have a variable kind."},
    {"terminal-variable-kind", warning,
     "A variable kind is signal, inflow, outflow or a reverse domain name."},
    {"terminal-flow-array", warning, "inflow and outflow are for scalars."},
    {"joint-kind", error, "Terminal kinds in dev.tenon.joint are those that Tenon defines."},
    {"joint-rule", error, "Joint terminals are plugs, their aux terminals buses."},
    {"joint-members", error, "A joint terminal has all its members, whole or element by element."},
    {"joint-shape", error, "Members of joint terminals are Float64 of the right shape."},
    {"joint-unit", error, "Members of joint terminals are in the SI units of their kind."},
    {"joint-variable-kind", error, "Members of joint terminals are signals or efforts as their kind says."},
    {"joint-causality", error, "Motion is output and effort input at a joint terminal, or the reverse."},
};

} // namespace

std::span<const Rule> rule_catalogue() { return catalogue; }

} // namespace tenon::fmi
