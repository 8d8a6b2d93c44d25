#pragma once
// A curve of a million rows, drawn on a thousand columns of pixels.
//
// Time is cut into columns of equal width. Of the rows of a column only the extremes can be seen (tools/results/extremes.hpp); kept
// in their order in time, they give the same picture as all rows do. The page counts rows instead of time, which is not known in
// advance there, and stores differences in single precision (tools/viewer/thinning.hpp).

#include <cstddef>
#include <span>
#include <vector>

namespace tenon::plot {

/// A value that is not finite is a gap in the curve.
struct Point {
    double time = 0, value = 0;
};

/// At most five points per column: first, smallest, largest, last, and a gap behind them where there is one. `points` are in the
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
