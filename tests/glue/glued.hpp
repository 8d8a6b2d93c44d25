#pragma once
// A machine as one model and as glued FMUs: both run, and compared at the macro points over all bodies.

#include "tests/glue/machines.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/glue/cut.hpp"
#include "tools/glue/glue.hpp"
#include "tools/master/master.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tenon::tests {

struct Pose {
    Vec3 r;
    Mat3 R;
};
/// Poses of all bodies, in the order of the machine, at t = 0, H, 2 H, ...
using Motion = std::vector<std::vector<Pose>>;

/// The whole machine by munthe-kaas with this step.
Motion whole_motion(const Model& model, double step, double every, double stop);

/// Largest distance in metres or angle in radians between two motions; infinity where one of them is shorter.
double largest_difference(const Motion& a, const Motion& b);
/// Largest gap of the machine's cut joints along a motion, from the poses alone: metres between the points of both bodies, and
/// radians between the axes of revolute joints.
double largest_gap(const Machine& machine, const Motion& motion);
/// Every nth pose of a motion.
Motion thinned(const Motion& motion, std::size_t nth);

/// How the parts are stepped inside.
struct Inside {
    std::string integrator = "munthe-kaas";
    double step = 2.5e-3;
    std::map<std::string, OptionValue> options = {};
    std::string coordinates = {};
    double tolerance = 1e-10;
    bool hides_accelerations = false; ///< the FMUs have no terminals aux
};

/// How the master goes.
struct Outside {
    std::string method = "newton";
    double step = 0.01;
    double stop = 1;
    double tolerance = 1e-8;
    std::string corrections = "auto";
    int threads = 1;
    bool isolate = false;
};

struct GluedRun {
    Motion motion;
    master::MasterReport report;
    std::string failure;        ///< what was thrown; the motion ends there
    std::vector<double> energy; ///< of all parts together at the macro points
    double largest_force = 0;   ///< on any side of any joint at the macro points, N or N.m
    /// doSteps of the first FMU over macro steps.
    double steps_a_step() const;
    bool remarks(const std::string& part) const;
};

class GluedMachine {
  public:
    /// Cuts and exports. `by_part` may choose another integrator for each part.
    explicit GluedMachine(const Machine& machine, const Inside& inside = {},
                          fmi::Version version = fmi::Version::fmi3,
                          const std::function<Inside(std::size_t)>& by_part = {});

    const Machine& machine() const { return machine_; }
    const glue::CutMachine& parts() const { return cut_; }
    /// The system, to change before it is run.
    system::System system(const Outside& outside) const;
    GluedRun run(const Outside& outside) const { return run(system(outside), outside); }
    GluedRun run(const system::System& system, const Outside& outside) const;

  private:
    Machine machine_;
    glue::CutMachine cut_;
    TemporaryFolder folder_;
};

/// Errors of a method at several macro steps against the whole machine.
struct Sweep {
    std::vector<double> steps, error, gap;
    std::vector<GluedRun> runs;
    /// "H 0.02: error 8.4e-06, gap 2e-06, 3 steps; ...", for messages.
    std::string text() const;
    /// Mean order between the largest and the smallest step.
    double order() const;
};
Sweep sweep(const GluedMachine& glued, const Outside& outside, const std::vector<double>& steps,
            double reference_step = 2.5e-4);

/// Each error at most `factor` times that of the table.
void check_errors(const Sweep& sweep, const std::vector<double>& table, double factor);

} // namespace tenon::tests
