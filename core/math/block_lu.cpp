#include "core/math/block_lu.hpp"

#include "core/math/block_elimination.hpp"
#include "core/math/block_inverse.hpp"

#include <algorithm>
#include <stdexcept>

namespace tenon {

template <int Width>
BlockLuOf<Width>::BlockLuOf(int nodes, const std::vector<std::pair<int, int>>& edges) : n_(nodes) {
    BlockElimination elimination = eliminate_by_least_degree(nodes, edges);
    order_ = std::move(elimination.order);
    place_ = std::move(elimination.place);
    // Blocks in elimination order: diagonal, then pairs (lower, upper).
    find_.resize(static_cast<std::size_t>(nodes));
    column_.resize(static_cast<std::size_t>(nodes));
    int blocks = 0;
    for (int p = 0; p < nodes; ++p) {
        const std::vector<int>& after = elimination.after[p];
        column_[p].diagonal = blocks;
        find_[p].emplace_back(p, blocks++);
        column_[p].first = static_cast<int>(after_.size());
        column_[p].count = static_cast<int>(after.size());
        for (int q : after) {
            after_.push_back(q);
            lower_.push_back(blocks);
            find_[q].emplace_back(p, blocks++);
            upper_.push_back(blocks);
            find_[p].emplace_back(q, blocks++);
        }
    }
    for (auto& row : find_)
        std::sort(row.begin(), row.end());
    for (Column& c : column_) {
        c.update = static_cast<int>(update_.size());
        for (int x = 0; x < c.count; ++x) {
            for (int y = 0; y < c.count; ++y)
                update_.push_back(index(order_[after_[c.first + x]], order_[after_[c.first + y]]));
        }
    }
    value_.assign(static_cast<std::size_t>(blocks), Block::Zero());
    inverse_.assign(static_cast<std::size_t>(nodes), Block::Zero());
}

template <int Width> int BlockLuOf<Width>::index(int i, int j) const {
    const auto& row = find_[place_[i]];
    const auto found = std::lower_bound(row.begin(), row.end(), std::pair<int, int>(place_[j], -1));
    if (found == row.end() || found->first != place_[j])
        throw std::logic_error("BlockLu: no such block");
    return found->second;
}

template <int Width> void BlockLuOf<Width>::set_zero() {
    for (Block& m : value_)
        m.setZero();
}

template <int Width> bool BlockLuOf<Width>::factor() {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const Block& diagonal = value_[c.diagonal];
        if (!invert_block(diagonal, inverse_[p]))
            return false;
        int update = c.update;
        for (int x = 0; x < c.count; ++x) {
            Block& lower = value_[lower_[c.first + x]];
            lower = Block(lower * inverse_[p]);
            for (int y = 0; y < c.count; ++y)
                value_[update_[update++]].noalias() -= lower * value_[upper_[c.first + y]];
        }
    }
    return true;
}

template <int Width> void BlockLuOf<Width>::solve(Vector& x) const {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const Segment b = x.template segment<Width>(Width * order_[p]);
        for (int k = 0; k < c.count; ++k)
            x.template segment<Width>(Width * order_[after_[c.first + k]]).noalias() -=
                value_[lower_[c.first + k]] * b;
    }
    for (int p = n_ - 1; p >= 0; --p) {
        const Column& c = column_[p];
        Segment b = x.template segment<Width>(Width * order_[p]);
        for (int k = 0; k < c.count; ++k)
            b.noalias() -=
                value_[upper_[c.first + k]] * x.template segment<Width>(Width * order_[after_[c.first + k]]);
        x.template segment<Width>(Width * order_[p]) = inverse_[p] * b;
    }
}

template class BlockLuOf<6>;
template class BlockLuOf<12>;
template class BlockLuOf<18>;

} // namespace tenon
