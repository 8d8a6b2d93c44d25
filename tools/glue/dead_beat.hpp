#pragma once
// Method dead-beat, for FMUs that cannot go back: one step each. At its start the accelerations give the multipliers that close
// the joints, linear extrapolation takes them over the step, and a force that is constant over the step brings back what the last
// ones have left open (algorithms section 2.1):
//
//     G lambda* = -phi''_free,    lambda(s) = lambda* + s (lambda* - lambda*_before) - G^-1 (k1 phi / h^2 + k2 phi' / h)
//     k1 = (1 - r)^2,  k2 = (1 - r) (3 + r) / 2
//
// which puts both poles of the gap at r: 0 is dead-beat, 0.5 leaves a margin that loops through many FMUs need.

#include "tools/glue/group.hpp"

namespace tenon::glue {

class DeadBeatGroup final : public Group {
  public:
    DeadBeatGroup(master::Ensemble& ensemble, std::vector<GluedJoint*> joints, std::vector<GluedFmu*> fmus,
                  const GlueSettings& settings);

    Method method() const override { return Method::dead_beat; }
    bool begin(double t, double h) override;
    Next look(double t, double h) override;
    void accept(double t, double h) override;
    bool restart(double t) override;
    void change_rows(std::size_t j, const RowTransform& T) override;
    void write(master::ByteWriter& bytes) const override;
    void read(master::ByteReader& bytes) override;

  private:
    double pole_;
    Vector now_, before_, correction_; ///< lambda* at the start of this step and of the last one
    bool has_before_ = false;
};

/// Method compliant, a spring and a damper instead of a joint: lambda = -(k phi + d phi'), constant over a step. Not exact: the joint
/// gives way by force over stiffness, and a stiffness that the step cannot follow is unstable.
class CompliantGroup final : public Group {
  public:
    /// Of each joint; both must be set.
    struct Spring {
        double stiffness = 0, damping = 0;
    };
    CompliantGroup(master::Ensemble& ensemble, std::vector<GluedJoint*> joints, std::vector<GluedFmu*> fmus,
                   const GlueSettings& settings, std::vector<Spring> springs);

    Method method() const override { return Method::compliant; }
    bool begin(double t, double h) override;
    Next look(double t, double h) override;

  private:
    std::vector<Spring> springs_;
};

} // namespace tenon::glue
