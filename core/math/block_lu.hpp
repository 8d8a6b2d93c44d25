#pragma once
// LU factorisation of a matrix of square blocks (6, 12 or 18 wide) whose pattern is that of a graph (symmetric pattern, any values).
// Nodes are eliminated by least degree, found once; factor() and solve() allocate nothing. Pivots are sought inside
// diagonal blocks only, which suits mass-like matrices with penalties.

#include "core/math/types.hpp"

#include <utility>
#include <vector>

namespace tenon {

template <int Width> class BlockLuOf {
  public:
    using Block = Eigen::Matrix<double, Width, Width>;
    using Segment = Eigen::Matrix<double, Width, 1>;

    BlockLuOf(int nodes, const std::vector<std::pair<int, int>>& edges);

    void set_zero();
    /// The block to add to. (i, j) must be a node or an edge.
    Block& block(int i, int j) { return value_[index(i, j)]; }
    /// Index of a block for repeated use.
    int index(int i, int j) const;
    Block& at(int index) { return value_[index]; }

    /// False where a diagonal block is singular.
    bool factor();
    /// x = A^-1 x.
    void solve(Vector& x) const;

  private:
    struct Column {
        int first = 0, count = 0; // in after_
        int update = 0;           // in update_
        int diagonal = 0;
    };
    int n_;
    std::vector<int> order_, place_;
    std::vector<Block> value_;
    std::vector<Block> inverse_; // of diagonal blocks, by place
    std::vector<Column> column_;
    std::vector<int> after_, lower_, upper_; // places after this one; blocks (after, this) and (this, after)
    std::vector<int> update_;
    std::vector<std::vector<std::pair<int, int>>> find_; // by place: (other place, block), sorted
};

using BlockLu = BlockLuOf<6>;

} // namespace tenon
