#pragma once
// Which rows of a group of joints are independent, decided on the compliance between the joints (gluing-in-space section 3):
//
//     G = sum over FMUs of B H B^T,   S = d^-1 G d^-1
//
// with one scale d a joint for its rows in metres and one for those in radians: the root of the largest G_ii among them. (A scale for each
// row would depend on the axes: a plane machine that stands askew in space has rows of a little compliance, not on their own, and
// forces along them would be scaled up.) S is eliminated joint by joint along the graph of joints that share an FMU. Directions in
// which what is left of a joint's own block is below 1e-8 are given by earlier joints, or move nothing: they are left out. The multipliers
// are then U y with U = d^-1 V, V the directions that are kept, block by block, and U^T G U is regular. Cost and fill-in are those of a
// sparse factorisation; allocates nothing after construction.
//
// All rows of a kind may have no compliance at all, and rounding must not be scaled up: d^2 is at least 1e-10 of the largest G_ii there is,
// and 2e-6 of |B| |H| |B|^T, the terms whose difference G_ii is; they are rounded by some 1e-15 of their size, far below the threshold.

#include "core/math/types.hpp"

#include <array>
#include <utility>
#include <vector>

namespace tenon {
class ByteReader;
class ByteWriter;
} // namespace tenon

namespace tenon::glue {

using Mat6 = Eigen::Matrix<double, 6, 6>;

class JointBasis {
  public:
    using Row6 = Eigen::Matrix<double, 6, 1>;
    /// Rows of a joint, at most 6; which of them are in radians.
    struct Rows {
        int count = 0;
        std::array<bool, 6> angular{};
    };
    /// `edges`: pairs of joints that share an FMU.
    JointBasis(const std::vector<Rows>& rows, const std::vector<std::pair<int, int>>& edges);

    void set_zero();
    /// G_ij += value. Both (i, j) and (j, i) are given; one of them is used.
    void add(int i, int j, const Mat6& value);
    /// The sizes of the terms that make up G_ii of a joint: what they are rounded in proportion to.
    void add_terms(int joint, const Row6& terms) { terms_[static_cast<std::size_t>(joint)] += terms; }
    /// What counts as nothing: eigenvalues of S, and G_ii against the largest.
    struct Limits {
        double threshold = 1e-8, floor = 1e-10;
    };
    /// Decides; what was added is used up.
    void find(const Limits& limits);

    int joints() const { return static_cast<int>(rows_.size()); }
    int rows(int joint) const { return rows_[static_cast<std::size_t>(joint)].count; }
    int rank(int joint) const { return rank_[static_cast<std::size_t>(joint)]; }
    /// U of a joint: its first rank() columns; the others are zero.
    const Mat6& basis(int joint) const { return basis_[static_cast<std::size_t>(joint)]; }
    /// The part of a joint's residual that its kept directions see.
    const Mat6& kept(int joint) const { return kept_[static_cast<std::size_t>(joint)]; }
    int deficiency() const { return deficiency_; }
    bool is_found() const { return found_; }

    /// For checkpoints.
    void write(ByteWriter& bytes) const;
    void read(ByteReader& bytes);

  private:
    struct Coupling {
        int other = 0, block = 0;
    };
    struct Update {
        int left = 0, right = 0, target = 0; ///< blocks
    };
    struct Step {
        int joint = 0;
        std::vector<Coupling> later;
        std::vector<Update> updates;
    };

    int block_of(int i, int j) const;
    void choose_scales(const Limits& limits);
    void decide(int joint, double threshold, Mat6& inverse);

    std::vector<Rows> rows_;
    std::vector<int> rank_, place_;
    std::vector<Step> steps_;
    std::vector<std::vector<std::pair<int, int>>> find_; ///< by joint: (joint eliminated later, block)
    std::vector<Mat6> diagonal_, coupling_, basis_, kept_;
    std::vector<Row6> scale_, terms_;
    int deficiency_ = 0;
    bool found_ = false;
};

} // namespace tenon::glue
