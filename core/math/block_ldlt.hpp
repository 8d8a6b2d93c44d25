#pragma once
// L D L^T of a symmetric matrix of 6x6 blocks whose pattern is that of a graph: half the storage and half the work of BlockLu. D has
// blocks too, D_p^-1 = F^T S F: F the inverse of its Cholesky factor and S = 1, or, where it is not positive definite,
// F = |Lambda|^-1/2 V^T of its eigenvalues and S their signs. Inverses of whole blocks would lose the digits that penalties beside masses cost twice.
//
//   eliminating p:  W_a = A_ap F^T,   A_ab -= W_a S W_b^T   for all later a >= b that p couples
//
// A pair of nodes has one block, that of the later node's row. factor() and solve() allocate nothing.

#include "core/math/types.hpp"

#include <utility>
#include <vector>

namespace tenon {

class BlockLdlt {
  public:
    /// Where the block (i, j) is: `transposed` says that (j, i) is stored. index -1: nowhere.
    struct Entry {
        int index = -1;
        bool transposed = false;
    };

    BlockLdlt(int nodes, const std::vector<std::pair<int, int>>& edges);

    void set_zero();
    /// (i, j) must be a node or an edge. Of the diagonal both halves are to be filled.
    Entry entry(int i, int j) const;
    Mat6& at(int index) { return value_[index]; }

    /// False where a diagonal block is singular or not finite.
    bool factor();
    /// x = A^-1 x.
    void solve(Vector& x) const;

  private:
    struct Column {
        int first = 0, count = 0; // in after_
        int update = 0;           // in update_
    };
    int n_;
    std::vector<int> order_, place_;
    std::vector<Mat6> value_; // diagonal blocks by place, then those of columns
    std::vector<Mat6> root_;  // F by place
    std::vector<Vec6> sign_;  // S by place
    std::vector<Column> column_;
    std::vector<int> after_;  // places after this one; its block is value_[n_ + index in here]
    std::vector<int> update_; // of pairs (a, b), a >= b
};

} // namespace tenon
