#include "tools/verbs/info_system_json.hpp"

#include "modelDescription/words.hpp"
#include "tools/files/json.hpp"
#include "tools/system/endpoint_names.hpp"

#include <filesystem>

namespace tenon::verbs {
namespace {

void write_head(JsonWriter& json, const std::string& kind, const std::string& file, bool done,
                const std::string& message) {
    json.object().member("status", done ? "done" : "failed").member("message", message);
    json.member("version", TENON_VERSION).member("file", file).member("kind", kind);
}

const char* version_text(const fmi::Description& d) {
    return d.version == fmi::Version::fmi2 ? "2.0" : "3.0";
}

void write_variable(JsonWriter& json, const fmi::Variable& v) {
    json.object()
        .member("name", v.name)
        .member("type", fmi::word(v.type))
        .member("causality", fmi::word(v.causality));
    json.member("variability", fmi::word(v.variability)).member("unit", v.unit);
    json.key("dimensions").array();
    for (const fmi::Dimension& dimension : v.dimensions)
        json.value(dimension.size);
    json.end().member("description", v.description).end();
}

void write_terminals(JsonWriter& json, const std::vector<fmi::Terminal>& terminals) {
    json.key("terminals").array();
    for (const fmi::Terminal& terminal : terminals) {
        json.object().member("name", terminal.name).member("kind", terminal.kind);
        json.member("rule", terminal.matching_rule).key("members").array();
        for (const fmi::TerminalMember& member : terminal.members)
            json.object().member("name", member.member).member("variable", member.variable).end();
        json.end();
        write_terminals(json, terminal.terminals);
        json.end();
    }
    json.end();
}

void write_connections(JsonWriter& json, const system::CheckedSystem& checked) {
    const system::System& system = checked.system;
    const auto end = [&](const system::Endpoint& e) { return system.fmus[e.fmu].name + "." + e.variable; };
    json.key("connections").array();
    std::size_t next = 0; // wires are in the order of the connections
    for (std::size_t i = 0; i < system.connections.size(); ++i) {
        const std::size_t first = next;
        while (next < checked.wires.size() && checked.wires[next].connection == i)
            ++next;
        json.object()
            .member("from", end(system.connections[i].from))
            .member("to", end(system.connections[i].to));
        json.member("values", next - first).member("factor", next > first ? checked.wires[first].factor : 1);
        json.member("offset", next > first ? checked.wires[first].offset : 0).end();
    }
    json.end();
}

void write_master(JsonWriter& json, const system::MasterSettings& master) {
    json.key("master").object().member("method", master.method).member("start", master.start);
    json.member("step", master.step).member("stop", master.stop).member("tolerance", master.tolerance);
    json.member("extrapolation", master.extrapolation).member("adaptive", master.adaptive);
    json.member("iteration", master.iteration).member("max_iterations", master.max_iterations).end();
}

} // namespace

std::string fmu_json(const std::string& file, const fmi::Fmu* fmu, const std::string& message) {
    static const fmi::Description nothing;
    const fmi::Description& d = fmu ? fmu->description() : nothing;
    JsonWriter json;
    write_head(json, "fmu", file, fmu != nullptr, message);
    json.member("model", fmu ? d.model_name : std::filesystem::path(file).stem().string());
    json.member("description", d.description).member("fmi", version_text(d));
    json.member("co_simulation", d.has_co_simulation).member("model_exchange", d.has_model_exchange);
    json.member("generation_tool", d.generation_tool).member("platforms", fmu ? platforms(*fmu) : "");
    json.key("variables").array();
    for (const fmi::Variable& variable : d.variables)
        write_variable(json, variable);
    json.end();
    write_terminals(json, d.terminals);
    write_findings(json, "deviations", fmu ? fmu->deviations().all() : std::vector<Finding>());
    return json.end().text();
}

std::string system_json(const std::string& file, const ShownSystem* shown, const std::string& message) {
    static const ShownSystem nothing;
    const system::CheckedSystem& c = shown ? shown->checked : nothing.checked;
    JsonWriter json;
    write_head(json, "system", file, shown != nullptr, message);
    json.member("system", shown ? c.system.name : std::filesystem::path(file).stem().string());
    json.member("svg", shown ? shown->svg : "");
    json.key("fmus").array();
    for (std::size_t i = 0; i < c.fmus.size(); ++i) {
        const fmi::Description& d = c.fmus[i]->description();
        json.object().member("name", c.system.fmus[i].name).member("file", shown->files[i]);
        json.member("fmi", version_text(d)).member("model", d.model_name);
        json.member("set", c.assignments[i].size()).member("isolate", c.system.fmus[i].isolate);
        write_terminals(json, d.terminals);
        write_findings(json, "deviations", c.fmus[i]->deviations().all());
        json.end();
    }
    json.end();
    write_connections(json, c);
    json.key("joints").array();
    for (const system::GlueJoint& joint : c.system.joints) {
        json.object().member("name", joint.name).member("type", joint.type);
        json.member("a", side_text(c.system, joint.a)).member("b", side_text(c.system, joint.b));
        json.member("method", joint.method).member("rows", rows_of(c, joint));
        json.member("leaves_free", free_motions_of(c, joint)).end();
    }
    json.end();
    write_master(json, c.system.master);
    json.key("remarks").array();
    for (const std::string& remark : c.system.remarks)
        json.value(remark);
    return json.end().end().text();
}

} // namespace tenon::verbs
