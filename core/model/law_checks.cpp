// Whether a law is possible. A damper must not deliver energy, D(v) v >= 0 everywhere. On each piece D is least and largest at an end
// or where D' = 0, and beyond every root of D and D' it goes on as it does there; so D is looked at in all these points. The real roots
// of a polynomial lie between those of its derivative and within Cauchy's bound 1 + max |c_j / c_n|, and are found by bisection.

#include "core/model/law.hpp"

#include "core/math/digits.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// A spring may jump at a break by this share of the largest value beside it, a damper by that.
constexpr double rounding = 1e-6, damper_jump = 0.05;
/// Efforts of a damper of the wrong sign that are less than this share of its largest are rounding, too.
constexpr double wrong_sign = 1e-9;
/// Of a polynomial: roots are found by recursion over its degree.
constexpr std::size_t most_coefficients = 32;

bool is_finite(const std::vector<double>& numbers) {
    return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

std::string piece_text(std::size_t k) { return "piece " + std::to_string(k + 1); }
std::string point_text(std::size_t k) { return "point " + std::to_string(k + 1) + " of its table"; }

std::optional<std::string> fault_of_table(const std::vector<std::array<double, 2>>& table) {
    if (table.size() < 2)
        return "needs a table of at least 2 points [x, F] (" + std::to_string(table.size()) + " given)";
    for (std::size_t k = 0; k < table.size(); ++k) {
        const auto [x, effort] = table[k];
        if (!std::isfinite(x) || !std::isfinite(effort))
            return "is not finite in " + point_text(k) + " ([" + digits(x) + ", " + digits(effort) + "])";
        if (k > 0 && !(x > table[k - 1][0]))
            return "needs a table whose x increase, but " + point_text(k) + " has x = " + digits(x) +
                   " after " + digits(table[k - 1][0]);
    }
    const LawCurve curve(Law{{}, table});
    for (std::size_t k = 0; k < table.size(); ++k)
        if (!std::isfinite(curve.slope(table[k][0])) || !std::isfinite(curve.integral(table[k][0])))
            return "changes too fast at " + point_text(k) + " (x = " + digits(table[k][0]) + ")";
    return {};
}

double evaluate(const std::vector<double>& c, double u) {
    double sum = 0;
    for (std::size_t j = c.size(); j-- > 0;)
        sum = sum * u + c[j];
    return sum;
}

/// Real roots at which the polynomial changes its sign, in increasing order.
std::vector<double> roots(std::vector<double> c) {
    while (!c.empty() && c.back() == 0)
        c.pop_back();
    if (c.size() < 2)
        return {};
    std::vector<double> derivative;
    double bound = 0;
    for (std::size_t j = 1; j < c.size(); ++j)
        derivative.push_back(static_cast<double>(j) * c[j]);
    for (std::size_t j = 0; j + 1 < c.size(); ++j)
        bound = std::max(bound, std::abs(c[j] / c.back()));
    std::vector<double> ends = roots(std::move(derivative)), found;
    ends.insert(ends.begin(), -1 - bound);
    ends.push_back(1 + bound);
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        double low = ends[i], high = ends[i + 1];
        const double sign = evaluate(c, low);
        if (!(low < high) || (sign < 0) == (evaluate(c, high) < 0))
            continue;
        for (int k = 0; k < 200 && low < high; ++k) {
            const double middle = 0.5 * (low + high);
            if (middle == low || middle == high)
                break;
            ((evaluate(c, middle) < 0) == (sign < 0) ? low : high) = middle;
        }
        found.push_back(0.5 * (low + high));
    }
    return found;
}

/// Where the law has its extremes, its sign changes, its breaks, and points beyond all of them.
std::vector<double> telling_points(const LawCurve& curve) {
    std::vector<double> points = {0};
    const auto& pieces = curve.pieces();
    for (std::size_t k = 0; k < pieces.size(); ++k) {
        const double begin = k == 0 ? -INFINITY : pieces[k].from;
        const double end = k + 1 < pieces.size() ? pieces[k + 1].from : INFINITY;
        const std::vector<double> c = curve.coefficients(pieces[k]);
        std::vector<double> slope;
        for (std::size_t j = 1; j < c.size(); ++j)
            slope.push_back(static_cast<double>(j) * c[j]);
        for (const std::vector<double>& polynomial : {c, slope})
            for (const double root : roots(polynomial))
                if (const double x = pieces[k].origin + root; x > begin && x < end)
                    points.push_back(x);
        if (k > 0) {
            points.push_back(begin);
            points.push_back(std::nextafter(begin, -INFINITY));
        }
    }
    const auto [least, most] = std::ranges::minmax(points);
    const double beyond = 1 + (most - least);
    points.push_back(least - beyond);
    points.push_back(most + beyond);
    return points;
}

/// A jump at a break of more than `share` of the larger value beside it.
std::optional<std::string> fault_at_breaks(const Law& law, double share, const char* why) {
    for (std::size_t k = 1; k < law.pieces.size(); ++k) {
        const double x = law.pieces[k].from;
        const double before = evaluate(law.pieces[k - 1].polynomial, x),
                     after = evaluate(law.pieces[k].polynomial, x);
        if (std::abs(after - before) > share * std::max(std::abs(before), std::abs(after)))
            return "jumps at x = " + digits(x) + " from " + digits(before) + " to " + digits(after) + why;
    }
    return {};
}

} // namespace

std::optional<std::string> fault_of_law(const Law& law) {
    if (law.empty() || (!law.pieces.empty() && !law.table.empty()))
        return "needs one of constant, polynomial, pieces and table";
    if (!law.table.empty())
        return fault_of_table(law.table);
    for (std::size_t k = 0; k < law.pieces.size(); ++k) {
        const LawPiece& piece = law.pieces[k];
        if (piece.polynomial.empty())
            return "needs at least one coefficient in the polynomial of " + piece_text(k);
        if (piece.polynomial.size() > most_coefficients)
            return "has " + std::to_string(piece.polynomial.size()) + " coefficients in the polynomial of " +
                   piece_text(k) + " (limit " + std::to_string(most_coefficients) +
                   "); a table says it better";
        if (!is_finite(piece.polynomial) || !std::isfinite(piece.from))
            return "is not finite in " + piece_text(k);
        if (k > 1 && !(piece.from > law.pieces[k - 1].from))
            return "needs pieces whose `from` increases, but " + piece_text(k) + " begins at " +
                   digits(piece.from) + " after " + digits(law.pieces[k - 1].from);
    }
    return {};
}

std::optional<std::string> fault_of_spring(const Law& law) {
    if (const auto fault = fault_of_law(law))
        return fault;
    return fault_at_breaks(law, rounding, "; a spring's effort must not jump, or it has no potential");
}

std::optional<std::string> fault_of_damper(const Law& law) {
    if (auto fault = fault_of_law(law))
        return fault;
    if (auto fault = fault_at_breaks(law, damper_jump, ", which is more than 5 %"))
        return fault;
    const LawCurve curve(law);
    double largest = 0, worst = 0, at = 0;
    for (const double v : telling_points(curve)) {
        const double effort = curve.value(v);
        largest = std::max(largest, std::abs(effort));
        // At rest it must do nothing: a constant effort there would drive.
        const double wrong = v == 0 ? std::abs(effort) : (v > 0 ? -effort : effort);
        if (wrong > worst) {
            worst = wrong;
            at = v;
        }
    }
    if (worst > wrong_sign * largest)
        return "would deliver energy: at a speed of " + digits(at) + " its effort is " +
               digits(curve.value(at)) + ", but it must resist";
    return {};
}

} // namespace tenon
