#pragma once
// Events of FMI 3.0: who has one, when the next is due, and the iteration that handles it. FMUs without event mode see
// its effects as new inputs of their next step.

#include "tools/master/recorder.hpp"

#include <span>
#include <vector>

namespace tenon::master {

class Events {
  public:
    Events(Ensemble& ensemble, Recorder& recorder);

    /// Whether any participant has an event mode.
    bool are_possible() const { return possible_; }
    /// The next time that a participant has announced; Participant::never without one.
    double next() const;

    /// After the initialisation: all participants with event mode are in it. They leave it for step mode. Returns false
    /// where one wants the simulation to end.
    bool settle(double time);

    /// Handles what is due at `time`: events that a step has ended with, announced ones, and new values of discrete inputs.
    /// `step` is the size of steps, for round-off. Adds a row before, and one behind where the step goes on (`inside`).
    /// `handled` becomes true where there was anything. Returns as settle().
    bool handle(double time, double step, bool inside, bool& handled);
    /// The same for one participant alone, in the middle of a step that the others have finished: nobody else notices.
    bool handle_alone(Participant& participant, double time);

    std::vector<Master::EventRow>& rows() { return rows_; }
    /// Who has taken part in what the last handle() did.
    std::span<const std::size_t> participants() const { return participants_; }

  private:
    void find_due(double time, double step);
    bool has_new_discrete_input(const Participant& participant, double time);
    void iterate(double time);
    bool update(Participant& participant, double time);
    bool propagate(double time);
    void add_row(double time);
    void enter_event_mode(Participant& participant, double time);
    void enter_step_mode(double time);
    void require(bool success, const Participant& participant, double time) const;

    Ensemble& ensemble_;
    Recorder& recorder_;
    bool possible_ = false, terminate_ = false;
    std::vector<std::size_t> able_; ///< participants with event mode
    std::vector<char> due_;         ///< for each of them
    std::vector<std::size_t> participants_;
    std::vector<double> fresh_; ///< inputs as they will be
    std::vector<Master::EventRow> rows_;
};

} // namespace tenon::master
