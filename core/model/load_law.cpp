// The effort over a step of any potential V, from s0 to s1, d = s1 - s0, with e = -V':
//
//     mean of e by Gauss's rule of four points     error of order d^8, no cancellation
//     -(V(s1) - V(s0)) / d                         exact, but with the round-off of V over d
//
// The second, unless the two differ by no more than that round-off. Half the slope at the end stands for the derivative by s1.

#include "core/model/load_law.hpp"

#include <cmath>
#include <limits>

namespace tenon {

LoadEffort LoadLaw::between(double s0, double s1, double rate) const {
    const double middle = 0.5 * (s0 + s1), d = s1 - s0;
    LoadEffort effort = at(middle, rate);
    if (d == 0)
        return effort;
    static constexpr double node[] = {0.8611363115940526, 0.3399810435848563};
    static constexpr double weight[] = {0.1739274225687269, 0.3260725774312731};
    double mean = 0;
    for (int i = 0; i < 2; ++i)
        mean += weight[i] *
                (at(middle - 0.5 * d * node[i], rate).elastic + at(middle + 0.5 * d * node[i], rate).elastic);
    const double v0 = potential(s0), v1 = potential(s1);
    const double round_off =
        16 * std::numeric_limits<double>::epsilon() * (std::abs(v0) + std::abs(v1) + std::abs(mean * d));
    effort.elastic = std::abs(v1 - v0 + mean * d) <= round_off ? mean : -(v1 - v0) / d;
    return effort;
}

} // namespace tenon
