// Formula:  s(t) = c0 + c1 t + A sin(2 pi f t + phi), differentiated twice by hand.
//
// Table: the cubic spline through (t_i, y_i), i = 0..n, in terms of its curvatures m_i = s''(t_i). With
// h_i = t_{i+1} - t_i and d_i = (y_{i+1} - y_i) / h_i, continuity of the slope inside and zero slope at both ends are
//
//     2 h_0 m_0 + h_0 m_1                                   = 6 (d_0 - 0)
//     h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (d_i - d_{i-1})        i = 1..n-1
//     h_{n-1} m_{n-1} + 2 h_{n-1} m_n                       = 6 (0 - d_{n-1})
//
// (de Boor, A Practical Guide to Splines, chapter IV, complete spline). The matrix is diagonally dominant, so
// elimination without pivoting is stable. On [t_i, t_{i+1}], with a = t_{i+1} - t and b = t - t_i,
//
//     s   = (m_i a^3 + m_{i+1} b^3) / (6 h) + (y_i / h - m_i h / 6) a + (y_{i+1} / h - m_{i+1} h / 6) b
//     s'  = (m_{i+1} b^2 - m_i a^2) / (2 h) + d_i - (m_{i+1} - m_i) h / 6
//     s'' = (m_i a + m_{i+1} b) / h

#include "core/model/signal.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace tenon {
namespace {

/// Throws Error(model) for anything but finite points at strictly increasing times.
void check_points(const std::vector<double>& time, const std::vector<double>& value) {
    if (time.size() != value.size())
        throw Error(ErrorKind::model, "a table needs as many values as times (" +
                                          std::to_string(value.size()) + " values, " +
                                          std::to_string(time.size()) + " times)");
    if (time.size() < 2)
        throw Error(ErrorKind::model,
                    "a table needs at least 2 points (" + std::to_string(time.size()) + " given)");
    for (std::size_t i = 0; i < time.size(); ++i) {
        const std::string point = "point " + std::to_string(i + 1) + " of the table";
        if (!std::isfinite(time[i]) || !std::isfinite(value[i]))
            throw Error(ErrorKind::model, point + " is not finite (time " + digits(time[i]) + ", value " +
                                              digits(value[i]) + ")");
        if (i > 0 && !(time[i] > time[i - 1]))
            throw Error(ErrorKind::model, "times of a table must increase, but " + point + " has " +
                                              digits(time[i]) + " after " + digits(time[i - 1]));
    }
}

std::vector<double> curvatures(const std::vector<double>& time, const std::vector<double>& value) {
    const std::size_t n = time.size() - 1;
    std::vector<double> m(n + 1), upper(n + 1);
    double slope_before = 0, h_before = 0;
    for (std::size_t i = 0; i <= n; ++i) {
        const double h = i < n ? time[i + 1] - time[i] : 0;
        const double slope = i < n ? (value[i + 1] - value[i]) / h : 0;
        const double pivot = 2 * (h_before + h) - (i > 0 ? h_before * upper[i - 1] : 0);
        upper[i] = h / pivot;
        m[i] = (6 * (slope - slope_before) - (i > 0 ? h_before * m[i - 1] : 0)) / pivot;
        slope_before = slope;
        h_before = h;
    }
    for (std::size_t i = n; i-- > 0;)
        m[i] -= upper[i] * m[i + 1];
    return m;
}

} // namespace

Derivatives Formula::at(double t) const {
    const double omega = 2 * std::numbers::pi * frequency;
    const double s = amplitude * std::sin(omega * t + phase), c = amplitude * std::cos(omega * t + phase);
    return {offset + rate * t + s, rate + omega * c, -omega * omega * s};
}

Table::Table(std::vector<double> time, std::vector<double> value) {
    check_points(time, value);
    curvature_ = curvatures(time, value);
    // Points so close together or so far apart that the spline overflows are as impossible as infinite ones.
    for (std::size_t i = 0; i < time.size(); ++i)
        if (!std::isfinite(curvature_[i]))
            throw Error(ErrorKind::model, "the spline through the table is not finite at time " +
                                              digits(time[i]) + "; the values change too fast");
    time_ = std::move(time);
    value_ = std::move(value);
}

Derivatives Table::at(double t) const {
    if (t < time_.front())
        return {value_.front(), 0, 0};
    if (t > time_.back())
        return {value_.back(), 0, 0};
    const auto after = std::upper_bound(time_.begin() + 1, time_.end() - 1, t);
    const std::size_t j = static_cast<std::size_t>(after - time_.begin()), i = j - 1;
    const double h = time_[j] - time_[i], a = time_[j] - t, b = t - time_[i];
    const double mi = curvature_[i], mj = curvature_[j];
    return {(mi * a * a * a + mj * b * b * b) / (6 * h) + (value_[i] / h - mi * h / 6) * a +
                (value_[j] / h - mj * h / 6) * b,
            (mj * b * b - mi * a * a) / (2 * h) + (value_[j] - value_[i]) / h - (mj - mi) * h / 6,
            (mi * a + mj * b) / h};
}

} // namespace tenon
