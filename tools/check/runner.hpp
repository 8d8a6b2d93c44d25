#pragma once
// Runs the dynamic checks, each in a child process of its own, and makes findings of how the children end.

#include "tools/check/findings.hpp"
#include "tools/check/probe.hpp"

#include <chrono>
#include <limits>

namespace tenon::check {

/// Thrown where the user no longer wants an answer.
class Cancelled : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// Thrown where the time of the whole check is used up.
class OutOfTime : public std::runtime_error {
  public:
    OutOfTime() : std::runtime_error("the time of the whole check is used up") {}
};

struct RunnerOptions {
    host::ChildLimits limits;
    std::chrono::steady_clock::time_point end =
        std::chrono::steady_clock::time_point::max(); ///< of the whole check
    std::function<bool()> cancelled;
};

class Runner {
  public:
    Runner(Target target, RunnerOptions options, Findings& findings);

    Target& target() { return target_; }
    const fmi::Description& description() const { return target_.description(); }
    Findings& findings() { return findings_; }
    /// Seconds left of the whole check.
    double seconds_left() const;
    /// The check that the following children belong to. Where it takes what no master does, `patience` may be less than the
    /// limit of the others: seconds without an answer that are many times those of an ordinary run.
    void begin(std::string_view check, double patience = unlimited) {
        check_ = check;
        patience_ = patience;
    }

    struct Answer {
        bool finished = false; ///< the function returned; otherwise there is a finding that says why not
        std::vector<std::string> data; ///< what Probe::answer() sent
    };
    /// Throws OutOfTime, also where the time ends while the child is at work.
    Answer in_child(const std::function<void(Probe&)>& work);

    /// The same for a list, with the answers of all. `work` returns false where the process is no longer good for another
    /// item; then, and after a crash, the rest goes on in a new child. `name` says which item it was.
    std::vector<std::string> each(std::size_t items, const std::function<bool(Probe&, std::size_t)>& work,
                                  const std::function<std::string(std::size_t)>& name);

  private:
    struct Outcome;
    Outcome run(const std::function<void(Probe&)>& work);
    void judge_end(const Outcome& outcome, const std::string& item);
    void judge_traces(const host::ChildReport& report, const std::filesystem::path& folder);

    Target target_;
    RunnerOptions options_;
    Findings& findings_;
    CallTrace trace_;
    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    std::string check_;
    double patience_ = unlimited;
    int children_ = 0;
    bool prints_ = false;
};

} // namespace tenon::check
