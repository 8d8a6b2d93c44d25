#include "tools/verbs/schedule.hpp"

#include "tools/verbs/exit_code.hpp"

#include <cmath>
#include <fmt/format.h>

namespace tenon::verbs {

Schedule::Schedule(double start, double step, double stop, Last last)
    : start_(start), step_(step), stop_(stop), steps_(0) {
    constexpr double most = 1e15; // i h is exact to a step well beyond that, and nobody waits for it
    if (stop < start)
        throw Failure(
            ExitCode::usage,
            fmt::format("the stop time is before the start (stop = {}, start = {}); choose a later --stop",
                        stop, start));
    const double ratio = (stop - start) / step;
    if (!(ratio < most))
        throw Failure(ExitCode::usage,
                      fmt::format("too many steps (stop / step = {:.3g}, limit {:.0e}); choose a larger step",
                                  ratio, most));
    steps_ = static_cast<long>(last == Last::shorter ? std::ceil(ratio - 1e-6) : std::floor(ratio + 1e-6));
    if (steps_ == 0 && stop > start)
        steps_ = 1;
}

std::string Schedule::remark() const {
    if (!(step_ > stop_ - start_) || stop_ == start_)
        return {};
    return fmt::format("the step ({} s) is longer than the run ({} s), which is made in one step", step_,
                       stop_ - start_);
}

} // namespace tenon::verbs
