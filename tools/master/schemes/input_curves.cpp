#include "tools/master/schemes/input_curves.hpp"

#include <algorithm>

namespace tenon::master {

InputCurves::InputCurves(int order, const std::vector<char>& continuous)
    : order_(order), continuous_(continuous), values_(most_known, std::vector<double>(continuous.size())),
      c0_(continuous.size()), c1_(continuous.size()), c2_(continuous.size()) {
    times_.reserve(most_known);
}

void InputCurves::begin(double t, std::span<const double> u) {
    while (!times_.empty() && times_.back() >= t)
        times_.pop_back();
    if (times_.size() == most_known) {
        std::ranges::rotate(values_, values_.begin() + 1);
        times_.erase(times_.begin());
    }
    std::ranges::copy(u, values_[times_.size()].begin());
    times_.push_back(t);
}

void InputCurves::forget() { times_.clear(); }

/// Newton's divided differences f01 and f012 over the nodes 0, s1, s2, the newest first:
/// u(s) = u0 + f01 s + f012 s (s - s1).
void InputCurves::extrapolate(std::size_t first, std::size_t count) {
    const std::size_t newest = times_.size() - 1,
                      degree = std::min<std::size_t>(static_cast<std::size_t>(order_), newest);
    const std::vector<double>& u0 = values_[newest];
    for (std::size_t i = first; i < first + count; ++i) {
        c0_[i] = u0[i];
        c1_[i] = c2_[i] = 0;
    }
    if (degree == 0)
        return;
    const std::vector<double>& u1 = values_[newest - 1];
    const double s1 = times_[newest - 1] - times_[newest];
    for (std::size_t i = first; i < first + count; ++i)
        if (continuous_[i])
            c1_[i] = (u0[i] - u1[i]) / -s1;
    if (degree == 1)
        return;
    const std::vector<double>& u2 = values_[newest - 2];
    const double s2 = times_[newest - 2] - times_[newest];
    for (std::size_t i = first; i < first + count; ++i)
        if (continuous_[i]) {
            const double f01 = c1_[i], f12 = (u1[i] - u2[i]) / (s1 - s2);
            c2_[i] = (f01 - f12) / -s2;
            c1_[i] = f01 - c2_[i] * s1;
        }
}

/// Over the nodes h, 0, s1: u(s) = u0 + fe0 s + f2 s (s - h).
void InputCurves::interpolate(std::size_t slot, double end, double h) {
    const std::size_t newest = times_.size() - 1;
    c1_[slot] = c2_[slot] = 0;
    if (order_ == 0 || !continuous_[slot]) {
        c0_[slot] = end;
        return;
    }
    const double u0 = values_[newest][slot], fe0 = (end - u0) / h;
    c0_[slot] = u0;
    c1_[slot] = fe0;
    if (order_ == 1 || newest == 0)
        return;
    const double s1 = times_[newest - 1] - times_[newest], f01 = (u0 - values_[newest - 1][slot]) / -s1;
    c2_[slot] = (fe0 - f01) / (h - s1);
    c1_[slot] = fe0 - c2_[slot] * h;
}

} // namespace tenon::master
