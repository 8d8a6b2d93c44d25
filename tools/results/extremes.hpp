#pragma once
// Of many values in a row, those that a drawing needs: what lies between the smallest and the largest is covered by the line that
// joins them, and the lines to the neighbours begin at the first and the last. The page and the pictures thin their curves by it.

#include <cmath>
#include <cstdint>

namespace tenon::results {

/// Values that are not finite are gaps.
struct Extremes {
    struct Place {
        std::uint64_t row = 0;
        double value = 0;
    };
    Place first, low, high, last;
    bool any = false, gap = false;

    void add(std::uint64_t row, double value) {
        if (!std::isfinite(value)) {
            gap = true;
            return;
        }
        last = {row, value};
        if (!any)
            first = low = high = last;
        any = true;
        if (value < low.value)
            low = last;
        if (value > high.value)
            high = last;
    }
};

} // namespace tenon::results
