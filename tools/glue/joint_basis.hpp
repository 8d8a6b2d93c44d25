#pragma once
// Which rows of a group of joints are independent, decided on the compliance between the joints (gluing-in-space section 3):
//
//     G = sum over FMUs of B H B^T,   S = d^-1 G d^-1 with d_i = sqrt(max(G_ii, 1e-10 max G))
//
// S is eliminated joint by joint along the graph of joints that share an FMU. Directions in which what is left of a joint's own
// block is below 1e-8 are given by earlier joints, or move nothing: they are left out. The multipliers are then U y with
// U = d^-1 V, V the directions that are kept, block by block, and U^T G U is regular. Cost and fill-in are those of a sparse
// factorisation; allocates nothing after construction.
//
// The floor in d is for planar machines in space: whole rows have no compliance at all, and rounding must not be scaled up.

#include "core/math/types.hpp"

#include <utility>
#include <vector>

namespace tenon::master {
class ByteReader;
class ByteWriter;
} // namespace tenon::master

namespace tenon::glue {

using Mat6 = Eigen::Matrix<double, 6, 6>;

class JointBasis {
  public:
    /// `rows`: of each joint, at most 6; `edges`: pairs of joints that share an FMU.
    JointBasis(std::vector<int> rows, const std::vector<std::pair<int, int>>& edges);

    void set_zero();
    /// G_ij += value. Both (i, j) and (j, i) are given; one of them is used.
    void add(int i, int j, const Mat6& value);
    /// What counts as nothing: eigenvalues of S, and G_ii against the largest.
    struct Limits {
        double threshold = 1e-8, floor = 1e-10;
    };
    /// Decides; what was added is used up.
    void find(const Limits& limits);

    int joints() const { return static_cast<int>(rows_.size()); }
    int rows(int joint) const { return rows_[static_cast<std::size_t>(joint)]; }
    int rank(int joint) const { return rank_[static_cast<std::size_t>(joint)]; }
    /// U of a joint: its first rank() columns; the others are zero.
    const Mat6& basis(int joint) const { return basis_[static_cast<std::size_t>(joint)]; }
    /// The part of a joint's residual that its kept directions see.
    const Mat6& kept(int joint) const { return kept_[static_cast<std::size_t>(joint)]; }
    int deficiency() const { return deficiency_; }
    bool is_found() const { return found_; }

    /// For checkpoints.
    void write(master::ByteWriter& bytes) const;
    void read(master::ByteReader& bytes);

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
    void decide(int joint, double threshold, Mat6& inverse);

    std::vector<int> rows_, rank_, place_;
    std::vector<Step> steps_;
    std::vector<std::vector<std::pair<int, int>>> find_; ///< by joint: (joint eliminated later, block)
    std::vector<Mat6> diagonal_, coupling_, basis_, kept_;
    std::vector<Eigen::Matrix<double, 6, 1>> scale_;
    int deficiency_ = 0;
    bool found_ = false;
};

} // namespace tenon::glue
