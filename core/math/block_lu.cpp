#include "core/math/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace tenon {

namespace {

/// Gauss-Jordan with row pivots; false where a pivot is zero or not a number.
template <class Block> bool invert(Block a, Block& inverse) {
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

} // namespace
template <int Width>
BlockLuOf<Width>::BlockLuOf(int nodes, const std::vector<std::pair<int, int>>& edges) : n_(nodes) {
    std::vector<std::set<int>> near(static_cast<std::size_t>(nodes));
    for (const auto& [i, j] : edges) {
        if (i != j) {
            near[i].insert(j);
            near[j].insert(i);
        }
    }
    // Least degree.
    std::set<std::pair<int, int>> queue;
    for (int i = 0; i < nodes; ++i)
        queue.emplace(static_cast<int>(near[i].size()), i);
    std::vector<std::vector<int>> later(static_cast<std::size_t>(nodes));
    place_.assign(static_cast<std::size_t>(nodes), 0);
    while (!queue.empty()) {
        const int k = queue.begin()->second;
        queue.erase(queue.begin());
        place_[k] = static_cast<int>(order_.size());
        order_.push_back(k);
        later[k].assign(near[k].begin(), near[k].end());
        for (int i : later[k]) {
            queue.erase({static_cast<int>(near[i].size()), i});
        }
        for (int i : later[k]) {
            near[i].erase(k);
            for (int j : later[k]) {
                if (i != j)
                    near[i].insert(j);
            }
        }
        for (int i : later[k])
            queue.emplace(static_cast<int>(near[i].size()), i);
    }
    // Blocks in elimination order: diagonal, then pairs (lower, upper).
    find_.resize(static_cast<std::size_t>(nodes));
    column_.resize(static_cast<std::size_t>(nodes));
    int blocks = 0;
    for (int p = 0; p < nodes; ++p) {
        std::vector<int> after;
        for (int k : later[order_[p]])
            after.push_back(place_[k]);
        std::sort(after.begin(), after.end());
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
        if (!invert(diagonal, inverse_[p]))
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
