#include "tools/run/summary.hpp"

#include "tools/files/json.hpp"
#include "tools/run/system_run.hpp"

namespace tenon::run {
namespace {

void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
    json.key(key).array();
    for (const std::string& text : texts)
        json.value(text);
    json.end();
}

void write_joint(JsonWriter& json, const master::JointReport& joint) {
    json.object().member("name", joint.name).member("method", joint.method).member("gap", joint.gap);
    json.member("work_a", joint.work_a).member("work_b", joint.work_b);
    json.member("driver_work", joint.driver_work).member("residual", joint.residual);
    json.member("largest_residual", joint.largest_residual);
    json.member("work_a_from", joint.measured_a ? "fmu" : "quadrature");
    json.member("work_b_from", joint.measured_b ? "fmu" : "quadrature");
    json.member("rows", joint.rows).member("redundant", joint.redundant).end();
}

void write_position_error(JsonWriter& json, std::string_view key, const PositionError& error) {
    json.key(key).object().member("metres", error.metres).member("body", error.body);
    json.member("time", error.time).end();
}

void write_model(JsonWriter& json, const Summary& s) {
    const auto known = [&](double value) { return s.started ? value : NAN; };
    json.member("file", s.file.string()).member("halvings", s.halvings);
    json.member("degrees_of_freedom", known(s.start.degrees_of_freedom));
    write_texts(json, "redundant_joints", s.start.redundant_joints);
    json.member("start_position_correction", known(s.start.position_correction));
    json.member("start_velocity_correction", known(s.start.velocity_correction));
    json.member("diverged", s.diverged);
    json.key("unconverged").object().member("steps", s.unconverged);
    json.member("increment", s.largest_unconverged).end();
    json.member("max_energy_correction", s.max_energy_correction);
    json.key("leap").object().member("joules", s.leap.energy).member("kinetic", s.leap.kinetic);
    json.member("time", s.leap.time).end();
    write_position_error(json, "refined_difference", s.refined_difference);
}

void write_system(JsonWriter& json, const Summary& s) {
    const master::MasterReport& r = s.report;
    json.member("dosteps", r.dosteps).member("rollbacks", r.rollbacks).key("joints").array();
    for (const master::JointReport& joint : r.joints)
        write_joint(json, joint);
    json.end().key("fmus").array();
    for (const master::FmuReport& fmu : r.fmus)
        json.object()
            .member("name", fmu.name)
            .member("seconds", fmu.seconds)
            .member("dosteps", fmu.dosteps)
            .end();
    json.end().member("file", whole_path(s.file).string()).member("halvings", s.halvings);
    json.member("smallest_step", s.steps > 0 ? r.smallest_step : NAN);
    json.member("earlier_wall_seconds", s.earlier_seconds);
    json.member("results", whole_path(s.out).string()).member("rows", s.rows);
    json.member("checkpoint", whole_path(s.checkpoint).string()).member("saved", s.saved.string());
    write_texts(json, "remarks", r.remarks);
    json.key("deviations").array();
    for (const auto& [fmu, file, found] : s.deviations) {
        json.object().member("fmu", fmu).member("file", file).member("count", found.count());
        write_findings(json, "findings", found.all());
        json.end();
    }
    json.end();
}

} // namespace

std::string to_json(const Summary& s) {
    const bool model = s.of == Summary::Of::model;
    JsonWriter json;
    json.object().member("status", s.status).member("message", s.message).member("version", TENON_VERSION);
    json.member("model", s.name).member(model ? "integrator" : "master", s.method);
    json.member("step", s.step).member("stop", s.stop).member("end_time", s.end_time);
    json.member("steps", s.steps).member("iterations", s.iterations).member("wall_seconds", s.wall_seconds);
    json.member("max_position_violation", s.max_position_violation);
    json.member("max_velocity_violation", s.max_velocity_violation);
    json.member("energy_start", s.energy_start).member("energy_end", s.energy_end);
    json.member("max_energy_error", s.max_energy_error);
    json.member("rank_deficiency", s.rank_deficiency ? double(*s.rank_deficiency) : NAN);
    json.member("energy_scale", s.energy_scale).member("motion", s.motion);
    write_position_error(json, "position_error", s.position_error);
    json.key("realtime").object().member("factor", s.pace.factor);
    json.member("worst_lateness", s.pace.worst_lateness).member("overruns", s.pace.overruns);
    json.member("processor", s.pace.processor).end();
    model ? write_model(json, s) : write_system(json, s);
    return json.end().text();
}

} // namespace tenon::run
