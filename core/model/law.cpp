// Pieces. On [x_k, x_k+1) the law is p_k(u) = c0 + c1 u + ... + cn u^n, u = x - o_k; the first piece has no beginning, the last
// no end. A polynomial is one piece with o = 0. A table is Hermite's cubic between its points, o_k = x_k,
//
//     c0 = F_k,  c1 = m_k,  c2 = (3 d_k - 2 m_k - m_k+1) / l_k,  c3 = (m_k + m_k+1 - 2 d_k) / l_k^2
//     l_k = x_k+1 - x_k,  d_k = (F_k+1 - F_k) / l_k
//
// and a line with the end slope beyond the first and the last. The slopes m_k keep it monotone between points wherever the points
// are (Fritsch and Carlson, SIAM Journal on Numerical Analysis 17, 1980): m_k = (d_k-1 + d_k) / 2, or 0 where d_k-1 d_k <= 0,
// m of the ends the d beside them; then on every interval with a^2 + b^2 > 9, a = m_k / d_k, b = m_k+1 / d_k, both slopes are
// scaled by 3 / sqrt(a^2 + b^2).
//
// Mean. Over [a, b] within a piece, free of cancellation:
//
//     1/(b - a) integral of u^j = h_j(a, b) / (j + 1),   h_j = sum over i of a^i b^(j-i),   h_0 = 1,  h_j = a h_j-1 + b^j
//
// and over several pieces the means weighted with their lengths. So (V(b) - V(a)) / (b - a) of a potential V = integral of F is
// exact to round-off for b -> a, too. Its derivative by b is the integral of t F'(a + t (b - a)) over t in [0, 1], by Gauss's rule
// of four points on each piece: exact up to degree 7, and only tangents are made of it.

#include "core/model/law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon {
namespace {

std::vector<double> monotone_slopes(const std::vector<std::array<double, 2>>& table) {
    const std::size_t n = table.size() - 1;
    std::vector<double> d(n), m(n + 1);
    for (std::size_t k = 0; k < n; ++k)
        d[k] = (table[k + 1][1] - table[k][1]) / (table[k + 1][0] - table[k][0]);
    m.front() = d.front();
    m.back() = d.back();
    for (std::size_t k = 1; k < n; ++k)
        m[k] = d[k - 1] * d[k] > 0 ? 0.5 * (d[k - 1] + d[k]) : 0;
    for (std::size_t k = 0; k < n; ++k) {
        if (d[k] == 0) {
            m[k] = m[k + 1] = 0;
            continue;
        }
        const double size = std::hypot(m[k] / d[k], m[k + 1] / d[k]);
        if (size > 3) {
            m[k] *= 3 / size;
            m[k + 1] *= 3 / size;
        }
    }
    return m;
}

} // namespace

Law polynomial_law(std::vector<double> coefficients) {
    Law law;
    law.pieces.push_back({0, std::move(coefficients)});
    return law;
}

LawCurve::LawCurve(const Law& law) {
    double nearest = 0; // to zero, of the law's range
    if (!law.table.empty()) {
        const auto& table = law.table;
        const std::vector<double> m = monotone_slopes(table);
        const std::size_t n = table.size() - 1;
        add(table[0][0], table[0][0], {table[0][1], m[0]});
        for (std::size_t k = 0; k < n; ++k) {
            const double l = table[k + 1][0] - table[k][0], d = (table[k + 1][1] - table[k][1]) / l;
            add(table[k][0], table[k][0],
                {table[k][1], m[k], (3 * d - 2 * m[k] - m[k + 1]) / l, (m[k] + m[k + 1] - 2 * d) / (l * l)});
        }
        add(table[n][0], table[n][0], {table[n][1], m[n]});
        nearest = std::clamp(0.0, table.front()[0], table.back()[0]);
    }
    for (const LawPiece& piece : law.pieces)
        add(piece.from, 0, piece.polynomial);
    if (pieces_.size() > 1) // of the first: where it ends
        pieces_[0].from = pieces_[1].from;
    for (std::size_t k = 2; k < pieces_.size(); ++k) {
        const Piece& last = pieces_[k - 1];
        pieces_[k].before =
            last.before + (pieces_[k].from - last.from) * mean(last, last.from, pieces_[k].from);
    }
    if (!empty())
        zero_ = from_first_break(nearest);
}

