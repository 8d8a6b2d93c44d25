#include "tools/verbs/info_system.hpp"

#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"
#include "tools/glue/port.hpp"
#include "tools/master/schemes/scheme_types.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/variable_table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace tenon::verbs {
namespace {

using system::CheckedSystem;
using system::System;

constexpr std::size_t longest = 200; ///< bytes of a text from an FMU that are shown

std::string fit(std::string_view text) { return printable(text, longest); }

// ---- an FMU --------------------------------------------------------------------------------------------------------

/// "R[1,1..3,3]" for an array, so that it looks like the scalars of FMI 2.0.
std::string with_size(const fmi::Variable& variable) {
    if (variable.dimensions.empty())
        return variable.name;
    std::vector<std::string> first, last;
    for (const fmi::Dimension& dimension : variable.dimensions) {
        first.emplace_back("1");
        last.push_back(std::to_string(dimension.size));
    }
    return fmt::format("{}[{}..{}]", variable.name, fmt::join(first, ","), fmt::join(last, ","));
}

void print_causality(std::string_view title, const fmi::Description& description, fmi::Causality causality,
                     bool verbose) {
    std::vector<ListedVariable> list;
    for (const fmi::Variable& variable : description.variables)
        if (variable.causality == causality) {
            std::string text =
                variable.type == fmi::Type::float64 ? "" : std::string(fmi::word(variable.type));
            if (!variable.description.empty())
                text += (text.empty() ? "" : ", ") + variable.description;
            list.push_back({fit(with_size(variable)), fit(variable.unit), fit(text)});
        }
    print_variables(title, list, verbose);
}

void add_terminals(TextTable& table, const std::vector<fmi::Terminal>& terminals, const std::string& prefix) {
    for (const fmi::Terminal& terminal : terminals) {
        std::vector<std::string> members;
        for (const fmi::TerminalMember& member : terminal.members)
            if (const std::string base = member.member.substr(0, member.member.find('['));
                members.empty() || members.back() != base)
                members.push_back(base);
        table.add({fit(prefix + terminal.name), fit(terminal.kind), fit(terminal.matching_rule),
                   fit(fmt::format("{}", fmt::join(members, ", ")))});
        add_terminals(table, terminal.terminals, prefix + terminal.name + ".");
    }
}

std::string capabilities_text(const fmi::Capabilities& can) {
    std::vector<std::string_view> words;
    const auto add = [&](bool has, std::string_view word) {
        if (has)
            words.push_back(word);
    };
    add(can.get_and_set_state, "state can be saved");
    add(can.serialize_state, "state as bytes");
    add(can.directional_derivatives, "directional derivatives");
    add(can.adjoint_derivatives, "adjoint derivatives");
    add(can.variable_step, "variable step");
    add(can.interpolates_inputs, "input derivatives");
    add(can.max_output_derivative_order > 0, "output derivatives");
    add(can.intermediate_update, "intermediate update");
    add(can.might_return_early, "early return");
    add(can.event_mode, "events");
    add(can.only_once_per_process, "one instance a process");
    add(can.needs_execution_tool, "needs its tool");
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

void print_fmu_head(const fmi::Fmu& fmu) {
    const fmi::Description& d = fmu.description();
    fmt::print("{}  ({})\n", styled(fit(d.model_name), Style::bold, stdout),
               printable(fmu.file().string(), 1000));
    if (!d.description.empty())
        fmt::print("{}\n", fit(d.description));
    TextTable facts({Align::left, Align::left});
    const auto fact = [&](std::string_view name, const std::string& value) {
        if (!value.empty())
            facts.add({std::string(name), fit(value)});
    };
    std::vector<std::string_view> kinds;
    if (d.has_co_simulation)
        kinds.emplace_back("Co-Simulation");
    if (d.has_model_exchange)
        kinds.emplace_back("Model Exchange");
    if (d.has_scheduled_execution)
        kinds.emplace_back("Scheduled Execution");
    fact("FMI",
         fmt::format("{} for {}", d.version == fmi::Version::fmi2 ? "2.0" : "3.0", fmt::join(kinds, ", ")));
    fact("made by", d.generation_tool);
    fact("version", d.model_version);
    fact("platforms", platforms(fmu).empty() ? "none" : platforms(fmu));
    fact("can", capabilities_text(d.capabilities));
    if (d.experiment.step)
        fact("step", fmt::format("{} s", *d.experiment.step));
    if (d.experiment.stop)
        fact("stop", fmt::format("{} s", *d.experiment.stop));
    fmt::print("\n");
    facts.print(stdout, 2);
}

// ---- a system ------------------------------------------------------------------------------------------------------

std::size_t count(const fmi::Description& description, fmi::Causality causality) {
    return static_cast<std::size_t>(
        std::count_if(description.variables.begin(), description.variables.end(),
                      [&](const fmi::Variable& v) { return v.causality == causality; }));
}

std::string end_text(const System& system, const system::Endpoint& end) {
    return fit(system.fmus[end.fmu].name + "." + end.variable);
}

/// "" or "x 0.001 + 5": what happens to the value on the way, units included.
std::string transformation(const CheckedSystem::Wire& wire) {
    std::string text = wire.factor == 1 ? "" : fmt::format("x {}", wire.factor);
    if (wire.offset != 0)
        text += fmt::format("{}+ {}", text.empty() ? "" : " ", wire.offset);
    return wire.map.empty() ? text : "mapped";
}

void print_fmus(const ShownSystem& shown_system) {
    const CheckedSystem& checked = shown_system.checked;
    TextTable table({Align::left, Align::left, Align::left, Align::right, Align::right, Align::right},
                    {"name", "file", "FMI", "inputs", "outputs", "set"});
    for (std::size_t i = 0; i < checked.fmus.size(); ++i) {
        const fmi::Description& d = checked.fmus[i]->description();
        table.add({fit(checked.system.fmus[i].name), fit(shown_system.files[i]),
                   d.version == fmi::Version::fmi2 ? "2.0" : "3.0",
                   std::to_string(count(d, fmi::Causality::input)),
                   std::to_string(count(d, fmi::Causality::output)),
                   std::to_string(checked.assignments[i].size())});
    }
    print_section("FMUs", table);
}

/// Names of the joints at a terminal, comma separated.
std::string joints_at(const System& system, std::size_t fmu, const std::string& terminal) {
    std::vector<std::string_view> names;
    for (const system::GlueJoint& joint : system.joints)
        for (const system::Side* side : {&joint.a, &joint.b})
            if (side->fmu == fmu && side->terminal == terminal)
                names.push_back(joint.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

/// "frame", "rotational flange", or the kind as the FMU says it.
std::string kind_text(const fmi::Terminal& terminal) {
    constexpr std::string_view article = "a ";
    const std::optional<system::PortKind> kind = system::port_kind(terminal);
    return kind ? std::string(system::port_kind_text(*kind).substr(article.size())) : terminal.kind;
}

void print_terminals(const CheckedSystem& checked) {
    TextTable table({Align::left, Align::left, Align::left}, {"name", "kind", "glued by"});
    for (std::size_t i = 0; i < checked.fmus.size(); ++i)
        for (const fmi::Terminal& terminal : checked.fmus[i]->description().terminals)
            table.add({fit(checked.system.fmus[i].name + "/" + terminal.name), fit(kind_text(terminal)),
                       fit(joints_at(checked.system, i, terminal.name))});
    print_section("Terminals", table);
}

void print_joints(const CheckedSystem& checked) {
    TextTable table({Align::left, Align::left, Align::left, Align::left, Align::right, Align::right},
                    {"name", "type", "a", "b", "rows", "leaves free"});
    int rows = 0;
    for (const system::GlueJoint& joint : checked.system.joints) {
        rows += rows_of(checked, joint);
        table.add({fit(joint.name), fit(joint.type), fit(side_text(checked.system, joint.a)),
                   fit(side_text(checked.system, joint.b)), std::to_string(rows_of(checked, joint)),
                   std::to_string(free_motions_of(checked, joint))});
    }
    print_section(fmt::format("Joints ({})", counted(rows, "row")), table);
    if (!table.empty())
        fmt::print("  How they are glued, and which rows are redundant: tenon run {} --no-run\n",
                   printable(checked.system.file.string(), 1000));
}

void print_connections(const CheckedSystem& checked) {
    TextTable table({Align::left, Align::left, Align::right, Align::left},
                    {"from", "to", "values", "on the way"});
    std::vector<std::size_t> wires(checked.system.connections.size(), 0);
    std::vector<const CheckedSystem::Wire*> first(wires.size(), nullptr);
    for (const CheckedSystem::Wire& wire : checked.wires) {
        if (wires[wire.connection]++ == 0)
            first[wire.connection] = &wire;
    }
    for (std::size_t i = 0; i < wires.size(); ++i)
        table.add({end_text(checked.system, checked.system.connections[i].from),
                   end_text(checked.system, checked.system.connections[i].to), std::to_string(wires[i]),
                   first[i] ? transformation(*first[i]) : ""});
    print_section(fmt::format("Connections ({})", wires.size()), table);
}

void print_unconnected(const CheckedSystem& checked) {
    std::set<std::tuple<std::size_t, std::size_t>> fed;
    for (const CheckedSystem::Wire& wire : checked.wires)
        fed.emplace(wire.to_fmu, wire.to_variable);
    std::vector<ListedVariable> list;
    for (std::size_t i = 0; i < checked.fmus.size(); ++i) {
        const std::vector<fmi::Variable>& variables = checked.fmus[i]->description().variables;
        for (std::size_t j = 0; j < variables.size(); ++j)
            if (variables[j].causality == fmi::Causality::input && !fed.contains({i, j}))
                list.push_back({fit(checked.system.fmus[i].name + "." + with_size(variables[j])),
                                fit(variables[j].unit), ""});
    }
    print_variables("Inputs without a connection", list, true);
}

void print_master(const system::MasterSettings& settings) {
    TextTable table({Align::left, Align::left});
    table.add({"method", settings.method});
    table.add({"start", fmt::format("{} s", settings.start)});
    table.add({"step", fmt::format("{} s{}", settings.step, settings.adaptive ? ", adaptive" : "")});
    table.add({"stop", fmt::format("{} s", settings.stop)});
    table.add({"tolerance", fmt::format("{}", settings.tolerance)});
    table.add({"extrapolation", fmt::format("order {}", settings.extrapolation)});
    if (const master::SchemeType* scheme = master::find_scheme_type(settings.method);
        scheme && scheme->iterates)
        table.add({"iteration", fmt::format("{}, at most {}", settings.iteration, settings.max_iterations)});
    print_section("Master", table);
}

} // namespace

std::string platforms(const fmi::Fmu& fmu) {
    std::set<std::string> folders;
    for (const ArchiveEntry& entry : fmu.archive().entries()) {
        constexpr std::string_view binaries = "binaries/";
        const std::size_t end = entry.name.find('/', binaries.size());
        if (entry.name.starts_with(binaries) && end != std::string::npos && end + 1 < entry.name.size())
            folders.insert(entry.name.substr(binaries.size(), end - binaries.size()));
    }
    return fmt::format("{}", fmt::join(folders, ", "));
}

namespace {

/// How many, and with --verbose which.
void print_deviations(const FindingList& found, bool verbose) {
    if (found.empty())
        return;
    if (!verbose) {
        fmt::print("\n{}\n", system::deviations_line(found));
        return;
    }
    TextTable table({Align::left, Align::left}, {"rule", "what"});
    for (const Finding& finding : found.all())
        table.add({finding.rule, printable(one_line(finding), 300)});
    print_section("Against the letter of FMI", table);
}

} // namespace

void print_fmu(const fmi::Fmu& fmu, bool verbose) {
    const fmi::Description& d = fmu.description();
    print_fmu_head(fmu);
    TextTable terminals({Align::left, Align::left, Align::left, Align::left},
                        {"name", "kind", "rule", "members"});
    add_terminals(terminals, d.terminals, "");
    print_section("Terminals", terminals);
    print_causality("Inputs", d, fmi::Causality::input, verbose);
    print_causality("Outputs", d, fmi::Causality::output, verbose);
    print_causality("Structural parameters", d, fmi::Causality::structural_parameter, verbose);
    print_causality("Parameters", d, fmi::Causality::parameter, verbose);
    if (verbose) {
        print_causality("Calculated parameters", d, fmi::Causality::calculated_parameter, verbose);
        print_causality("Local variables", d, fmi::Causality::local, verbose);
    }
    print_deviations(fmu.deviations(), verbose);
}

system::PortKind port_kind_of(const CheckedSystem& checked, const system::GlueJoint& joint) {
    const system::Side& side = joint.a.fmu ? joint.a : joint.b;
    return *system::port_kind(*system::find_terminal(checked.fmus[*side.fmu]->description(), side.terminal));
}

int rows_of(const CheckedSystem& checked, const system::GlueJoint& joint) {
    // Where the sides are does not change the number, but a distance must be one.
    const PortMotion a;
    PortMotion b;
    b.p_WP.x() = 1;
    return PortJoint(glue::spec_of(joint), port_kind_of(checked, joint), a, b).rows();
}

int free_motions_of(const CheckedSystem& checked, const system::GlueJoint& joint) {
    const int all = port_kind_of(checked, joint) == system::PortKind::frame ? 6 : 1;
    return all - rows_of(checked, joint);
}

void print_system(const ShownSystem& shown_system, bool verbose) {
    const CheckedSystem& checked = shown_system.checked;
    const System& system = checked.system;
    fmt::print("{}  ({})\n", styled(fit(system.name), Style::bold, stdout),
               printable(system.file.string(), 1000));
    fmt::print("\n  {}, {}, {}\n", counted(static_cast<long>(system.fmus.size()), "FMU"),
               counted(static_cast<long>(system.connections.size()), "connection"),
               counted(static_cast<long>(system.joints.size()), "joint"));
    print_fmus(shown_system);
    print_terminals(checked);
    print_connections(checked);
    print_joints(checked);
    TextTable exposed({Align::left, Align::left}, {"name", "variable"});
    for (const system::Exposed& one : system.exposed)
        exposed.add({fit(one.name), end_text(system, one.endpoint)});
    print_section("Connectors of the system", exposed);
    print_master(system.master);
    if (verbose)
        print_unconnected(checked);
    TextTable remarks({Align::left});
    for (const system::Deviating& one : checked.deviations)
        remarks.add({fmt::format("fmu '{}' ({}): {}", printable(one.fmu), printable(one.file),
                                 system::deviations_line(one.found))});
    for (const std::string& remark : system.remarks)
        remarks.add({remark});
    print_section("Remarks", remarks);
    if (!shown_system.svg.empty())
        fmt::print("\nWrote {}: the system as a graph.\n", printable(shown_system.svg, 1000));
}

} // namespace tenon::verbs
