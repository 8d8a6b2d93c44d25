// What glue costs and how exact it is: a four-bar linkage of three FMUs glued by all methods, held together by springs instead, and in
// one piece; the master's own time in a macro step of two FMUs and one joint; chains of N FMUs.
//
//   bench_glue [EXAMPLES]      examples by default; prints JSON
//
// Times are processor time of stepping alone. Errors are the largest of all bodies' positions over 2 s, in metres; null where the run
// did not come to its end.

#include "core/math/error.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/glue/cut.hpp"
#include "tools/io/model_reader.hpp"
#include "tools/master/master.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <map>

namespace {

using namespace tenon;
using namespace tenon::master;

constexpr double stop = 2, points_apart = 0.02, inner_step = 2.5e-3;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Positions of all bodies every `points_apart` seconds.
using Track = std::vector<std::vector<Vec3>>;

struct Timed {
    Track track;
    double seconds = 0;
    double in_fmus = 0;
    long steps = 0, dosteps = 0;
};

double largest_distance(const Track& a, const Track& b) {
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        for (std::size_t k = 0; k < a[i].size(); ++k)
            largest = std::max(largest, (a[i][k] - b[i][k]).norm());
    return a.size() == b.size() ? largest : INFINITY;
}

Timed in_one_piece(Model model, double step) {
    model.solver.integrator = "munthe-kaas";
    model.solver.step = step;
    Simulation simulation(model);
    std::vector<double> values(simulation.variables().size());
    std::vector<std::size_t> places;
    for (const Body& body : model.bodies)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (simulation.variables()[i].name == body.name + ".r_0[1]")
                places.push_back(i);
    Timed run;
    const long inner = std::lround(points_apart / step);
    for (long i = 0;; ++i) {
        simulation.read(values);
        std::vector<Vec3>& row = run.track.emplace_back();
        for (const std::size_t at : places)
            row.emplace_back(values[at], values[at + 1], values[at + 2]);
        if (i == std::lround(stop / points_apart))
            return run;
        const double begin = cpu_seconds();
        for (long k = 0; k < inner; ++k)
            simulation.step(step);
        run.seconds += cpu_seconds() - begin;
    }
}

/// Of the columns `<fmu>.<body>.r_0[1]`, in the order of the bodies.
std::vector<std::size_t> columns_of(const Model& model, const Master& master) {
    std::vector<std::size_t> places;
    for (const Body& body : model.bodies)
        for (std::size_t i = 0; i < master.columns().size(); ++i)
            if (master.columns()[i].name.ends_with("." + body.name + ".r_0[1]"))
                places.push_back(i);
    return places;
}

double seconds_in_fmus(const Master& master) {
    double sum = 0;
    for (const FmuReport& fmu : master.report().fmus)
        sum += fmu.seconds;
    return sum;
}

/// Up to where it failed, if it did.
Timed stepped(const Model& model, System system, double step) {
    system.master.step = step;
    system.master.stop = stop;
    MasterOptions options;
    options.record = [](const std::string& name) { return name.find(".r_0[") != name.npos; };
    Master master(check_system(std::move(system)), options);
    const std::vector<std::size_t> places = columns_of(model, master);
    std::vector<double> values(master.columns().size());
    Timed run;
    master.initialize();
    const double before = seconds_in_fmus(master);
    const long inner = std::lround(points_apart / step);
    for (long i = 0, done = 0;; ++i) {
        master.read(values);
        std::vector<Vec3>& row = run.track.emplace_back();
        for (const std::size_t at : places)
            row.emplace_back(values[at], values[at + 1], values[at + 2]);
        if (i == std::lround(stop / points_apart))
            break;
        const double begin = cpu_seconds();
        try {
            for (long k = 0; k < inner; ++k)
                master.step(static_cast<double>(++done) * step);
        } catch (const Error&) {
            return run; // springs too stiff for the step: a result, too
        }
        run.seconds += cpu_seconds() - begin;
    }
    run.in_fmus = seconds_in_fmus(master) - before;
    run.steps = master.report().steps;
    run.dosteps = master.report().dosteps;
    return run;
}

/// The parts of a cut machine as FMUs in a folder.
System exported(glue::CutMachine& machine, const std::filesystem::path& folder) {
    for (Model& part : machine.parts) {
        part.solver.integrator = "munthe-kaas";
        part.solver.step = inner_step;
        write_archive(folder / (part.name + ".fmu"), fmu_content(part, "", fmi::Version::fmi2));
    }
    System system = glue::glued_system(machine, "parts", ".fmu");
    for (SystemFmu& fmu : system.fmus)
        fmu.file = folder / fmu.file;
    return system;
}

Setting set(const std::string& variable, SettingValue value) {
    Setting setting;
    setting.variable = variable;
    setting.value = std::move(value);
    return setting;
}

/// A spring and a damper in the place of each joint: method "compliant" of the same master.
System with_springs(System system, double stiffness, double damping) {
    system.master.method = "compliant";
    for (GlueJoint& joint : system.joints) {
        joint.numbers["stiffness"] = {stiffness};
        joint.numbers["damping"] = {damping};
    }
    return system;
}

void print_run(const char* how, double step, double stiffness, const Timed& run, const Track& exact,
               bool last) {
    const double error = largest_distance(run.track, exact);
    fmt::print("  {{\"how\": \"{}\", \"step\": {}, \"stiffness\": {}, \"error\": {}, \"ms\": {:.3f}}}{}\n",
               how, step, stiffness, std::isfinite(error) ? fmt::format("{:.3e}", error) : "null",
               1e3 * run.seconds, last ? "" : ",");
}

void measure_precision(const std::string& examples) {
    const Model whole = read_model(examples + "/glue/four_bar/whole.toml");
    const TemporaryFolder folder;
    glue::CutMachine machine = glue::cut(whole, {"left", "right"});
    System system = exported(machine, folder.path());
    const Track exact = in_one_piece(whole, 1e-4).track;
    fmt::print("\"precision\": [\n");
    for (const double step : {0.02, 0.01, 0.005, 0.0025})
        print_run("one piece", step, 0, in_one_piece(whole, step), exact, false);
    for (const char* method : {"newton", "difference", "dead-beat"})
        for (const double step : {0.02, 0.01, 0.005, 0.0025}) {
            system.master.method = method;
            print_run(method, step, 0, stepped(whole, system, step), exact, false);
        }
    // The stiffer, the smaller the step that is stable; damping a tenth of critical for 1 kg.
    for (const auto& [stiffness, steps] : std::map<double, std::vector<double>>{
             {1e4, {2e-3, 1e-3, 5e-4}}, {1e5, {1e-3, 5e-4, 2e-4}}, {1e6, {2e-4, 1e-4}}, {1e7, {1e-4, 5e-5}}})
        for (const double step : steps) {
            const System springs = with_springs(system, stiffness, 0.2 * std::sqrt(stiffness));
            const bool last = stiffness == 1e7 && step == steps.back();
            print_run("springs", step, stiffness, stepped(whole, springs, step), exact, last);
        }
    fmt::print("],\n");
}

void measure_master(const std::string& examples) {
    const Model whole = read_model(examples + "/glue/four_bar/whole.toml");
    const TemporaryFolder folder;
    glue::CutMachine machine = glue::cut(whole, {"left"});
    const System system = exported(machine, folder.path());
    Timed best;
    for (int round = 0; round < 5; ++round) {
        const Timed run = stepped(whole, system, 0.005);
        if (round == 0 || run.seconds - run.in_fmus < best.seconds - best.in_fmus)
            best = run;
    }
    const double us = 1e6 / static_cast<double>(best.steps);
    fmt::print("\"master\": {{\"fmus\": 2, \"joints\": 1, \"dosteps\": {:.2f}, \"us_a_step\": {:.2f}, "
               "\"us_in_fmus\": "
               "{:.2f}, \"us_master\": {:.2f}}},\n",
               static_cast<double>(best.dosteps) / static_cast<double>(2 * best.steps), us * best.seconds,
               us * best.in_fmus, us * (best.seconds - best.in_fmus));
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
        fmu.set = {set("world_r", std::vector<double>{length * i, 0, 0})};
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

void measure_chains() {
    const TemporaryFolder folder;
    fmt::print("\"chains\": [\n");
    for (const int links : {10, 20, 50, 100, 200}) {
        System system = chain(links, folder.path());
        system.master.step = 0.005;
        system.master.stop = 1;
        MasterOptions options;
        options.record = [](const std::string&) { return false; };
        Master master(check_system(system), options);
        master.initialize();
        const double before = seconds_in_fmus(master);
        const double begin = cpu_seconds();
        constexpr long steps = 20;
        for (long i = 1; i <= steps; ++i)
            master.step(static_cast<double>(i) * system.master.step);
        const double seconds = cpu_seconds() - begin;
        const double in_fmus = seconds_in_fmus(master) - before;
        fmt::print(
            "  {{\"fmus\": {}, \"us_a_step\": {:.1f}, \"us_in_fmus\": {:.1f}, \"dosteps\": {:.2f}}}{}\n",
            links, 1e6 * seconds / steps, 1e6 * in_fmus / steps,
            static_cast<double>(master.report().dosteps) / static_cast<double>(steps * links),
            links == 200 ? "" : ",");
        std::fflush(stdout);
    }
    fmt::print("]");
}

} // namespace

int main(int argc, char** argv) {
    const std::string examples = argc > 1 ? argv[1] : "examples";
    try {
        fmt::print("{{\n");
        measure_precision(examples);
        measure_master(examples);
        measure_chains();
        fmt::print("\n}}\n");
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_glue: {}\n", error.what());
        return 70;
    }
    return 0;
}
