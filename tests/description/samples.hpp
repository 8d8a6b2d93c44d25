#pragma once
// Descriptions without a fault: a pendulum with a joint terminal, in FMI 2.0 and 3.0.

#include "modelDescription/description.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::fmi::samples {

inline Start reals(std::vector<double> values) { return values; }

/// Adds variables with the next value reference; the defaults are those of a continuous Float64.
class Builder {
  public:
    explicit Builder(Version version) { d.version = version; }

    Description d;

    Variable& add(const std::string& name, Causality causality, const std::string& unit = "") {
        Variable& v = d.variables.emplace_back();
        v.name = name;
        v.reference = static_cast<std::uint32_t>(d.variables.size() + 99);
        v.causality = causality;
        v.unit = unit;
        switch (causality) {
        case Causality::structural_parameter:
        case Causality::parameter:
            v.variability = Variability::fixed;
            v.initial = Initial::exact;
            break;
        case Causality::input:
            v.initial = d.version == Version::fmi2 ? Initial::none : Initial::exact;
            break;
        case Causality::calculated_parameter:
            v.variability = Variability::fixed;
            v.initial = Initial::calculated;
            break;
        case Causality::independent:
            break;
        default:
            v.initial = Initial::calculated;
        }
        return v;
    }

    Variable& parameter(const std::string& name, Type type, Start start) {
        Variable& v = add(name, Causality::parameter);
        v.type = type;
        v.start = std::move(start);
        return v;
    }

    /// A vector or matrix: one variable in FMI 3.0, one for each element in FMI 2.0.
    void array(const std::string& name, Causality causality, const std::string& unit, std::uint64_t rows,
               std::uint64_t columns = 0) {
        const auto start = [&](std::uint64_t n) {
            return causality == Causality::input ? reals(std::vector<double>(n)) : Start{};
        };
        if (d.version == Version::fmi3) {
            Variable& v = add(name, causality, unit);
            v.dimensions.push_back({rows, {}});
            if (columns > 0)
                v.dimensions.push_back({columns, {}});
            v.start = start(v.elements());
            return;
        }
        for (std::uint64_t i = 1; i <= rows; ++i)
            for (std::uint64_t j = 1; j <= std::max<std::uint64_t>(columns, 1); ++j)
                add(name + "[" + std::to_string(i) + (columns > 0 ? "," + std::to_string(j) : "") + "]",
                    causality, unit)
                    .start = start(1);
    }

    std::size_t position(const std::string& name) const {
        for (std::size_t i = 0; i < d.variables.size(); ++i)
            if (d.variables[i].name == name)
                return i;
        throw std::out_of_range(name);
    }

    /// The positions of an array's variables.
    std::vector<std::size_t> positions(const std::string& name) const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < d.variables.size(); ++i)
            if (d.variables[i].name == name || d.variables[i].name.starts_with(name + "["))
                found.push_back(i);
        return found;
    }
};

inline void add_units(Description& d) {
    const auto unit = [&](const std::string& name, std::array<int, 8> exponents) {
        d.units.push_back({name, BaseUnit{exponents, 1, 0}, {}});
    };
    unit("kg", {1});
    unit("m", {0, 1});
    unit("m/s", {0, 1, -1});
    unit("m/s2", {0, 1, -2});
    unit("rad", {0, 0, 0, 0, 0, 0, 0, 1});
    unit("rad/s", {0, 0, -1, 0, 0, 0, 0, 1});
    unit("rad/s2", {0, 0, -2, 0, 0, 0, 0, 1});
    unit("N", {1, 1, -2});
    unit("N.m", {1, 2, -2});
    unit("J", {1, 2, -2});
    d.units[4].display_units.push_back({"deg", 57.29577951308232, 0, false});
}

inline void add_types(Description& d) {
    TypeDefinition integrator;
    integrator.name = "Integrator";
    integrator.type = Type::enumeration;
    integrator.description = "how to step";
    integrator.items = {{"projection", 1, "formulation A"}, {"conserving", 2, ""}};
    TypeDefinition angle;
    angle.name = "Angle";
    angle.unit = "rad";
    angle.display_unit = "deg";
    angle.quantity = "Angle";
    angle.nominal = 0.5;
    d.types = {integrator, angle};
}

