#include "tools/host/call_times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::host {

void CallTimes::add(Operation operation, double seconds) {
    History& history = histories_[static_cast<std::size_t>(operation)];
    history.seconds[history.count++ % history.seconds.size()] = seconds;
}

double CallTimes::limit(Operation operation) const {
    if (rule_.fixed > 0)
        return rule_.fixed;
    const History& history = of(operation);
    if (history.count < rule_.needed)
        return rule_.first;
    std::array<double, 100> sorted = history.seconds;
    const std::size_t count = std::min(history.count, sorted.size());
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(count));
    return std::max(rule_.factor * *middle, rule_.least);
}

std::string CallTimes::describe_limit(Operation operation) const {
    const double seconds = limit(operation);
    const History& history = of(operation);
    if (rule_.fixed > 0)
        return fmt::format("{:.3g} s (fixed)", seconds);
    if (history.count < rule_.needed)
        return fmt::format("{:.3g} s (the limit of the first {} calls)", seconds, rule_.needed);
    return fmt::format("{:.3g} s ({:.3g} times the median of the last {} calls, at least {:.3g} s)", seconds,
                       rule_.factor, std::min(history.count, history.seconds.size()), rule_.least);
}

bool Patience::ends(double seconds_more) const {
    return used + seconds_more > std::min(times_.limit(operation_), at_most_);
}

std::string Patience::describe_limit() const {
    return at_most_ < times_.limit(operation_) ? fmt::format("{:.3g} s", at_most_)
                                               : times_.describe_limit(operation_);
}

} // namespace tenon::host
