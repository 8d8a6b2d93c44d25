#pragma once
// How long calls have taken, and how long the next one may take.

#include "tools/host/operation.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace tenon::host {

/// When a call is given up.
struct DeadlineRule {
    double fixed = 0; ///< seconds for every call; 0: automatic, by the next four
    double factor = 20,
           least =
               1; ///< seconds: factor times the median of the last calls of that operation, at least so much
    std::size_t needed = 10; ///< so many calls must have been measured;
    double first = 60;       ///< until then, seconds
};

/// Times of the last hundred calls of each operation.
class CallTimes {
  public:
    explicit CallTimes(const DeadlineRule& rule) : rule_(rule) {}
    void add(Operation operation, double seconds);
    /// Seconds. Costs a look at a hundred numbers: asked only when a call has taken remarkably long.
    double limit(Operation operation) const;
    /// "1 s (fixed)", "2.4 s (20 times the median of the last 100 calls)".
    std::string describe_limit(Operation operation) const;

  private:
    struct History {
        std::array<double, 100> seconds;
        std::size_t count = 0; ///< of all calls ever
    };
    const History& of(Operation operation) const { return histories_[static_cast<std::size_t>(operation)]; }

    DeadlineRule rule_;
    std::vector<History> histories_{operation_count};
};

/// What a call has used of its time. Only the slave's time counts, not that of callbacks in the master.
class Patience {
  public:
    Patience(const CallTimes& times, Operation operation, double at_most)
        : times_(times), operation_(operation), at_most_(at_most) {}
    bool ends(double seconds_more) const;
    std::string describe_limit() const;

    double used = 0; ///< seconds

  private:
    const CallTimes& times_;
    Operation operation_;
    double at_most_;
};

} // namespace tenon::host
