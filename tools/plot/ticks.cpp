#include "tools/plot/ticks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace tenon::plot {
namespace {

/// A step is `mantissa` times ten to the `exponent`.
struct Step {
    int mantissa = 1;
    int exponent = 0;

    double value() const { return mantissa * std::pow(10.0, exponent); }
};

Step step_not_below(double least) {
    const int exponent = static_cast<int>(std::floor(std::log10(least)));
    // The quotient 5.0000000001 of a least step of 0.05 is meant to be 5.
    const double mantissa = least / std::pow(10.0, exponent) * (1 - 1e-9);
    for (const int nice : {1, 2, 5})
        if (mantissa <= nice)
            return {nice, exponent};
    return {1, exponent + 1};
}

/// The sign in front of a number is a minus and not a hyphen.
std::string with_minus(std::string text) {
    if (text.starts_with('-'))
        text.replace(0, 1, "\u2212");
    return text;
}

/// Labels of more digits than these are not read by anybody.
constexpr double most_label_steps = 1e4;
/// Labels from 0.01 to 99999 are written out, others get a power of ten.
constexpr double least_plain = 1e-2, most_plain = 1e5;

/// What all labels share: a constant, a multiple of a hundred units of the last digit, and a power of ten.
struct Shared {
    double constant = 0;
    int exponent = 0;
};

Shared shared_part(double low, double high, const Step& step) {
    Shared shared;
    const double unit = 100 * std::pow(10.0, step.exponent);
    if (std::max(std::abs(low), std::abs(high)) > most_label_steps * step.value())
        shared.constant = std::round((low + high) / 2 / unit) * unit;
    const double largest = std::max(std::abs(low - shared.constant), std::abs(high - shared.constant));
    if (largest < least_plain || largest >= most_plain)
        shared.exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3));
    return shared;
}

std::string note_of(const Shared& shared) {
    const std::string power = shared.exponent == 0 ? "" : "\u00d7" + power_of_ten(shared.exponent);
    if (shared.constant == 0)
        return power;
    const std::string constant =
        fmt::format("{} {:.15g}", shared.constant < 0 ? "\u2212" : "+", std::abs(shared.constant));
    return power.empty() ? constant : power + " " + constant;
}

} // namespace

std::string power_of_ten(int exponent) {
    static constexpr std::array<const char*, 10> raised = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    std::string text = exponent < 0 ? "10\u207b" : "10";
    for (const char digit : std::to_string(std::abs(exponent)))
        text += raised[static_cast<std::size_t>(digit - '0')];
    return text;
}

Ticks linear_ticks(double low, double high, int wanted) {
    const Step step = step_not_below((high - low) / std::max(1, wanted));
    const double size = step.value();
    const Shared shared = shared_part(low, high, step);
    const int decimals = std::max(0, shared.exponent - step.exponent);
    Ticks ticks;
    ticks.note = note_of(shared);
    // Marks at the very ends count, also where the quotient is not exact.
    const double first = std::ceil(low / size - 1e-6), last = std::floor(high / size + 1e-6);
    for (double i = first; i <= last; ++i) {
        const double shown = (i * size - shared.constant) / std::pow(10.0, shared.exponent);
        std::string label = fmt::format("{:.{}f}", shown, decimals);
        if (label.find_first_of("123456789") == std::string::npos)
            label.erase(0, label.starts_with('-') ? 1 : 0);
        ticks.major.push_back({i * size, with_minus(std::move(label))});
    }
    return ticks;
}

Ticks log_ticks(double low, double high, int most) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int stride = std::max(1, (last - first) / std::max(1, most) + 1);
    Ticks ticks;
    for (int exponent = first - 1; exponent <= last; ++exponent) {
        const double decade = std::pow(10.0, exponent);
        if (exponent >= first && exponent % stride == 0)
            ticks.major.push_back({decade, power_of_ten(exponent)});
        else if (exponent >= first)
            ticks.minor.push_back(decade);
        for (int digit = 2; digit <= 9 && stride == 1; ++digit)
            if (digit * decade >= low && digit * decade <= high)
                ticks.minor.push_back(digit * decade);
    }
    return ticks;
}

} // namespace tenon::plot
