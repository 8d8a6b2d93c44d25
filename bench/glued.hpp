#pragma once
// Machines cut into FMUs, glued again and run, for benchmarks.

#include "core/math/error.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/glue/cut.hpp"
#include "tools/glue/glue.hpp"
#include "tools/master/master.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

namespace tenon::bench {

using namespace master;
using namespace system;

constexpr double points_apart = 0.02, inner_step = 2.5e-3;

inline double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Of a clock on the wall, as the times in FMUs are. The median of many short pieces does not mind that others use the machine, too.
class OwnTime {
  public:
    explicit OwnTime(const Master& master) : master_(master) {}
    void begin() {
        in_fmus_ = seconds_in_fmus(master_);
        begin_ = Clock::now();
    }
    void end(long steps) {
        const double all = std::chrono::duration<double>(Clock::now() - begin_).count();
        const double inside = seconds_in_fmus(master_) - in_fmus_;
        all_.push_back(1e6 * all / static_cast<double>(steps));
        own_.push_back(1e6 * (all - inside) / static_cast<double>(steps));
    }
    /// Microseconds a macro step: in all, and of the master alone.
    double all() const { return median(all_); }
    double own() const { return median(own_); }

  private:
    using Clock = std::chrono::steady_clock;
    static double median(std::vector<double> values) {
        std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
        return values[values.size() / 2];
    }
    static double seconds_in_fmus(const Master& master) {
        double sum = 0;
        for (const FmuReport& fmu : master.report().fmus)
            sum += fmu.seconds;
        return sum;
    }

    const Master& master_;
    double in_fmus_ = 0;
    Clock::time_point begin_;
    std::vector<double> all_, own_;
};

/// Positions of all bodies every `points_apart` seconds.
using Track = std::vector<std::vector<Vec3>>;

struct Timed {
    Track track;
    double seconds = 0; ///< processor time of stepping
    MasterReport report;
};

/// Infinite where one of them ends before the other.
inline double largest_distance(const Track& a, const Track& b) {
    double largest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        for (std::size_t k = 0; k < a[i].size(); ++k)
            largest = std::max(largest, (a[i][k] - b[i][k]).norm());
    return a.size() == b.size() ? largest : INFINITY;
}

inline Timed in_one_piece(Model model, double step, double stop) {
    model.solver.integrator = "munthe-kaas";
    model.solver.step = step;
    Simulation simulation(model);
    std::vector<double> values(simulation.columns().size());
    std::vector<std::size_t> places;
    for (const Body& body : model.bodies)
        for (std::size_t i = 0; i < values.size(); ++i)
            if (simulation.columns()[i].name == body.name + ".r_0[1]")
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
inline std::vector<std::size_t> columns_of(const Model& model, const Master& master) {
    std::vector<std::size_t> places;
    for (const Body& body : model.bodies)
        for (std::size_t i = 0; i < master.columns().size(); ++i)
            if (master.columns()[i].name.ends_with("." + body.name + ".r_0[1]"))
                places.push_back(i);
    return places;
}

/// Up to where it failed, if it did: springs too stiff for their step are a result, too.
inline Timed stepped(const Model& model, System system, double step, double stop) {
    system.master.step = step;
    system.master.stop = stop;
    MasterOptions options = glue::with_joints();
    options.record = [](const std::string& name) { return name.find(".r_0[") != name.npos; };
    Master master(check_system(std::move(system)), options);
    const std::vector<std::size_t> places = columns_of(model, master);
    std::vector<double> values(master.columns().size());
    Timed run;
    master.initialize();
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
            break;
        }
        run.seconds += cpu_seconds() - begin;
    }
    run.report = master.report();
    return run;
}

/// A machine, its parts as FMUs in a folder, and the system that glues them.
class Glued {
  public:
    Glued(Model whole, const std::vector<std::string>& cuts) : whole_(std::move(whole)) {
        glue::CutMachine machine = glue::cut(whole_, cuts);
        for (Model& part : machine.parts) {
            part.solver.integrator = "munthe-kaas";
            part.solver.step = inner_step;
            write_archive(folder_.path() / (part.name + ".fmu"), fmu_content(part, "", fmi::Version::fmi2));
        }
        system_ = glue::glued_system(machine, whole_.name, ".fmu");
        for (SystemFmu& fmu : system_.fmus)
            fmu.file = folder_.path() / fmu.file;
    }

    const Model& whole() const { return whole_; }
    std::size_t parts() const { return system_.fmus.size(); }
    System by(const std::string& method) const {
        System system = system_;
        system.master.method = method;
        return system;
    }
    /// A spring and a damper in the place of each joint.
    System with_springs(double stiffness, double damping) const {
        System system = by("compliant");
        for (GlueJoint& joint : system.joints) {
            joint.numbers["stiffness"] = {stiffness};
            joint.numbers["damping"] = {damping};
        }
        return system;
    }

  private:
    Model whole_;
    TemporaryFolder folder_;
    System system_;
};

} // namespace tenon::bench
