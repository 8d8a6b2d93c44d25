#pragma once
// Method newton with cubic multipliers: the accelerations fit at both ends of the step, too,
//
//     lambda(t + s h) = c0 + c1 s + c2 s^2 + c3 s^3,   c0 = lambda at the end of the last step
//     R = (phi / h^2, phi' / h, phi'') = 0 at t + h
//
// First-order answer of R to c_k, k = 1, 2, 3, with G0, G1, D as in iterated.hpp:
//
//     phi / h^2: G0 / ((k+1)(k+2)) + D / ((k+2)(k+3)),   phi' / h: G0 / (k+1) + D / (k+2),   phi'': G1
//
// It has to be iterated until nothing is left: a step that is corrected once only blows up. The wrench turns with the ports, whose
// poses are quintic polynomials through both ends with their accelerations.

#include "tools/glue/methods/correction.hpp"
#include "tools/glue/methods/method_types.hpp"

namespace tenon::glue {

class CubicGroup final : public Group {
  public:
    explicit CubicGroup(GroupParts parts);

    const MethodType& method() const override { return newton_method; }
    bool begin(double t, double h) override;
    Next look(double t, double h) override;
    void accept(double t, double h) override;

  private:
    static constexpr int most_corrections = 15;

    void evaluate_nodes(double t, double h);
    void place_cubic_wrenches();
    double residual(double h);
    bool is_closed(double norm, double h) const;
    bool jacobian();
    void correct();
    Next give_up(double norm, double h);
    bool read_end_accelerations();

    std::vector<std::array<PortJointRows, 3>> inner_; ///< rows at s = 1/4, 1/2, 3/4, for each joint
    Correction<18> correction_;
    Vector R_;
    double predicted_ = 0, last_norm_ = 0, scale_ = 1;
    bool is_lost_ = false; ///< an FMU failed when the last step was over
};

} // namespace tenon::glue
