#pragma once
// All that moves in a run: the participants, the values between them, and what happens to all of them at once.

#include "tools/master/arithmetic.hpp"
#include "tools/master/master.hpp"
#include "tools/master/scheme.hpp"
#include "tools/master/schemes/input_curves.hpp"
#include "tools/master/schemes/input_delivery.hpp"
#include "tools/master/thread_team.hpp"
#include "tools/master/wiring.hpp"

#include <mutex>
#include <span>
#include <string>

namespace tenon::master {

class Ensemble {
    // Before the participants: slaves log until they have been freed.
    std::function<void(const std::string&, fmi::Status, const std::string&)> log_;
    mutable std::mutex log_mutex_; ///< slaves log from several threads
    std::vector<std::string> last_words_;

  public:
    /// Participants without slaves. Throws InputError for what cannot be run.
    Ensemble(system::CheckedSystem checked, const MasterOptions& options);
    /// Loads the libraries and makes the slaves, with what the scheme wants. Throws fmi::LoadError or what make_slave throws.
    void make_slaves(const MasterOptions& options, Scheme* scheme);
    ~Ensemble();
    Ensemble(const Ensemble&) = delete;
    Ensemble& operator=(const Ensemble&) = delete;

    const Arithmetic arithmetic; ///< from before there were FMUs
    const system::CheckedSystem system;
    Participants participants;
    Signals signals;
    Wiring wiring;
    InputCurves curves;
    InputDelivery delivery;
    ThreadTeam team;
    MasterReport report;
    bool is_silent = false; ///< what is tried only is not worth a remark

    bool all_roll_back() const { return all_roll_back_; }
    void give_up_rollback(std::size_t participant);
    /// All of them take steps of any size.
    bool all_variable() const { return all_variable_; }

    /// All connected inputs from `outputs`. False: `failure` says what does not fit.
    bool gather(const double* outputs, Failure& failure);
    /// What the flags of the participants' steps mean together; `members` are those that have stepped.
    Outcome outcome(unsigned flags, double t, double h) const { return outcome(flags, t, h, everybody_); }
    Outcome outcome(unsigned flags, double t, double h, std::span<const std::size_t> members) const;
    /// The end of the step is now.
    void commit() { std::swap(signals.now, signals.next); }

    /// States of all participants that can: on the next level, back to the last one saved, and one level down again.
    /// False: `failure` says who could not.
    bool save(Failure& failure);
    bool restore(Failure& failure) { return restore(everybody_, failure); }
    bool restore(std::span<const std::size_t> members, Failure& failure);
    void drop() { --saved_; }
    /// The one that restore() goes back to.
    std::size_t level() const { return saved_ - 1; }
    /// The same for level 0 alone, whatever has been saved since; `t` is the time of those states.
    bool save_base(double t, Failure& failure);
    /// They will not be restored.
    void forget_base();
    bool restore_base(Failure& failure);
    std::span<const std::size_t> everybody() const { return everybody_; }

    /// "fmu 'axle' (axle.fmu)"
    std::string who(std::size_t participant) const;
    /// What the FMU has last logged about a problem: "; it says: ..." or nothing.
    std::string says(std::size_t participant) const;
    void remark(const std::string& text);

  private:
    fmi::InstanceOptions instance_options(Participant& participant, const MasterOptions& options);
    void restrict_logging(Participant& participant) const;

    std::vector<std::size_t> everybody_;
    std::size_t saved_ = 0; ///< levels in use
    bool all_roll_back_ = false, all_variable_ = false;
};

} // namespace tenon::master
