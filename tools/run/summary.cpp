#include "tools/run/summary.hpp"

#include "tools/files/json_text.hpp"
#include "tools/run/system_run.hpp"

#include <nlohmann/json.hpp>

namespace tenon::run {
namespace {

Json joint_json(const master::JointReport& joint) {
    return {{"name", joint.name},
            {"method", joint.method},
            {"gap", joint.gap},
            {"work_a", joint.work_a},
            {"work_b", joint.work_b},
            {"driver_work", joint.driver_work},
            {"residual", joint.residual},
            {"largest_residual", joint.largest_residual},
            {"work_a_from", joint.measured_a ? "fmu" : "quadrature"},
            {"work_b_from", joint.measured_b ? "fmu" : "quadrature"},
            {"rows", joint.rows},
            {"redundant", joint.redundant}};
}

void add_model(Json& json, const Summary& s) {
    const auto known = [&](auto value) { return s.started ? Json(value) : Json(); };
    json["file"] = s.file.string();
    json["halvings"] = s.halvings;
    json["degrees_of_freedom"] = known(s.start.degrees_of_freedom);
    json["redundant_joints"] = s.start.redundant_joints;
    json["start_position_correction"] = known(s.start.position_correction);
    json["start_velocity_correction"] = known(s.start.velocity_correction);
}

void add_system(Json& json, const Summary& s) {
    const master::MasterReport& r = s.report;
    json["dosteps"] = r.dosteps;
    json["rollbacks"] = r.rollbacks;
    json["joints"] = Json::array();
    for (const master::JointReport& joint : r.joints)
        json["joints"].push_back(joint_json(joint));
    json["fmus"] = Json::array();
    for (const master::FmuReport& fmu : r.fmus)
        json["fmus"].push_back({{"name", fmu.name}, {"seconds", fmu.seconds}, {"dosteps", fmu.dosteps}});
    json["file"] = whole_path(s.file).string();
    json["halvings"] = s.halvings;
    json["smallest_step"] = s.steps > 0 ? r.smallest_step : NAN;
    json["earlier_wall_seconds"] = s.earlier_seconds;
    json["results"] = whole_path(s.out).string();
    json["rows"] = s.rows;
    json["checkpoint"] = whole_path(s.checkpoint).string();
    json["saved"] = s.saved.string();
    json["remarks"] = r.remarks;
}

} // namespace

std::string to_json(const Summary& s) {
    const bool model = s.of == Summary::Of::model;
    Json json = {{"status", s.status},
                 {"message", s.message},
                 {"version", TENON_VERSION},
                 {"model", s.name},
                 {model ? "integrator" : "master", s.method},
                 {"step", s.step},
                 {"stop", s.stop},
                 {"end_time", s.end_time},
                 {"steps", s.steps},
                 {"iterations", s.iterations},
                 {"wall_seconds", s.wall_seconds},
                 {"max_position_violation", s.max_position_violation},
                 {"max_velocity_violation", s.max_velocity_violation},
                 {"energy_start", s.energy_start},
                 {"energy_end", s.energy_end},
                 {"max_energy_error", s.max_energy_error},
                 {"rank_deficiency", s.rank_deficiency ? Json(*s.rank_deficiency) : Json()}};
    model ? add_model(json, s) : add_system(json, s);
    return json_text(json);
}

} // namespace tenon::run
