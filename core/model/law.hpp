#pragma once
// A law: a scalar function of an elongation or a speed, as data, and as the curve that is evaluated.

#include "core/model/members.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tenon {

/// c0 + c1 x + c2 x^2 + ... from `from` on; of the first piece `from` is not used.
struct LawPiece {
    double from = 0;
    std::vector<double> polynomial;

    bool operator==(const LawPiece&) const = default;
};

template <class Visit> void members(Is<LawPiece> auto& piece, Visit&& visit) {
    auto& [from, polynomial] = piece;
    visit(from, polynomial);
}

/// Polynomials in pieces, or the monotone cubic through points [x, F]: one of the two, or nothing, which is zero.
struct Law {
    std::vector<LawPiece> pieces;
    std::vector<std::array<double, 2>> table;

    bool empty() const { return pieces.empty() && table.empty(); }

    bool operator==(const Law&) const = default;
};

template <class Visit> void members(Is<Law> auto& law, Visit&& visit) {
    auto& [pieces, table] = law;
    visit(pieces, table);
}

/// One polynomial c0 + c1 x + ... everywhere.
Law polynomial_law(std::vector<double> coefficients);

/// What makes a law impossible, as the end of a sentence that begins with the key's name; nothing where it is possible.
std::optional<std::string> fault_of_law(const Law& law);
/// The same of a spring's: it must not jump at a break by more than rounding.
std::optional<std::string> fault_of_spring(const Law& law);
/// The same of a damper's, which must not deliver energy: F(v) v >= 0. It may jump by 5 % of its value at a break.
std::optional<std::string> fault_of_damper(const Law& law);

/// A law made ready: value, slope, integral, and the mean over an interval.
class LawCurve {
  public:
    LawCurve() = default;
    /// Of a law without fault.
    explicit LawCurve(const Law& law);

    bool empty() const { return pieces_.empty(); }
    double value(double x) const;
    double slope(double x) const;
    /// Of the value, from the point of the law's range that is nearest to zero; a table's range is that of its points.
    double integral(double x) const;
    /// (integral(b) - integral(a)) / (b - a) to round-off however near a and b are; value(a) where they are the same.
    double mean(double a, double b) const;
    /// Its derivative by b, to what a tangent needs.
    double mean_slope(double a, double b) const;

    /// A polynomial c0 + c1 u + ... in u = x - origin, from `from` to the next.
    struct Piece {
        double from = 0, origin = 0;
        std::size_t first = 0, count = 0; ///< its coefficients
        double before = 0;                ///< integral from the first break to `from`
    };
    const std::vector<Piece>& pieces() const { return pieces_; }
    std::vector<double> coefficients(const Piece& piece) const;

  private:
    void add(double from, double origin, std::vector<double> coefficients);
    std::size_t piece_at(double x) const;
    double value(const Piece& piece, double x) const;
    double slope(const Piece& piece, double x) const;
    double mean(const Piece& piece, double a, double b) const;
    double from_first_break(double x) const;
    template <class Part> void each_part(double low, double high, Part part) const;

    std::vector<Piece> pieces_;
    std::vector<double> coefficients_;
    double zero_ = 0; ///< integral from the first break to where the integral is zero
};

/// What is at the end of a spring's travel: past `at` a spring and a damper that push back and never pull.
struct Stop {
    double at = 0, stiffness = 0, damping = 0;

    bool operator==(const Stop&) const = default;
};

template <class Visit> void members(Is<Stop> auto& stop, Visit&& visit) {
    auto& [at, stiffness, damping] = stop;
    visit(at, stiffness, damping);
}

} // namespace tenon
