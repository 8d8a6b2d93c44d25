#pragma once
// Drives a scheme from one communication point to the next: makes smaller steps where one fails or is not accurate enough,
// stops at events, and ends the run in order where nothing helps.

#include "core/math/bytes.hpp"
#include "tools/master/events.hpp"
#include "tools/master/rewind.hpp"
#include "tools/master/schemes/error_control.hpp"

#include <limits>
#include <optional>
#include <string>

namespace tenon::master {

class Driver {
  public:
    Driver(Ensemble& ensemble, Scheme& scheme, Events& events);

    double time() const { return time_; }
    /// The run begins at `time`; `ended` where an FMU wants no more already.
    void start(double time, bool ended) {
        time_ = time;
        ended_ = ended;
    }
    /// As Master::step.
    bool advance_to(double end);
    /// The states saved for the way back have been used for something else.
    void cut() { rewind_.cut(); }

    void write(ByteWriter& bytes) const;
    void read(ByteReader& bytes);

  private:
    static constexpr int most_halvings = 10;
    static constexpr int good_steps_before_growth = 5;
    static constexpr int most_stalls = 100; ///< steps in a row that bring the time no further
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    Scheme& stepper() { return errors_ ? static_cast<Scheme&>(*errors_) : scheme_; }
    bool is_dropped(double end);
    void remark_arithmetic();
    double next_target(double end) const;
    void make_step(double target, double end);
    void arrive(double time, double end);
    void keep_scheme();
    void handle_events(double end, double came_from);
    void grow(double h, double error);
    void stop_early(const Outcome& outcome, double target, double end);
    bool has_event_at_start(double h) const;
    void handle_at_start(double end, double h);
    void catch_up(double target);
    void shrink(double h, double error);
    void recover(const Failure& failure, double h);
    std::size_t slowest() const;
    [[noreturn]] void give_up(const Failure& failure, const std::string& why = {}) const;
    std::string retries() const;

    Ensemble& ensemble_;
    Scheme& scheme_;
    Events& events_;
    std::optional<ErrorControl> errors_;
    Rewind rewind_;
    ByteWriter kept_; ///< the scheme before the step under way, where events are possible
    double time_ = 0;
    double step_ = unlimited;    ///< the largest step to be tried
    double barrier_ = unlimited; ///< a time that the next step must not pass: somebody stopped there
    int halvings_ = 0, good_steps_ = 0, stalls_ = 0;
    double first_retry_ = 0, last_retry_ = 0; ///< steps tried again at the current time; 0: none
    bool ended_ = false, has_dropped_ = false;
};

} // namespace tenon::master
