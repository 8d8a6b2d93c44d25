#include "tools/verbs/info_json.hpp"

#include "core/integrators/integrator_types.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/parameters.hpp"
#include "tools/files/json.hpp"
#include "tools/verbs/element_text.hpp"

#include <filesystem>
#include <variant>

namespace tenon::verbs {
namespace {

/// `list` as an array under `key`; `members` writes those of one element.
template <class List, class Members>
void write_list(JsonWriter& json, std::string_view key, const List& list, Members members) {
    json.key(key).array();
    for (const auto& element : list) {
        json.object();
        members(element);
        json.end();
    }
    json.end();
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
    json.key(key).array();
    for (const std::string& name : names)
        json.value(name);
    json.end();
}

} // namespace

std::string model_json(const std::string& file, const Simulation* simulation, const std::string& message) {
    static const Model nothing;
    const Model& model = simulation ? simulation->model() : nothing;
    const StartReport start = simulation ? simulation->start() : StartReport();
    JsonWriter json;
    json.object().member("status", simulation ? "done" : "failed").member("message", message);
    json.member("version", TENON_VERSION).member("file", file);
    json.member("model", simulation ? model.name : std::filesystem::path(file).stem().string());
    json.member("description", model.description);
    json.member("degrees_of_freedom", start.degrees_of_freedom).member("rows", start.rows);
    json.member("rank_deficiency", start.rank_deficiency);
    write_names(json, "redundant_joints", start.redundant_joints);
    json.member("start_position_correction", start.position_correction);
    json.member("start_velocity_correction", start.velocity_correction);
    write_list(json, "bodies", model.bodies,
               [&](const Body& body) { json.member("name", body.name).member("mass", body.mass); });
    write_list(json, "joints", model.joints, [&](const Joint& joint) {
        json.member("name", joint.name).member("type", joint.type);
        if (type_of(joint).couples_joints())
            write_names(json, "joints", {joint_name(model, joint.joint1), joint_name(model, joint.joint2)});
        else
            write_names(json, "bodies", {model.body_name(joint.first), model.body_name(joint.second)});
    });
    write_list(json, "drivers", model.drivers, [&](const Driver& driver) {
        json.member("name", driver.name)
            .member("joint", joint_name(model, driver.joint))
            .member("input", driver.input);
    });
    write_list(json, "forces", model.forces, [&](const Force& force) {
        json.member("name", force.name).member("type", force.type).member("on", acts_on(model, force));
        json.member("input", has_inputs(force));
    });
    write_list(json, "ports", model.ports, [&](const Port& port) {
        json.member("name", port.name).member("body", model.body_name(port.body));
    });
    write_list(json, "flanges", model.flanges, [&](const Flange& flange) {
        json.member("name", flange.name).member("joint", joint_name(model, flange.joint));
    });
    const auto variable = [&](const auto& v) {
        json.member("name", v.name).member("unit", v.unit).member("description", v.description);
    };
    write_list(json, "inputs", simulation ? simulation->inputs() : std::vector<Input>(), variable);
    const auto alias = [&](const Alias& a) {
        json.member("name", a.name).member("variable", a.variable).member("unit", a.unit);
    };
    write_list(json, "named_inputs", model.inputs, alias);
    write_list(json, "named_outputs", model.outputs, alias);
    using Columns = std::span<const Column>;
    write_list(json, "variables", simulation ? simulation->columns() : Columns(), variable);
    write_list(json, "variables_on_request", simulation ? simulation->columns_on_request() : Columns(),
               variable);
    write_list(json, "parameters", simulation ? parameters(model) : std::vector<Parameter>(),
               [&](const Parameter& p) {
                   json.member("name", p.name)
                       .member("value", p.value)
                       .member("unit", p.unit)
                       .member("description", p.description);
               });
    json.end();
    return json.text();
}

std::string integrators_json() {
    JsonWriter json;
    json.object().member("status", "done").member("message", "").member("version", TENON_VERSION);
    write_list(json, "integrators", integrator_types(), [&](const IntegratorType& type) {
        json.member("number", type.number).member("name", type.name).member("summary", type.summary);
        write_names(json, "coordinates", type.coordinates);
        write_list(json, "options", type.options, [&](const IntegratorOption& option) {
            json.member("name", option.name).member("description", option.description).key("default");
            std::visit([&](const auto& value) { json.value(value); }, option.fallback);
        });
    });
    return json.end().text();
}

} // namespace tenon::verbs
