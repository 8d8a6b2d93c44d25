#include "tools/glue/joint_basis.hpp"

#include "core/math/bytes.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <set>

namespace tenon::glue {
namespace {

constexpr double part_of_terms = 2e-6;

} // namespace

JointBasis::JointBasis(const std::vector<Rows>& rows, const std::vector<std::pair<int, int>>& edges)
    : rows_(rows) {
    const std::size_t n = rows_.size();
    rank_.assign(n, 0);
    place_.assign(n, 0);
    find_.resize(n);
    diagonal_.assign(n, Mat6::Zero());
    basis_.assign(n, Mat6::Zero());
    kept_.assign(n, Mat6::Zero());
    scale_.assign(n, Row6::Ones());
    terms_.assign(n, Row6::Zero());
    std::vector<std::set<int>> near(n);
    for (const auto& [i, j] : edges)
        if (i != j) {
            near[static_cast<std::size_t>(i)].insert(j);
            near[static_cast<std::size_t>(j)].insert(i);
        }
    std::set<std::pair<std::size_t, int>> queue; // by degree
    for (std::size_t i = 0; i < n; ++i)
        queue.emplace(near[i].size(), static_cast<int>(i));
    while (!queue.empty()) {
        const int k = queue.begin()->second;
        queue.erase(queue.begin());
        const std::set<int> later = near[static_cast<std::size_t>(k)];
        place_[static_cast<std::size_t>(k)] = static_cast<int>(steps_.size());
        Step step{.joint = k, .later = {}, .updates = {}};
        for (const int i : later) {
            std::set<int>& its = near[static_cast<std::size_t>(i)];
            queue.erase({its.size(), i});
            its.erase(k);
            its.insert(later.begin(), later.end());
            its.erase(i);
            queue.emplace(its.size(), i);
            step.later.push_back({i, static_cast<int>(coupling_.size())});
            find_[static_cast<std::size_t>(k)].emplace_back(i, static_cast<int>(coupling_.size()));
            coupling_.push_back(Mat6::Zero());
        }
        steps_.push_back(std::move(step));
    }
    for (Step& step : steps_) {
        std::ranges::sort(step.later, {},
                          [&](const Coupling& c) { return place_[static_cast<std::size_t>(c.other)]; });
        for (std::size_t a = 0; a < step.later.size(); ++a)
            for (std::size_t b = a + 1; b < step.later.size(); ++b)
                step.updates.push_back({step.later[a].block, step.later[b].block,
                                        block_of(step.later[a].other, step.later[b].other)});
    }
}

/// `i` is eliminated before `j`.
int JointBasis::block_of(int i, int j) const {
    for (const auto& [other, block] : find_[static_cast<std::size_t>(i)])
        if (other == j)
            return block;
    return -1;
}

void JointBasis::set_zero() {
    for (Mat6& block : diagonal_)
        block.setZero();
    for (Mat6& block : coupling_)
        block.setZero();
    for (auto& terms : terms_)
        terms.setZero();
}

void JointBasis::add(int i, int j, const Mat6& value) {
    if (i == j)
        diagonal_[static_cast<std::size_t>(i)] += value;
    else if (place_[static_cast<std::size_t>(i)] < place_[static_cast<std::size_t>(j)])
        coupling_[static_cast<std::size_t>(block_of(i, j))] += value;
}

void JointBasis::decide(int joint, double threshold, Mat6& inverse) {
    const auto j = static_cast<std::size_t>(joint);
    const int m = rows_[j].count;
    using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
    const Small block = diagonal_[j].topLeftCorner(m, m);
    const Small symmetric = 0.5 * (block + block.transpose());
    const Eigen::SelfAdjointEigenSolver<Small> eigen(symmetric);
    basis_[j].setZero();
    kept_[j].setZero();
    inverse.setZero();
    int rank = 0;
    for (int i = 0; i < m; ++i) {
        const double value = eigen.eigenvalues()[i];
        if (!(value > threshold))
            continue;
        const auto v = eigen.eigenvectors().col(i);
        basis_[j].col(rank++).head(m) = v.cwiseQuotient(scale_[j].head(m));
        inverse.topLeftCorner(m, m) += v * v.transpose() / value;
        kept_[j].topLeftCorner(m, m) +=
            v.cwiseProduct(scale_[j].head(m)) * v.cwiseQuotient(scale_[j].head(m)).transpose();
    }
    if (rank == m)
        kept_[j].setIdentity();
    rank_[j] = rank;
    deficiency_ += m - rank;
}

void JointBasis::choose_scales(const Limits& limits) {
    double largest = 0;
    for (const Mat6& block : diagonal_)
        largest = std::max(largest, block.diagonal().maxCoeff());
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        std::array<double, 2> squares;
        squares.fill(largest > 0 ? limits.floor * largest : 1);
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows_[j].count); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            double& square = squares[rows_[j].angular[i] ? 1 : 0];
            square = std::max({square, diagonal_[j](row, row), part_of_terms * terms_[j][row]});
        }
        for (std::size_t i = 0; i < 6; ++i)
            scale_[j][static_cast<Eigen::Index>(i)] = std::sqrt(squares[rows_[j].angular[i] ? 1 : 0]);
    }
}

void JointBasis::find(const Limits& limits) {
    choose_scales(limits);
    const auto rescale = [&](Mat6& block, std::size_t i, std::size_t k) {
        block = scale_[i].cwiseInverse().asDiagonal() * block * scale_[k].cwiseInverse().asDiagonal();
    };
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        rescale(diagonal_[j], j, j);
        for (const auto& [other, block] : find_[j])
            rescale(coupling_[static_cast<std::size_t>(block)], j, static_cast<std::size_t>(other));
    }
    deficiency_ = 0;
    found_ = true;
    Mat6 inverse, left;
    for (const Step& step : steps_) {
        decide(step.joint, limits.threshold, inverse);
        std::size_t update = 0;
        for (std::size_t a = 0; a < step.later.size(); ++a) {
            const Mat6& S = coupling_[static_cast<std::size_t>(step.later[a].block)];
            left.noalias() = S.transpose() * inverse;
            diagonal_[static_cast<std::size_t>(step.later[a].other)].noalias() -= left * S;
            for (std::size_t b = a + 1; b < step.later.size(); ++b, ++update)
                coupling_[static_cast<std::size_t>(step.updates[update].target)].noalias() -=
                    left * coupling_[static_cast<std::size_t>(step.updates[update].right)];
        }
    }
}

void JointBasis::write(ByteWriter& bytes) const {
    bytes.put(found_);
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        bytes.put<std::int32_t>(rank_[j]);
        for (const Mat6* matrix : {&basis_[j], &kept_[j]})
            bytes.put(std::span<const double>(matrix->data(), 36));
    }
}

void JointBasis::read(ByteReader& bytes) {
    found_ = bytes.get<bool>();
    deficiency_ = 0;
    for (std::size_t j = 0; j < rows_.size(); ++j) {
        rank_[j] = std::clamp<int>(bytes.get<std::int32_t>(), 0, rows_[j].count);
        for (Mat6* matrix : {&basis_[j], &kept_[j]})
            bytes.get(std::span<double>(matrix->data(), 36));
        deficiency_ += found_ ? rows_[j].count - rank_[j] : 0;
    }
}

} // namespace tenon::glue
