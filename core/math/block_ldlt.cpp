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
    inverse_.assign(static_cast<std::size_t>(nodes), Mat6::Zero());
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

bool BlockLdlt::factor() {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        inverse_[p] = value_[p];
        if (!invert_definite_block(inverse_[p]) && !invert_block(value_[p], inverse_[p]))
            return false;
        // From the last to the first, so that the blocks of earlier rows are still those of A.
        Mat6* const below = value_.data() + n_ + c.first;
        for (int x = c.count - 1; x >= 0; --x) {
            Mat6 lower;
            lower.noalias() = below[x] * inverse_[p];
            const int* update = update_.data() + c.update + x * (x + 1) / 2;
            for (int y = 0; y <= x; ++y)
                value_[update[y]].noalias() -= lower * below[y].transpose();
            below[x] = lower;
        }
    }
    return true;
}

void BlockLdlt::solve(Vector& x) const {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const Vec6 b = x.segment<6>(6 * order_[p]);
        for (int k = 0; k < c.count; ++k)
            x.segment<6>(6 * order_[after_[c.first + k]]).noalias() -= value_[n_ + c.first + k] * b;
    }
    for (int p = n_ - 1; p >= 0; --p) {
        const Column& c = column_[p];
        Vec6 b = inverse_[p] * x.segment<6>(6 * order_[p]);
        for (int k = 0; k < c.count; ++k)
            b.noalias() -=
                value_[n_ + c.first + k].transpose() * x.segment<6>(6 * order_[after_[c.first + k]]);
        x.segment<6>(6 * order_[p]) = b;
    }
}

} // namespace tenon
