#pragma once
// Where an axis has its marks, and what stands beside them.
//
// Linear: multiples of 1, 2 or 5 times a power of ten. Labels have as many digits as tell them apart; what all of them share, a
// power of ten or a large constant, is said once in the note at the end of the axis, so that the drift of an energy reads
// "98.1 + ... 10^-9" and not 98.100000001, 98.100000002. Logarithmic: powers of ten, every nth where there are many.

#include <string>
#include <string_view>
#include <vector>

namespace tenon::plot {

struct Tick {
    double value = 0;
    std::string label;
};

struct Ticks {
    std::vector<Tick> major;
    std::vector<double> minor; ///< marks without a label
    std::string
        note; ///< value = (label with the note's power of ten) + (the note's constant); empty: value = label
};

/// Marks within [low, high], about `wanted` of them, never more; low < high.
Ticks linear_ticks(double low, double high, int wanted);
/// 0 < low < high, at least one power of ten between them; at most `most` labels.
Ticks log_ticks(double low, double high, int most);

/// "10" with the exponent raised, as UTF-8.
std::string power_of_ten(int exponent);

} // namespace tenon::plot
