// What glue costs and how exact it is: a four-bar linkage of three FMUs glued by all methods, held together by springs instead, and in
// one piece; other machines; the energy ledger; the master's own time in a macro step of two FMUs and one joint; chains of N FMUs.
//
//   bench_glue [EXAMPLES]      examples by default; prints JSON
//
// Times are processor time of stepping alone. Errors are the largest of all bodies' positions, in metres, against the machine in one
// piece at a small step; null where the run did not come to its end.

#include "bench/glued.hpp"

#include "tools/files/json.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/model_file/model_reader.hpp"

#include <fmt/format.h>

#include <exception>
#include <map>

namespace {

using namespace tenon;
using namespace tenon::bench;

const std::vector<double> macro_steps = {0.02, 0.01, 0.005, 0.0025};

void put(JsonWriter& json, const Timed& run, const Track& exact) {
    json.member("error", largest_distance(run.track, exact)).member("ms", 1e3 * run.seconds);
}

void put_glued(JsonWriter& json, const Glued& glued, const Timed& run, const Track& exact) {
    put(json, run, exact);
    const double each = static_cast<double>(glued.parts()) * static_cast<double>(run.report.steps);
    json.member("gap", run.report.max_gap);
    json.member("dosteps", static_cast<double>(run.report.dosteps) / each);
}

void measure_precision(JsonWriter& json, const std::string& examples) {
    constexpr double stop = 2;
    const Glued glued(read_model(examples + "/glue/four_bar/whole.toml"), {"left", "right"});
    const Track exact = in_one_piece(glued.whole(), 1e-4, stop).track;
    json.key("precision").array();
    const auto entry = [&](const char* how, double step, double stiffness, const Timed& run) {
        json.object().member("how", how).member("step", step).member("stiffness", stiffness);
        put(json, run, exact);
        json.end();
    };
    for (const double step : macro_steps)
        entry("one piece", step, 0, in_one_piece(glued.whole(), step, stop));
    for (const char* method : {"newton", "difference", "dead-beat"})
        for (const double step : macro_steps)
            entry(method, step, 0, stepped(glued.whole(), glued.by(method), step, stop));
    // The stiffer, the smaller the step that is stable; damping a tenth of critical for 1 kg.
    for (const auto& [stiffness, steps] : std::map<double, std::vector<double>>{
             {1e4, {2e-3, 1e-3}}, {1e5, {1e-3, 5e-4}}, {1e6, {2e-4, 1e-4}}, {1e7, {1e-4, 5e-5}}})
        for (const double step : steps)
            entry("springs", step, stiffness,
                  stepped(glued.whole(), glued.with_springs(stiffness, 0.2 * std::sqrt(stiffness)), step,
                          stop));
    json.end();
}

/// Two arms on axes that neither meet nor are parallel.
Model skew_arms() {
    const auto arm = [](const char* name, const Vec3& middle, const Vec3& inertia) {
        Body body;
        body.name = name;
        body.mass = 1;
        body.inertia = inertia.asDiagonal();
        body.position = middle;
        return body;
    };
    const auto pin = [](const char* name, int first, int second, const Vec3& at, const Vec3& axis) {
        Joint joint;
        joint.name = name;
        joint.type = "revolute";
        joint.first = first;
        joint.second = second;
        joint.at = at;
        joint.axis = axis;
        return joint;
    };
    Model model;
    model.name = "skew_arms";
    model.gravity = Vec3(6.5, 1.5, -7.2);
    model.bodies = {arm("upper", {0.5, 0, 0}, {0.0083, 0.083, 0.083}),
                    arm("lower", {1, 0.4, 0}, {0.06, 0.02, 0.05})};
    model.joints = {pin("shoulder", world, 0, Vec3::Zero(), {0.3, 1, 0.2}),
                    pin("elbow", 0, 1, {1, 0, 0}, {1, 0.2, 0.5})};
    return model;
}

void measure_machine(JsonWriter& json, const std::string& name, const Glued& glued, double stop,
                     const std::vector<std::string>& methods = {"newton"}) {
    const Track exact = in_one_piece(glued.whole(), 2.5e-4, stop).track;
    for (const std::string& method : methods)
        for (const double step : {0.02, 0.01, 0.005}) {
            const Timed run = stepped(glued.whole(), glued.by(method), step, stop);
            json.object().member("machine", name).member("parts", glued.parts()).member("seconds", stop);
            json.member("method", method).member("step", step);
            put_glued(json, glued, run, exact);
            json.member("redundant", run.report.rank_deficiency).end();
        }
}

void measure_machines(JsonWriter& json, const std::string& examples) {
    const auto model = [&](const std::string& name) { return read_model(examples + "/" + name + ".toml"); };
    const Model bricard = model("bricard");
    json.key("machines").array();
    measure_machine(json, "arms on skew axes", Glued(skew_arms(), {"elbow"}), 1,
                    {"newton", "difference", "dead-beat"});
    measure_machine(json, "four-bar linkage", Glued(model("glue/four_bar/whole"), {"left", "right"}), 1);
    measure_machine(json, "Bricard's loop", Glued(bricard, {"p_4"}), 1);
    measure_machine(json, "Bricard's loop", Glued(bricard, {"p_3", "p_5"}), 1);
    measure_machine(json, "Bricard's loop", Glued(bricard, {"p_2", "p_3", "p_4", "p_5"}), 1);
    measure_machine(json, "plate on four cranks",
                    Glued(model("four_revolutes"),
                          {"front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot"}),
                    1);
    measure_machine(json, "road train", Glued(model("glue/road_train/whole"), {"coupling_1", "coupling_2"}),
                    4);
    json.end();
}

/// The works of the joints after 10 s, and what they and the energy of all parts are off by.
void measure_ledger(JsonWriter& json) {
    const Glued glued(skew_arms(), {"elbow"});
    json.key("ledger").array();
    for (const double step : {0.02, 0.01, 0.005}) {
        const MasterReport report = stepped(glued.whole(), glued.by("newton"), step, 10).report;
        const JointReport& joint = report.joints.front();
        json.object().member("step", step).member("work_a", joint.work_a).member("work_b", joint.work_b);
        json.member("residual", joint.residual).member("largest_residual", joint.largest_residual);
        json.member("energy_error", report.max_energy_error).member("gap", joint.gap).end();
    }
    json.end();
}

/// The master alone, without results.
void measure_steps(JsonWriter& json, System system, long steps) {
    system.master.step = 0.005;
    system.master.stop = 10;
    MasterOptions options = glue::with_joints();
    options.record = [](const std::string&) { return false; };
    Master master(check_system(system), options);
    master.initialize();
    OwnTime time(master);
    for (long i = 1; i <= steps; ++i) {
        time.begin();
        master.step(static_cast<double>(i) * system.master.step);
        time.end(1);
    }
    json.member("us_a_step", time.all()).member("us_master", time.own());
    json.member("dosteps", static_cast<double>(master.report().dosteps) /
                               static_cast<double>(steps * static_cast<long>(system.fmus.size())));
}

void measure_master(JsonWriter& json) {
    const Glued glued(skew_arms(), {"elbow"});
    json.key("master").object().member("fmus", 2).member("joints", 1);
    measure_steps(json, glued.by("newton"), 2000);
    json.end();
}

/// A chain of equal links on axes that alternate, all from one file, placed by world_r.
System chain(int links, const std::filesystem::path& folder) {
    constexpr double length = 0.2;
    Model link;
    link.name = "link";
    Body body;
    body.name = "rod";
    body.mass = 0.2;
    body.inertia = Vec3(1e-4, 7e-4, 7e-4).asDiagonal();
    body.position = Vec3(0.5 * length, 0, 0);
    link.bodies = {body};
    link.ports = {{"left", 0, Vec3::Zero(), Mat3::Identity()},
                  {"right", 0, Vec3(length, 0, 0), Mat3::Identity()}};
    link.solver.integrator = "munthe-kaas";
    link.solver.step = inner_step;
    const std::filesystem::path file = folder / "link.fmu";
    if (!exists(file))
        write_archive(file, fmu_content(link, "", fmi::Version::fmi2));
    System system;
    for (int i = 0; i < links; ++i) {
        SystemFmu fmu;
        fmu.name = fmt::format("link_{}", i);
        fmu.file = file;
        Setting place;
        place.variable = "world_r";
        place.value = std::vector<double>{length * i, 0, 0};
        fmu.set = {place};
        system.fmus.push_back(fmu);
        GlueJoint joint;
        joint.name = fmt::format("pin_{}", i);
        joint.type = "revolute";
        if (i > 0)
            joint.a = {static_cast<std::size_t>(i - 1), "right"};
        joint.b = {static_cast<std::size_t>(i), "left"};
        joint.numbers["axis"] = i % 2 == 0 ? std::vector<double>{0, 1, 0} : std::vector<double>{0, 0, 1};
        system.joints.push_back(joint);
    }
    return system;
}

void measure_chains(JsonWriter& json) {
    const TemporaryFolder folder;
    json.key("chains").array();
    for (const int links : {10, 20, 50, 100, 200}) {
        json.object().member("fmus", links);
        measure_steps(json, chain(links, folder.path()), 40);
        json.end();
    }
    json.end();
}

} // namespace

int main(int argc, char** argv) {
    const std::string examples = argc > 1 ? argv[1] : "examples";
    try {
        JsonWriter json;
        json.object();
        measure_precision(json, examples);
        measure_machines(json, examples);
        measure_ledger(json);
        measure_master(json);
        measure_chains(json);
        fmt::print("{}", json.end().text());
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_glue: {}\n", error.what());
        return 70;
    }
    return 0;
}
