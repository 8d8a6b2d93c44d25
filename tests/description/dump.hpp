#pragma once
// A description as lines of text, bit for bit, without the line numbers: two are equal where their texts are.

#include "modelDescription/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace tenon::fmi {

inline std::string dump(const std::optional<double>& value) {
    return value ? fmt::format("{:a}", *value) : "-";
}

inline std::string dump(const Start& start) {
    return std::visit(
        []<typename Values>(const Values& values) -> std::string {
            if constexpr (std::is_same_v<Values, std::monostate>)
                return "none";
            else if constexpr (std::is_same_v<Values, std::vector<double>>)
                return fmt::format("real {:a}", fmt::join(values, " "));
            else if constexpr (std::is_same_v<Values, std::vector<std::string>>)
                return fmt::format("text {}", values);
            else
                return fmt::format("{} {}", std::is_signed_v<typename Values::value_type> ? "int" : "uint",
                                   values);
        },
        start);
}

inline std::string dump(const Variable& v) {
    std::string text =
        fmt::format("variable {:?} {} type {} causality {} variability {} initial {} | {:?} {:?} {:?} {:?} "
                    "{:?} {} | {} {} {} | {} | ",
                    v.name, v.reference, static_cast<int>(v.type), static_cast<int>(v.causality),
                    static_cast<int>(v.variability), static_cast<int>(v.initial), v.description, v.unit,
                    v.display_unit, v.quantity, v.declared_type, v.relative_quantity, dump(v.min),
                    dump(v.max), dump(v.nominal), dump(v.start));
    for (const Dimension& d : v.dimensions)
        text += fmt::format("[{} {}]", d.size, d.variable ? static_cast<long>(*d.variable) : -1);
    text += fmt::format(" {} {} {} {:?}", v.derivative_of ? static_cast<long>(*v.derivative_of) : -1,
                        v.intermediate_update, v.clocked, v.interval_variability);
    for (const AliasName& a : v.aliases)
        text += fmt::format(" alias {:?} {:?} {:?}", a.name, a.description, a.display_unit);
    return text + "\n";
}

inline std::string dump(const Unit& u) {
    std::string text = fmt::format("unit {:?}", u.name);
    if (u.base)
        text += fmt::format(" {} {:a} {:a}", u.base->exponents, u.base->factor, u.base->offset);
    for (const DisplayUnit& d : u.display_units)
        text += fmt::format(" display {:?} {:a} {:a} {}", d.name, d.factor, d.offset, d.inverse);
    return text + "\n";
}

inline std::string dump(const TypeDefinition& t) {
    std::string text = fmt::format(
        "type {:?} {} {:?} {:?} {:?} {:?} {} {} {} {}", t.name, static_cast<int>(t.type), t.description,
        t.quantity, t.unit, t.display_unit, t.relative_quantity, dump(t.min), dump(t.max), dump(t.nominal));
    for (const EnumerationItem& i : t.items)
        text += fmt::format(" item {:?} {} {:?}", i.name, i.value, i.description);
    return text + "\n";
}

inline std::string dump(const char* list, const std::vector<Unknown>& unknowns) {
    std::string text;
    for (const Unknown& u : unknowns)
        text += fmt::format("{} {} {} {}\n", list, u.variable,
                            u.dependencies ? fmt::format("{}", *u.dependencies) : "all", u.kinds);
    return text;
}

inline std::string dump(const Terminal& t, int depth = 0) {
    std::string text = fmt::format("{:>{}} {:?} {:?} {:?} {:?} {:?} {}", "terminal", 8 + 2 * depth, t.name,
                                   t.matching_rule, t.kind, t.description, t.icon, t.icon_box);
    for (const TerminalMember& m : t.members)
        text += fmt::format(" ({:?} {:?} {:?})", m.variable, m.member, m.kind);
    text += "\n";
    for (const Terminal& nested : t.terminals)
        text += dump(nested, depth + 1);
    return text;
}

inline std::string dump(const Capabilities& c) {
    return fmt::format("can {:?} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n",
                       c.model_identifier, c.needs_execution_tool, c.only_once_per_process,
                       c.no_memory_management, c.get_and_set_state, c.serialize_state,
                       c.directional_derivatives, c.adjoint_derivatives, c.per_element_dependencies,
                       c.variable_step, c.interpolates_inputs, c.max_output_derivative_order,
                       c.runs_asynchronously, dump(c.fixed_internal_step), c.intermediate_input_smoothness,
                       c.intermediate_update, c.might_return_early, c.return_early_after_intermediate_update,
                       c.event_mode, c.evaluate_discrete_states);
}

inline std::string dump(const Description& d) {
    std::string text = fmt::format("{} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {}\n",
                                   static_cast<int>(d.version), d.model_name, d.token, d.description,
                                   d.author, d.model_version, d.copyright, d.license, d.generation_tool,
                                   d.generation_time, d.naming_convention, d.has_co_simulation,
                                   d.has_model_exchange, d.has_scheduled_execution);
    text += dump(d.capabilities);
    for (const Unit& unit : d.units)
        text += dump(unit);
    for (const TypeDefinition& type : d.types)
        text += dump(type);
    for (const LogCategory& category : d.log_categories)
        text += fmt::format("log {:?} {:?}\n", category.name, category.description);
    text += fmt::format("experiment {} {} {} {}\n", dump(d.experiment.start), dump(d.experiment.stop),
                        dump(d.experiment.tolerance), dump(d.experiment.step));
    for (const Variable& variable : d.variables)
        text += dump(variable);
    text +=
        dump("output", d.outputs) + dump("derivative", d.derivatives) + dump("initial", d.initial_unknowns);
    for (const Terminal& terminal : d.terminals)
        text += dump(terminal);
    return text;
}

} // namespace tenon::fmi
