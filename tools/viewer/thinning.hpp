#pragma once
// How a long result becomes small enough for a page, without losing what one looks for in it.
//
// Curves are drawn from the smallest and the largest value of every bucket of rows, in the order in which they occur, with the
// first and the last row: whatever peaks stays, at its time (to 1/65535 of a bucket). The animation needs all coordinates of a
// body at the same time, so it takes every `stride`-th row of the columns that move something, and the last. Results that are
// small enough are kept whole.

#include "tools/results/extremes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::viewer {

struct Thinning {
    std::uint64_t stride = 1; ///< rows from one frame of the animation to the next
    std::uint64_t bucket = 1; ///< rows of a bucket; 1: curves have all rows

    bool whole() const { return bucket == 1; }
};

/// `moving` of the `columns` are needed for the animation.
Thinning choose_thinning(std::uint64_t rows, std::size_t columns, std::size_t moving);

/// A column as the page gets it: a value is offset + the stored one. The differences keep what single precision would lose of
/// a large constant, such as the drift of an energy.
struct ThinColumn {
    double offset = 0;
    std::vector<float> values;            ///< whole: all rows; else first row, two a bucket, last row
    std::vector<std::uint16_t> positions; ///< else: of the two of every bucket, in 1/65535 of its rows
    std::vector<float> samples;           ///< else, where it moves something: at the frames
};

struct ThinResult {
    Thinning thinning;
    std::uint64_t rows = 0;
    double stop = 0;             ///< time of the last row
    std::vector<double> frames;  ///< times of the animation's rows; whole: of all rows
    std::vector<double> buckets; ///< times of the first rows of the buckets; empty where whole
    std::vector<ThinColumn> columns;
};

/// Rows in, thin columns out; holds no more than the result.
class Thinner {
  public:
    /// `moving` has one flag a column.
    Thinner(const Thinning& thinning, std::vector<bool> moving);

    void add(double time, std::span<const double> values);
    ThinResult finish();

  private:
    void begin_bucket(double time);
    void end_bucket();
    void add_frame(double time, std::span<const double> values);

    ThinResult result_;
    std::vector<bool> moving_;
    std::vector<results::Extremes> extremes_; ///< rows within the bucket
    std::vector<double> last_;                ///< values of the last row
};

} // namespace tenon::viewer
