#pragma once
// Glue: the scheme of systems with joints between FMUs. All FMUs step at the same time, with the others' outputs at the step's start
// as in jacobi; those with joints step again, from the same start, until the joints are closed at the end of the step.

#include "tools/glue/assembly.hpp"
#include "tools/glue/group.hpp"
#include "tools/glue/ledger.hpp"
#include "tools/glue/methods/method_choice.hpp"
#include "tools/glue/signal_error.hpp"
#include "tools/glue/step_doubling.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tenon::glue {

/// The options of a master that can run systems with joints, too.
master::MasterOptions with_joints(master::MasterOptions options = {});

class Glue final : public master::Scheme {
  public:
    /// Throws InputError for ports that cannot be glued.
    explicit Glue(master::Ensemble& ensemble);

    void complete(fmi::InstanceOptions& options, master::Participant& participant) override;
    /// Where worlds are to be put so that parts that start a little apart meet. Throws InputError(malformed) with the gap.
    std::vector<master::Placement> assembly(double t) override;
    /// Joints from where the ports are. Throws InputError(malformed) where they do not meet, or no method will do.
    void start(double t) override;
    master::Outcome advance(double t, double h) override;
    void accept(double t, double h) override;
    void after_events(double t, std::span<const std::size_t> participants) override;
    bool forget() override;
    void write(ByteWriter& bytes) const override;
    void read(ByteReader& bytes) override;

    bool estimates_error() const override { return ensemble_.system.system.master.adaptive; }
    double better_step(double h, double error) const override;
    double least_step() const override;
    std::vector<master::Column> columns() const override;
    void values(std::span<double> values) const override;
    void report(master::MasterReport& report) const override;

  private:
    void keep_least_step(double& error);
    struct JointState {
        double gap = 0, largest_gap = 0, rate_gap = 0; ///< at the end of the last step, and over the run
        double coordinate = 0, rate = 0, distance = 0, speed = 0;
        double driver_work = 0, throughput = 0;
    };
    struct EnergyState {
        bool known = false;
        double start = 0, now = 0, largest_error = 0;
        double kinetic = 0, exchanged = 0, work = 0; ///< the largest so far; all that came and went; the last
    };

    master::Outcome make_step(double t, double h);
    master::Failure take_sample(double t, double h);
    master::Failure make_halves(double t, double h, const std::function<bool()>& ready,
                                const std::function<void()>& look);
    bool prepare(double t, master::Failure& failure);
    unsigned step(const std::vector<std::size_t>& members, double t, double h);
    void read_motions(double t);
    std::vector<char> free_ones(const std::vector<char>& movable, double t);
    std::string moves_text(const AssemblyResult& result) const;
    void build();
    void build(std::size_t number, const PortMotion& a, const PortMotion& b);
    GluedJoint::End end_of(const system::Side& side) const;
    std::array<GluedJoint::End, 2> ends_of(std::size_t number) const;
    bool has_own_work(const GluedJoint::End& end) const;
    bool is_flange(const system::GlueJoint& joint) const;
    void make_groups();
    void make_group(const std::vector<std::size_t>& joints, const std::vector<GluedFmu*>& fmus);
    void check_compliance(double t);
    void check_settings(const Choice& choice, const std::vector<std::size_t>& numbers,
                        const std::vector<GluedFmu*>& fmus) const;
    void check_gap(const GluedJoint& joint) const;
    void choose_sides();
    void restart(Group& group, double t) const;
    void enter_work(double t, double h);
    void observe(GluedJoint& joint, double h);
    void observe_energy();
    void judge_energy(double error) const;
    void require(bool success, const GluedFmu& fmu, double t) const;
    master::Outcome failed(const master::Failure& failure) const;

    master::Ensemble& ensemble_;
    GlueSettings settings_;
    std::vector<std::unique_ptr<GluedFmu>> fmus_;
    std::vector<GluedFmu*> fmu_of_; ///< by participant; null for those without joints
    std::vector<std::unique_ptr<GluedJoint>> joints_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::vector<std::vector<std::size_t>> members_; ///< of each group: participants
    std::vector<std::size_t> again_;                ///< participants that step again
    std::vector<char> open_;                        ///< groups that are not done
    Ledger ledger_;
    StepDoubling doubling_;
    SignalError signal_error_;
    std::vector<JointState> states_;
    EnergyState energy_;
    double time_ = 0;        ///< of the last accepted step's end
    bool was_early_ = false; ///< an FMU stopped on its way and may have gone on alone
    bool has_said_least_ = false;
};

} // namespace tenon::glue
