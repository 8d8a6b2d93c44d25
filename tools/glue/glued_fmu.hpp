#pragma once
// An FMU with ports in the run of a glued system: steps it along the wrenches on its ports, and says how the ports move and how compliant they are.
//
//     a = a0 + H W,   H = J M^-1 J^T
//
// over the coordinates of all its ports: a the accelerations (aux.a_0, aux.al_0), W the wrenches, H the compliance.

#include "tools/glue/efforts.hpp"
#include "tools/glue/port.hpp"
#include "tools/glue/wrench.hpp"
#include "tools/master/ensemble.hpp"

#include <array>
#include <limits>
#include <vector>

namespace tenon::glue {

/// Where the compliance of an FMU comes from.
enum class ComplianceSource {
    none,        ///< nowhere: accelerations or their derivatives are missing
    derivatives, ///< directional derivatives of the accelerations by the efforts
    member,      ///< aux.Minv of its only port
    feedthrough  ///< accelerations after efforts have been set, which have feedthrough to them
};

class GluedFmu {
  public:
    /// `ports`: all of one FMU, in the order in which joints name them.
    GluedFmu(master::Ensemble& ensemble, std::vector<Port> ports);
    GluedFmu(const GluedFmu&) = delete;
    GluedFmu& operator=(const GluedFmu&) = delete;
    /// What its slave must be made with.
    void complete(fmi::InstanceOptions& options);

    const std::vector<Port>& ports() const { return ports_; }
    std::size_t number() const { return participant_.number; }
    master::Participant& participant() const { return participant_; }
    const Efforts& efforts() const { return efforts_; }
    ComplianceSource source() const { return source_; }
    /// It does not do what its description says: its accelerations do not follow the efforts.
    void distrust() { source_ = ComplianceSource::none; }
    /// By the compliance that was measured last no force moves its ports: their motion is prescribed inside.
    bool is_rigid() const { return compliance.cwiseAbs().maxCoeff() == 0; }

    /// Its outputs energy.total and energy.work, where it has them and the works of its ports; as of the last read_motion().
    bool has_energy() const { return energy_at_[0] != nowhere; }
    double energy() const { return motion_.values[energy_at_[0]]; }
    double work() const { return motion_.values[energy_at_[1]]; }
    /// NaN where it does not tell.
    double kinetic_energy() const {
        return kinetic_at_ != nowhere ? motion_.values[kinetic_at_]
                                      : std::numeric_limits<double>::quiet_NaN();
    }

    /// The motion of a port at the start and at the end of the step, and its wrench over it.
    struct PortState {
        PortMotion begin, end;
        Vec6 acceleration = Vec6::Zero();     ///< at the start, as far as it is known
        Vec6 acceleration_end = Vec6::Zero(); ///< at the end, where it has been read
        WrenchCurve wrench;
        Mat3 middle_axes = Mat3::Identity(), end_axes = Mat3::Identity(); ///< see fix_axes()
        double work = 0, work_before = 0; ///< aux.work at the end and at the start
    };
    std::vector<PortState> states;
    Matrix compliance;     ///< at the start of the step
    Matrix compliance_end; ///< near its end
    Vector wrenches;       ///< room for those on all ports at one moment

    /// Ports that take wrenches in their own axes (frames of Modelica) turn them with the poses that PortState has now, until the
    /// next call: trials of one step must not differ by more than their wrenches.
    void fix_axes(double h);

    /// One step along the wrenches of `states`, with the signals that are in Signals::inputs; motions to PortState::end, connected
    /// outputs to Signals::next. Returns master::Flags.
    unsigned step(double t, double h);
    /// The same from the state that the ensemble has saved, for trying out: signals are not received.
    unsigned try_step(double t, double h);

    /// Those below leave a Failure in the participant and return false where the FMU fails.
    bool read_motion();
    /// PortState::acceleration with the efforts that are set.
    bool read_accelerations();
    bool read_free_accelerations(); ///< with no efforts at all
    bool send_end_efforts();        ///< those at the end of the step, as constants
    bool hold_efforts(double t);    ///< PortState::wrench at its beginning, as constants
    bool read_end_accelerations();  ///< PortState::acceleration_end, with the efforts at the end of the step
    bool measure_compliance(Matrix& compliance);

  private:
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    void place_efforts(const ValueSet& efforts);
    void find_energy();
    bool send_signals(double h);
    unsigned advance(double t, double h);
    void place_wrenches(double t, double h);
    WrenchCurve delivered(std::size_t port) const;
    bool read_compliance(Matrix& compliance);
    bool lost(std::size_t port, double value);
    bool by_derivatives(Matrix& compliance);
    bool by_feedthrough(Matrix& compliance);

    master::Ensemble& ensemble_;
    master::Participant& participant_;
    std::vector<Port> ports_;
    Efforts efforts_;
    bool has_accelerations_ = false;
    ComplianceSource source_ = ComplianceSource::none;
    ValueSet motion_, acceleration_, inverse_mass_;
    std::vector<std::vector<std::size_t>> motion_at_, acceleration_at_, effort_at_; ///< for each port
    std::vector<std::size_t> work_at_, inverse_mass_at_;
    std::array<std::size_t, 2> energy_at_ = {nowhere, nowhere};
    std::size_t kinetic_at_ = nowhere;
    std::vector<double> seed_, sensitivity_, motion_values_;
};

} // namespace tenon::glue