inline TerminalMember member(const std::string& variable, const std::string& name, const std::string& kind) {
    return {variable, name, kind};
}

/// Members of the variables `port`.`name`, whole or element by element.
inline void add_members(const Builder& b, const std::string& port, const std::string& name,
                        const std::string& kind, Terminal& terminal) {
    const std::string whole = port + "." + name;
    for (const std::size_t i : b.positions(whole)) {
        const std::string& variable = b.d.variables[i].name;
        terminal.members.push_back(member(variable, variable.substr(port.size() + 1), kind));
    }
}

inline Terminal frame(const Builder& b, const std::string& port) {
    Terminal terminal;
    terminal.name = port;
    terminal.matching_rule = "plug";
    terminal.kind = "dev.tenon.joint.frame3d";
    for (const char* motion : {"r_0", "R", "v_0", "w_0"})
        add_members(b, port, motion, "signal", terminal);
    for (const char* effort : {"f_0", "t_0"})
        add_members(b, port, effort, "dev.tenon.joint.effort", terminal);
    Terminal aux;
    aux.name = "aux";
    aux.matching_rule = "bus";
    aux.kind = "dev.tenon.joint.frame3d.aux";
    for (const char* extra : {"a_0", "work"})
        add_members(b, port + ".aux", extra, "signal", aux);
    terminal.terminals.push_back(aux);
    terminal.icon = "frame3d";
    terminal.icon_box = {90, -10, 110, 10};
    return terminal;
}

inline Terminal flange() {
    Terminal terminal;
    terminal.name = "axle";
    terminal.matching_rule = "plug";
    terminal.kind = "dev.tenon.joint.flangeRot";
    terminal.members = {member("axle.phi", "phi", "signal"), member("axle.w", "w", "signal"),
                        member("axle.tau", "tau", "inflow")};
    return terminal;
}

inline void add_variables(Builder& b) {
    b.add("time", Causality::independent, "s");
    Variable& mass = b.add("bob.mass", Causality::parameter, "kg");
    mass.start = reals({1.25});
    mass.min = 0;
    mass.max = 1e3;
    mass.variability = Variability::tunable;
    mass.description = "mass of the bob <\"heavy\" & round>";
    b.parameter("solver.integrator", Type::enumeration, std::vector<std::int64_t>{2}).declared_type =
        "Integrator";
    b.parameter("solver.energy", Type::boolean, std::vector<std::int64_t>{1});
    b.parameter("solver.limit", Type::int32, std::vector<std::int64_t>{-7});
    b.parameter("title", Type::string, std::vector<std::string>{"a b\n\"c\""});
    b.add("bob.weight", Causality::calculated_parameter, "N");
    b.array("tip.r_0", Causality::output, "m", 3);
    b.array("tip.R", Causality::output, "", 3, 3);
    b.array("tip.v_0", Causality::output, "m/s", 3);
    b.array("tip.w_0", Causality::output, "rad/s", 3);
    b.array("tip.f_0", Causality::input, "N", 3);
    b.array("tip.t_0", Causality::input, "N.m", 3);
    b.array("tip.aux.a_0", Causality::output, "m/s2", 3);
    b.add("tip.aux.work", Causality::output, "J");
    Variable& phi = b.add("axle.phi", Causality::output, "rad");
    phi.declared_type = "Angle";
    phi.display_unit = "deg";
    phi.quantity = "Angle";
    phi.nominal = 0.5;
    phi.initial = Initial::exact;
    phi.start = reals({0.1});
    b.add("axle.w", Causality::output, "rad/s").derivative_of = b.position("axle.phi");
    b.add("axle.tau", Causality::input, "N.m").start = reals({0});
    b.add("der(axle.w)", Causality::local, "rad/s2").derivative_of = b.position("axle.w");
}

