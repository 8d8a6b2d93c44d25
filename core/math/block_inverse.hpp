#pragma once
// The inverse of a small square block.

#include <Eigen/Dense>

#include <cmath>

namespace tenon {

/// Gauss-Jordan with row pivots; false where a pivot is zero or not a number.
template <class Block> bool invert_block(Block a, Block& inverse) {
    constexpr int width = Block::RowsAtCompileTime;
    inverse.setIdentity();
    for (int c = 0; c < width; ++c) {
        int best = c;
        for (int r = c + 1; r < width; ++r)
            best = std::abs(a(r, c)) > std::abs(a(best, c)) ? r : best;
        if (!(std::abs(a(best, c)) > 0))
            return false;
        if (best != c) {
            a.row(c).swap(a.row(best));
            inverse.row(c).swap(inverse.row(best));
        }
        const double pivot = 1 / a(c, c);
        a.row(c) *= pivot;
        inverse.row(c) *= pivot;
        for (int r = 0; r < width; ++r) {
            if (r != c) {
                const double factor = a(r, c);
                a.row(r) -= factor * a.row(c);
                inverse.row(r) -= factor * inverse.row(c);
            }
        }
    }
    return true;
}

/// L^-1 of a symmetric block L L^T. False where a pivot is not positive, which is where the block is not positive definite.
template <class Block> bool invert_cholesky_factor(const Block& a, Block& inverse) {
    constexpr int width = Block::RowsAtCompileTime;
    Block rest = a; // what is left of it, below and right of the pivot
    inverse.setIdentity();
    for (int k = 0; k < width; ++k) {
        const double pivot = rest(k, k);
        if (!(pivot > 0))
            return false;
        const double share = 1 / pivot;
        for (int i = k + 1; i < width; ++i) {
            const double factor = share * rest(i, k);
            rest.row(i) -= factor * rest.row(k);
            inverse.row(i) -= factor * inverse.row(k);
        }
        inverse.row(k) *= std::sqrt(share);
    }
    return true;
}

} // namespace tenon
