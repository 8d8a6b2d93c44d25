#pragma once
// Method dead-beat, for FMUs without rollback: one step each. At its start the accelerations give the multipliers that close
// the joints, linear extrapolation takes them over the step, and a force that is constant over the step brings back what the last
// ones have left open:
//
//     G lambda* = -phi''_free,    lambda(s) = lambda* + s (lambda* - lambda*_before) - G^-1 (k1 phi / h^2 + k2 phi' / h)
//     k1 = (1 - r)^2,  k2 = (1 - r) (3 + r) / 2
//
// which puts both poles of the gap at r: 0 is dead-beat, 0.5 leaves a margin that loops through many FMUs need.

#include "tools/glue/methods/method_types.hpp"

namespace tenon::glue {

class DeadBeatGroup final : public Group {
  public:
    explicit DeadBeatGroup(GroupParts parts);

    const MethodType& method() const override { return dead_beat_method; }
    bool begin(double t, double h) override;
    Next look(double t, double h) override;
    void accept(double t, double h) override;
    bool restart(double t) override;
    void change_rows(std::size_t j, const RowTransform& T) override;
    void write(ByteWriter& bytes) const override;
    void read(ByteReader& bytes) override;

  private:
    double pole_;
    Vector now_, before_, correction_; ///< lambda* at the start of this step and of the last one
    bool has_before_ = false;
};

} // namespace tenon::glue
