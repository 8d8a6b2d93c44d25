#pragma once
// The registry of tyre laws: what a tyre does along and across its plane for a given normal force. One file <type>.cpp each.
//
// Axes: forward e_x = axis x n, lateral e_y = n x e_x, n the normal of the road. Slips and forces have the signs of these axes:
//   slip angle   atan(v_y / |v_x|) of the wheel's centre        lateral force along e_y, opposes it
//   slip ratio   (radius Omega - v_x) / |v_x|                   longitudinal force along e_x, follows it
//   camber       asin(n.axis), positive where the wheel leans towards -e_y

#include "core/model/key.hpp"

#include <limits>
#include <memory>

namespace tenon {

struct TyreInput {
    double normal = 0;   ///< N, positive
    double slip = 0;     ///< angle (rad) or ratio
    double sliding = 0;  ///< m/s along the same direction: v_y, or v_x - radius Omega
    double camber = 0;   ///< rad
    double friction = 1; ///< of the road, scales the tyre's
};

struct TyreForce {
    double value = 0;                                       ///< N
    double limit = std::numeric_limits<double>::infinity(); ///< the most that friction allows
};

class TyreLaw {
  public:
    virtual ~TyreLaw() = default;
    virtual TyreForce force(const TyreInput& in) const = 0;
    /// Aligning torque about n that comes with a lateral force.
    virtual double moment(const TyreInput&, double /*force*/) const { return 0; }
};

struct TyreLawType {
    ChoiceType choice;
    std::unique_ptr<TyreLaw> (*make)(const Choice&) = nullptr; ///< null: none
};

const std::vector<TyreLawType>& lateral_laws();
const std::vector<TyreLawType>& longitudinal_laws();
/// The same as types of a choice, for readers.
const std::vector<ChoiceType>& lateral_choices();
const std::vector<ChoiceType>& longitudinal_choices();
/// Null where none is chosen.
std::unique_ptr<TyreLaw> make_tyre_law(const std::vector<TyreLawType>& types, const Choice& given);

/// x - x |x| / 3 + x^3 / 27 up to |x| = 3, where it is 1, and sign(x) beyond: slope 1 at zero, 0 where it ends.
double saturation(double x);

} // namespace tenon
