#include "core/math/block_lu.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace tenon {

namespace {

/// Gauss-Jordan with row pivots; false where a pivot is zero or not a number.
bool invert(Mat6 a, Mat6& inverse) {
    inverse.setIdentity();
    for (int c = 0; c < 6; ++c) {
        int best = c;
        for (int r = c + 1; r < 6; ++r) {
            best = std::abs(a(r, c)) > std::abs(a(best, c)) ? r : best;
        }
        if (!(std::abs(a(best, c)) > 0)) {
            return false;
        }
        if (best != c) {
            a.row(c).swap(a.row(best));
            inverse.row(c).swap(inverse.row(best));
        }
        const double pivot = 1 / a(c, c);
        a.row(c) *= pivot;
        inverse.row(c) *= pivot;
        for (int r = 0; r < 6; ++r) {
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

BlockLu::BlockLu(int nodes, const std::vector<std::pair<int, int>>& edges) : n_(nodes) {
    std::vector<std::set<int>> near(static_cast<std::size_t>(nodes));
    for (const auto& [i, j] : edges) {
        if (i != j) {
            near[i].insert(j);
            near[j].insert(i);
        }
    }
    // Least degree.
    std::set<std::pair<int, int>> queue;
    for (int i = 0; i < nodes; ++i) {
        queue.emplace(static_cast<int>(near[i].size()), i);
    }
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
                if (i != j) {
                    near[i].insert(j);
                }
            }
        }
        for (int i : later[k]) {
            queue.emplace(static_cast<int>(near[i].size()), i);
        }
    }
    // Blocks in elimination order: diagonal, then pairs (lower, upper).
    find_.resize(static_cast<std::size_t>(nodes));
    column_.resize(static_cast<std::size_t>(nodes));
    int blocks = 0;
    for (int p = 0; p < nodes; ++p) {
        std::vector<int> after;
        for (int k : later[order_[p]]) {
            after.push_back(place_[k]);
        }
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
    for (auto& row : find_) {
        std::sort(row.begin(), row.end());
    }
    for (Column& c : column_) {
        c.update = static_cast<int>(update_.size());
        for (int x = 0; x < c.count; ++x) {
            for (int y = 0; y < c.count; ++y) {
                update_.push_back(index(order_[after_[c.first + x]], order_[after_[c.first + y]]));
            }
        }
    }
    value_.assign(static_cast<std::size_t>(blocks), Mat6::Zero());
    inverse_.assign(static_cast<std::size_t>(nodes), Mat6::Zero());
}

int BlockLu::index(int i, int j) const {
    const auto& row = find_[place_[i]];
    const auto found = std::lower_bound(row.begin(), row.end(), std::pair<int, int>(place_[j], -1));
    if (found == row.end() || found->first != place_[j]) {
        throw std::logic_error("BlockLu: no such block");
    }
    return found->second;
}

void BlockLu::set_zero() {
    for (Mat6& m : value_) {
        m.setZero();
    }
}

bool BlockLu::factor() {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const Mat6& diagonal = value_[c.diagonal];
        if (!invert(diagonal, inverse_[p])) {
            return false;
        }
        int update = c.update;
        for (int x = 0; x < c.count; ++x) {
            Mat6& lower = value_[lower_[c.first + x]];
            lower = Mat6(lower * inverse_[p]);
            for (int y = 0; y < c.count; ++y) {
                value_[update_[update++]].noalias() -= lower * value_[upper_[c.first + y]];
            }
        }
    }
    return true;
}

void BlockLu::solve(Vector& x) const {
    for (int p = 0; p < n_; ++p) {
        const Column& c = column_[p];
        const Vec6 b = x.segment<6>(6 * order_[p]);
        for (int k = 0; k < c.count; ++k) {
            x.segment<6>(6 * order_[after_[c.first + k]]).noalias() -= value_[lower_[c.first + k]] * b;
        }
    }
    for (int p = n_ - 1; p >= 0; --p) {
        const Column& c = column_[p];
        Vec6 b = x.segment<6>(6 * order_[p]);
        for (int k = 0; k < c.count; ++k) {
            b.noalias() -= value_[upper_[c.first + k]] * x.segment<6>(6 * order_[after_[c.first + k]]);
        }
        x.segment<6>(6 * order_[p]) = inverse_[p] * b;
    }
}

} // namespace tenon