/// Whole and other arrays, and the types that only FMI 3.0 has.
inline void add_variables_of_fmi3(Builder& b) {
    Variable& size = b.parameter("table_size", Type::uint64, std::vector<std::uint64_t>{4});
    size.causality = Causality::structural_parameter;
    b.parameter("table", Type::float64, reals({0, 0.25, 0.5, 1e-300})).dimensions = {
        {4, b.position("table_size")}};
    b.parameter("small", Type::float32, reals({static_cast<double>(0.1f)}));
    b.parameter("i8", Type::int8, std::vector<std::int64_t>{-128}).min = -128;
    b.parameter("u8", Type::uint8, std::vector<std::uint64_t>{255});
    b.parameter("i16", Type::int16, std::vector<std::int64_t>{-32768});
    b.parameter("u16", Type::uint16, std::vector<std::uint64_t>{65535});
    b.parameter("u32", Type::uint32, std::vector<std::uint64_t>{4294967295u});
    b.parameter("i64", Type::int64, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
    b.parameter("u64", Type::uint64, std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()});
    b.parameter("blob", Type::binary, std::vector<std::string>{std::string("\0\x7f\xff", 3)});
    b.parameter("names", Type::string, std::vector<std::string>{"x", "", "z"}).dimensions = {{3, {}}};
    Variable& v = b.d.variables[b.position("tip.v_0")];
    v.derivative_of = b.position("tip.r_0");
    v.intermediate_update = true;
    // Not of an output: FMPy 0.3.32 would look for the alias among the initial unknowns.
    b.d.variables[b.position("tip.f_0")].aliases = {{"tip.force", "the same", ""}};
    b.d.capabilities.intermediate_update = true;
    b.d.capabilities.return_early_after_intermediate_update = true;
}

inline void add_structure(Builder& b) {
    Description& d = b.d;
    std::vector<std::size_t> efforts = b.positions("tip.f_0");
    for (const std::size_t i : b.positions("tip.t_0"))
        efforts.push_back(i);
    const std::size_t torque = b.position("axle.tau");
    for (std::size_t i = 0; i < d.variables.size(); ++i) {
        const Variable& v = d.variables[i];
        const bool depends = v.name.starts_with("tip.aux.a_0");
        const std::vector<std::size_t> dependencies = depends ? efforts : std::vector<std::size_t>{};
        const std::vector<std::string> kinds(dependencies.size(), "dependent");
        if (v.causality == Causality::output)
            d.outputs.push_back({i, dependencies, kinds});
        if (v.name == "der(axle.w)")
            d.derivatives.push_back({i, std::vector{torque}, {"constant"}});
        if (v.causality == Causality::calculated_parameter || v.name == "der(axle.w)" ||
            (v.causality == Causality::output && v.initial == Initial::calculated))
            d.initial_unknowns.push_back({i, dependencies, {}});
    }
    d.initial_unknowns.back().dependencies.reset();
}

inline Description good(Version version) {
    Builder b(version);
    Description& d = b.d;
    d.model_name = "pendulum \xc3\xa4";
    d.token = "{0f3c-token}";
    d.description = "a pendulum to be glued";
    d.author = "A & B";
    d.model_version = "1.2";
    d.copyright = "nobody";
    d.license = "MIT";
    d.generation_tool = "tenon";
    d.generation_time = "2025-01-31T12:00:00Z";
    d.has_co_simulation = true;
    Capabilities& can = d.capabilities;
    can.model_identifier = "pendulum";
    can.get_and_set_state = can.serialize_state = can.directional_derivatives = can.variable_step = true;
    can.no_memory_management = version == Version::fmi2;
    can.max_output_derivative_order = 1;
    add_units(d);
    add_types(d);
    d.log_categories = {{"logStatusError", "errors"}, {"logStatusWarning", ""}};
    d.experiment = {0.0, 10.0, 1e-8, 1e-3};
    add_variables(b);
    if (version == Version::fmi3)
        add_variables_of_fmi3(b);
    add_structure(b);
    d.terminals = {frame(b, "tip"), flange()};
    return d;
}

} // namespace tenon::fmi::samples