void LawCurve::add(double from, double origin, std::vector<double> coefficients) {
    pieces_.push_back({from, origin, coefficients_.size(), coefficients.size(), 0});
    coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
}

std::vector<double> LawCurve::coefficients(const Piece& piece) const {
    const auto begin = coefficients_.begin() + static_cast<std::ptrdiff_t>(piece.first);
    return {begin, begin + static_cast<std::ptrdiff_t>(piece.count)};
}

std::size_t LawCurve::piece_at(double x) const {
    const auto after = std::upper_bound(pieces_.begin() + 1, pieces_.end(), x,
                                        [](double at, const Piece& piece) { return at < piece.from; });
    return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

double LawCurve::value(const Piece& piece, double x) const {
    const double u = x - piece.origin;
    double sum = 0;
    for (std::size_t j = piece.count; j-- > 0;)
        sum = sum * u + coefficients_[piece.first + j];
    return sum;
}

double LawCurve::slope(const Piece& piece, double x) const {
    const double u = x - piece.origin;
    double sum = 0;
    for (std::size_t j = piece.count; j-- > 1;)
        sum = sum * u + static_cast<double>(j) * coefficients_[piece.first + j];
    return sum;
}

double LawCurve::mean(const Piece& piece, double a, double b) const {
    const double u = a - piece.origin, v = b - piece.origin;
    double sum = 0, h = 1, power = 1;
    for (std::size_t j = 0; j < piece.count; ++j) {
        if (j > 0) {
            power *= v;
            h = u * h + power;
        }
        sum += coefficients_[piece.first + j] * h / static_cast<double>(j + 1);
    }
    return sum;
}

double LawCurve::value(double x) const { return empty() ? 0 : value(pieces_[piece_at(x)], x); }
double LawCurve::slope(double x) const { return empty() ? 0 : slope(pieces_[piece_at(x)], x); }

double LawCurve::from_first_break(double x) const {
    const Piece& piece = pieces_[piece_at(x)];
    return piece.before + (x - piece.from) * mean(piece, piece.from, x);
}

double LawCurve::integral(double x) const { return empty() ? 0 : from_first_break(x) - zero_; }

/// Calls part(piece, from, to) with each piece between low and high.
template <class Part> void LawCurve::each_part(double low, double high, Part part) const {
    for (std::size_t k = piece_at(low);; ++k) {
        const bool last = k + 1 == pieces_.size() || pieces_[k + 1].from >= high;
        const double end = last ? high : pieces_[k + 1].from;
        part(pieces_[k], low, end);
        if (last)
            return;
        low = end;
    }
}

double LawCurve::mean(double a, double b) const {
    if (empty())
        return 0;
    const double low = std::min(a, b), high = std::max(a, b);
    const std::size_t k = piece_at(low);
    if (low == high || k + 1 == pieces_.size() || pieces_[k + 1].from >= high)
        return mean(pieces_[k], low, high);
    double sum = 0;
    each_part(low, high, [&](const Piece& piece, double c, double d) { sum += (d - c) * mean(piece, c, d); });
    return sum / (high - low);
}

double LawCurve::mean_slope(double a, double b) const {
    if (empty())
        return 0;
    if (a == b)
        return 0.5 * slope(b);
    static constexpr double node[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                      0.8611363115940526};
    static constexpr double weight[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                        0.3478548451374538};
    double sum = 0;
    each_part(std::min(a, b), std::max(a, b), [&](const Piece& piece, double c, double d) {
        for (std::size_t i = 0; i < 4; ++i) {
            const double x = 0.5 * (c + d) + 0.5 * (d - c) * node[i];
            sum += 0.5 * (d - c) * weight[i] * (x - a) / (b - a) * slope(piece, x);
        }
    });
    return sum / std::abs(b - a);
}

} // namespace tenon
