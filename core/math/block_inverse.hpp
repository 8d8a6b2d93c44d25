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

/// The same of a symmetric block, in place, by symmetric sweeps without pivots: a quarter of the work. False, and `a` is spoilt, where a
/// pivot is not positive, which is where the block is not positive definite.
///
///   sweep k:  a -= c c^T / a_kk,  column and row k become c / a_kk,  a_kk becomes -1 / a_kk,   c = column k;  in the end a = -inverse
template <class Block> bool invert_definite_block(Block& a) {
    constexpr int width = Block::RowsAtCompileTime;
    for (int k = 0; k < width; ++k) {
        const double pivot = a(k, k);
        if (!(pivot > 0))
            return false;
        const double share = 1 / pivot;
        const Eigen::Matrix<double, width, 1> c = a.col(k);
        const Eigen::Matrix<double, width, 1> scaled = share * c;
        a.noalias() -= scaled * c.transpose();
        a.col(k) = scaled;
        a.row(k) = scaled.transpose();
        a(k, k) = -share;
    }
    a = -a;
    return true;
}

} // namespace tenon
