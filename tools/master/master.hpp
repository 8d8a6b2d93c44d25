#pragma once
// The master: a checked system of FMUs in motion. Makes the slaves, initialises them in the order of their dependencies,
// steps them by the scheme that the system chooses, rolls back and halves the step where one of them fails, and says what
// each has cost. Knows nothing of files, terminals or progress bars.

#include "tools/import/slave.hpp"
#include "tools/system/system.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon::master {

/// A recorded variable: `<fmu>.<name>`, arrays element by element. Values are kept as doubles; integers, booleans and
/// enumerations are exact in them up to 2^53, strings are not recorded.
struct Column {
    std::string name, unit, description;
    fmi::Type type = fmi::Type::float64;
};

class Ensemble;
class Scheme;

struct MasterOptions {
    int threads = 1;
    /// Makes the scheme of a system with joints, which this library has none of (glue::with_joints). Empty: such systems are refused.
    std::function<std::unique_ptr<Scheme>(Ensemble&)> joint_scheme;
    /// Makes the slave of FMU number i; empty: Fmu::instantiate in this process. The isolating host puts itself here.
    std::function<std::unique_ptr<fmi::Slave>(const system::CheckedSystem&, std::size_t,
                                              const fmi::InstanceOptions&)>
        make_slave;
    /// What the FMUs log, and the master's own remarks (fmu empty).
    std::function<void(const std::string& fmu, fmi::Status, const std::string& text)> log;
    /// Which variables to record, by column name; empty: all outputs (and locals with `locals`).
    std::function<bool(const std::string&)> record;
    bool locals = false;
    bool verbose = false; ///< FMUs log all that they can, not only what goes wrong
};

struct FmuReport {
    std::string name;
    double seconds = 0; ///< inside its library
    long dosteps = 0;
    bool rollback = false;
};

/// A joint between FMUs: how it was glued and what came of it.
struct JointReport {
    std::string name, method;
    double gap = 0;                ///< largest at any communication point, m or rad
    double work_a = 0, work_b = 0; ///< J, done on each side through the joint
    double driver_work = 0;        ///< of a prescribed motion
    double residual = 0;           ///< work_a + work_b - driver_work: zero, were the joint perfect
    double largest_residual = 0;   ///< of one step
    bool measured_a = false, measured_b = false; ///< works are the FMU's own, otherwise by quadrature
    int rows = 0, redundant = 0;                 ///< redundant: in the last step
    bool creates_energy = false,
         loses_energy = false; ///< more than rounding and the step would explain
};

struct MasterReport {
    std::string method; ///< that was chosen; never "auto"
    long steps = 0;     ///< macro steps
    long dosteps = 0, rollbacks = 0, iterations = 0;
    int halvings = 0;
    double smallest_step = 0;
    std::vector<FmuReport> fmus;
    std::vector<std::string> remarks; ///< said before the run: scheme, FMUs without rollback, initial loops
    std::vector<JointReport> joints;
    int rank_deficiency = 0;
    double max_gap = 0, max_gap_rate = 0;
    /// Of all FMUs together, where all of them report it; NaN otherwise. The error is |E - E0 - work| with the work of drivers, inputs
    /// and dissipation, not that of the joints.
    double energy_start = NAN, energy_end = NAN, max_energy_error = NAN;
    double energy_scale = NAN; ///< what energy errors are compared with: kinetic energy and work
    /// Of systems with joints, estimated from steps made in halves as well; m. `position_error_at`: "<fmu>.<body>".
    double position_error = NAN, motion = NAN;
    std::string position_error_at;
};

class Master {
  public:
    /// Loads the libraries and makes the instances. Throws fmi::LoadError or Error.
    Master(system::CheckedSystem system, const MasterOptions& options);
    ~Master();
    Master(Master&&) noexcept;
    Master& operator=(Master&&) noexcept;

    const system::CheckedSystem& system() const;
    const std::vector<Column>& columns() const;

    /// Start values and parameters, propagation in the order of dependencies, algebraic loops by Newton, all FMUs to step
    /// mode. Throws Error(computation) that names FMU, variable and value.
    void initialize();
    double time() const;
    /// One macro step from time() to `end` (start + i * step): may be made of several where it had to be halved or the error
    /// control wants it. On failure throws Error(computation), one line with time, FMU and call; the FMUs that can are
    /// back at the last good time. Returns false where an FMU wants the simulation to end (time() is then where).
    bool step(double end);
    /// Recorded variables at time(), in the order of columns().
    void read(std::span<double> values);
    /// Rows that lie before the row of time(): values before and after an event, at equal times, in order; each has
    /// columns().size() values. Empty in most steps.
    struct EventRow {
        double time;
        std::vector<double> values;
    };
    std::span<const EventRow> event_rows() const;
    /// Ends all FMUs in the regular way where that is still allowed.
    void terminate();

    const MasterReport& report() const;

    /// Whether all FMUs can write their state; the name of the first that cannot, otherwise empty.
    std::string cannot_checkpoint() const;
    /// Everything a continuation needs, bound to the system's content. restore() is called instead of initialize().
    std::vector<unsigned char> to_bytes();
    void restore(std::span<const unsigned char> bytes);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace tenon::master
