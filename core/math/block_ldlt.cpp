#include "core/math/block_ldlt.hpp"

#include "core/math/block_elimination.hpp"
#include "core/math/block_inverse.hpp"

#include <algorithm>
#include <stdexcept>

namespace tenon {

BlockLdlt::BlockLdlt(int nodes, const std::vector<std::pair<int, int>>& edges) : n_(nodes) {
    BlockElimination elimination = eliminate_by_least_degree(nodes, edges);
    order_ = std::move(elimination.order);
    place_ = std::move(elimination.place);
    column_.resize(static_cast<std::size_t>(nodes));
    for (int p = 0; p < nodes; ++p) {
        column_[p].first = static_cast<int>(after_.size());
        column_[p].count = static_cast<int>(elimination.after[p].size());
        after_.insert(after_.end(), elimination.after[p].begin(), elimination.after[p].end());
    }
    value_.assign(static_cast<std::size_t>(nodes) + after_.size(), Mat6::Zero());
    root_.assign(static_cast<std::size_t>(nodes), Mat6::Zero());
    sign_.assign(static_cast<std::size_t>(nodes), Vec6::Ones());
    for (Column& c : column_) {
        c.update = static_cast<int>(update_.size());
        for (int x = 0; x < c.count; ++x) {
            for (int y = 0; y <= x; ++y)
                update_.push_back(entry(order_[after_[c.first + x]], order_[after_[c.first + y]]).index);
        }
    }
}

BlockLdlt::Entry BlockLdlt::entry(int i, int j) const {
    if (i == j)
        return {place_[i], false};
    const int early = std::min(place_[i], place_[j]), late = std::max(place_[i], place_[j]);
    const Column& c = column_[early];
    const auto first = after_.begin() + c.first, last = first + c.count;
    const auto found = std::lower_bound(first, last, late);
    if (found == last || *found != late)
        throw std::logic_error("BlockLdlt: no such block");
    return {n_ + static_cast<int>(found - after_.begin()), place_[i] < place_[j]};
}

void BlockLdlt::set_zero() {
    for (Mat6& m : value_)
        m.setZero();
}

namespace {

/// F and S of a block that is not positive definite; false where it is singular.
bool decompose(const Mat6& block, Mat6& root, Vec6& sign) {
    if (!block.allFinite())
        return false;
    const Eigen::SelfAdjointEigenSolver<Mat6> eigen(block);
    const Vec6& values = eigen.eigenvalues();
    if (!(values.cwiseAbs().minCoeff() > 0))
        return false;
    root.noalias() =
        values.cwiseAbs().cwiseSqrt().cwiseInverse().asDiagonal() * eigen.eigenvectors().transpose();
    sign = values.cwiseSign();
    return true;
}

} // namespace

bool BlockLdlt::factor() {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const bool definite = invert_cholesky_factor(value_[p], root_[p]);
        if (definite)
            sign_[p].setOnes();
        else if (!decompose(value_[p], root_[p], sign_[p]))
            return false;
        Mat6* const below = value_.data() + n_ + c.first;
        const int* update = update_.data() + c.update;
        for (int x = 0; x < c.count; ++x) {
            Mat6 w;
            w.noalias() = below[x] * root_[p].transpose();
            below[x] = w;
            if (!definite)
                w = w * sign_[p].asDiagonal();
            for (int y = 0; y <= x; ++y)
                value_[*update++].noalias() -= w * below[y].transpose();
        }
    }
    return true;
}

void BlockLdlt::solve(Vector& x) const {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const Vec6 z = sign_[p].cwiseProduct(root_[p] * x.segment<6>(6 * order_[p]));
        x.segment<6>(6 * order_[p]) = z;
        for (int k = 0; k < c.count; ++k)
            x.segment<6>(6 * order_[after_[c.first + k]]).noalias() -= value_[n_ + c.first + k] * z;
    }
    for (int p = n_ - 1; p >= 0; --p) {
        const Column& c = column_[p];
        Vec6 w = Vec6::Zero();
        for (int k = 0; k < c.count; ++k)
            w.noalias() +=
                value_[n_ + c.first + k].transpose() * x.segment<6>(6 * order_[after_[c.first + k]]);
        const Vec6 z = x.segment<6>(6 * order_[p]) - sign_[p].cwiseProduct(w);
        x.segment<6>(6 * order_[p]).noalias() = root_[p].transpose() * z;
    }
}

} // namespace tenon
