#pragma once
// A curve of a million rows, drawn on a thousand columns of pixels.
//
// Time is cut into columns of equal width. Of the rows of a column only the first, the last, the smallest and the largest can be
// seen: what lies between them is covered by the vertical line from smallest to largest, and the lines to the neighbours
// begin at the first and the last. Kept in their order in time, these four give the same picture as all rows do.
//
// tools/viewer/thinning.hpp does something like it for the page; it counts rows instead of time, which is not known in advance
// there, and stores differences in single precision, which loses the 1e-15 of a violation on a logarithmic axis.

#include <cstddef>
#include <span>
#include <vector>

namespace tenon::plot {

/// A value that is not finite is a gap in the curve.
struct Point {
    double time = 0, value = 0;
};

/// At most five points a column: first, smallest, largest, last, and a gap behind them where there is one. `points` are in the
/// order of time.
std::vector<Point> thinned(std::span<const Point> points, std::size_t columns);

/// Points in, thin curve out; holds no more than a small multiple of the result.
class ThinCurve {
  public:
    /// Twice as fine as the widest picture of ordinary use; the drawing thins once more, to its own pixels.
    static constexpr std::size_t columns = 8000;

    void add(double time, double value);
    const std::vector<Point>& points() const { return points_; }

  private:
    std::vector<Point> points_;
};

} // namespace tenon::plot
