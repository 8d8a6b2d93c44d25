#pragma once
// One correction of the multipliers of a group from the residual R of its joints, in the basis of their independent rows:
//
//     (U^T J U) y = -U^T R,   multipliers += U y
//
// R has `Width` entries a joint, six for each condition at the end of the step, and y as many, six for each coefficient of the
// multipliers that is sought. Later corrections of the same step have learned from the earlier ones (broyden.hpp).

#include "core/math/block_lu.hpp"
#include "tools/glue/joint_basis.hpp"
#include "tools/glue/methods/broyden.hpp"

namespace tenon::glue {

template <int Width> class Correction {
  public:
    using Block = typename BlockLuOf<Width>::Block;
    static constexpr int parts = Width / 6;

    Correction(int joints, const std::vector<std::pair<int, int>>& edges)
        : lu_(joints, edges), broyden_(Width * joints) {
        for (Vector* vector : {&last_R_, &step_, &image_})
            *vector = Vector::Zero(Width * joints);
    }

    /// Nothing is known from earlier corrections.
    void forget() {
        broyden_.clear();
        has_last_ = false;
    }

    void set_zero() { lu_.set_zero(); }
    /// J between the joints i and j.
    void add(const JointBasis& basis, int i, int j, const Block& J) {
        Block& target = lu_.block(i, j);
        for (int r = 0; r < Width; r += 6)
            for (int c = 0; c < Width; c += 6)
                target.template block<6, 6>(r, c).noalias() +=
                    basis.basis(i).transpose() * J.template block<6, 6>(r, c) * basis.basis(j);
    }
    /// With ones where a joint has fewer than six directions. False where it is singular.
    bool factor(const JointBasis& basis) {
        for (int j = 0; j < basis.joints(); ++j)
            for (int i = basis.rank(j); i < 6; ++i)
                for (int part = 0; part < Width; part += 6)
                    lu_.block(j, j)(part + i, part + i) = 1;
        return lu_.factor();
    }

    /// y. `learned`: with what earlier corrections have shown, not by J alone.
    void solve(const JointBasis& basis, const Vector& R, bool learned) {
        if (has_last_) { // what the last one has done
            last_R_ = R - last_R_;
            project(basis, last_R_, image_);
            lu_.solve(image_);
            broyden_.apply(image_);
            broyden_.add(step_, image_);
        }
        has_last_ = true;
        last_R_ = R;
        project(basis, R, step_);
        lu_.solve(step_);
        if (learned)
            broyden_.apply(step_);
        step_ = -step_;
    }
    /// Size of y, the change of the forces that the last solve asks for. U scales forces by the root of the compliance of their joint, so
    /// that y^2 is an energy: forces and torques, on heavy parts and on light ones, count alike.
    double size() const { return step_.norm(); }
    /// U y of one coefficient of a joint.
    Eigen::Matrix<double, 6, 1> change(const JointBasis& basis, int joint, int part) const {
        return basis.basis(joint) * step_.template segment<6>(Width * joint + 6 * part);
    }

  private:
    static void project(const JointBasis& basis, const Vector& R, Vector& reduced) {
        for (int j = 0; j < basis.joints(); ++j)
            for (int part = Width * j; part < Width * (j + 1); part += 6)
                reduced.template segment<6>(part).noalias() =
                    basis.basis(j).transpose() * R.template segment<6>(part);
    }

    BlockLuOf<Width> lu_;
    Broyden broyden_;
    Vector last_R_, step_, image_;
    bool has_last_ = false;
};

} // namespace tenon::glue
