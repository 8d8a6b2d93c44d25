#pragma once
// Times that are the same but for round-off.

#include <cmath>
#include <limits>

namespace tenon::master {

/// Is `a` before `b` by more than round-off? FMUs are told t and h apart and add them themselves; what they answer differs
/// in the last digits. `h` is the step in question.
inline bool is_before(double a, double b, double h) {
    constexpr double part_of_step = 1e-9, digits = 8 * std::numeric_limits<double>::epsilon();
    return b - a > part_of_step * h + digits * std::abs(a); // b may be never: infinite
}

} // namespace tenon::master
