#include "tools/run/pace.hpp"

#include <algorithm>
#include <ctime>
#include <thread>

namespace tenon::run {
namespace {

/// An interruption is noticed at least so often, s.
constexpr double longest_nap = 0.05;

} // namespace

Pace::Pace(double factor, double time)
    : factor_(factor), start_(time), processor_begun_(processor_seconds()) {}

void Pace::wait(double time, const std::function<bool()>& stops) {
    const double due = (time - start_) / factor_;
    double rest = due - seconds();
    if (rest < 0) {
        ++overruns_;
        worst_ = std::max(worst_, -rest);
        return;
    }
    for (; rest > 0; rest = due - seconds()) {
        std::this_thread::sleep_for(std::chrono::duration<double>(std::min(rest, longest_nap)));
        if (rest > longest_nap && stops())
            return;
    }
}

PaceReport Pace::report() const {
    PaceReport report;
    report.factor = factor_;
    report.worst_lateness = worst_;
    report.overruns = overruns_;
    report.processor = (processor_seconds() - processor_begun_) / seconds();
    return report;
}

double Pace::processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

} // namespace tenon::run
