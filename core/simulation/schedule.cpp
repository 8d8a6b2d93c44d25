#include "core/simulation/schedule.hpp"

#include "core/math/error.hpp"

#include <cmath>
#include <cstdio>

namespace tenon {
namespace {

std::string formatted(const char* format, double value) {
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string number_text(double value) { return formatted("%.15g", value); }

} // namespace

Schedule::Schedule(double start, double step, double stop, Last last)
    : start_(start), step_(step), stop_(stop), steps_(0) {
    constexpr double most = 1e15; // i h is exact to a step well beyond that, and nobody waits for it
    if (stop < start)
        throw Error(ErrorKind::usage, "the stop time is before the start (stop = " + number_text(stop) +
                                          ", start = " + number_text(start) + "); choose a later --stop");
    const double ratio = (stop - start) / step;
    if (!(ratio < most))
        throw Error(ErrorKind::usage, "too many steps (stop / step = " + formatted("%.3g", ratio) +
                                          ", limit " + formatted("%.0e", most) + "); choose a larger step");
    steps_ = static_cast<long>(last == Last::shorter ? std::ceil(ratio - 1e-6) : std::floor(ratio + 1e-6));
    if (steps_ == 0 && stop > start)
        steps_ = 1;
}

std::string Schedule::remark() const {
    if (!(step_ > stop_ - start_) || stop_ == start_)
        return {};
    return "the step (" + number_text(step_) + " s) is longer than the run (" + number_text(stop_ - start_) +
           " s), which is made in one step";
}

} // namespace tenon
