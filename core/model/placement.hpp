#pragma once
// A whole machine put elsewhere: its world becomes a frame in another world.

#include "core/model/model.hpp"

namespace tenon {

/// Moves everything that the model gives in its world by r and R (r_new = r + R r_old): bodies, joints, forces, ports and
/// gravity. The machine then moves in the new world as it did in its own. R must be a rotation: throws Error(model) where
/// R^T R differs from the identity by more than 1e-6 or R mirrors.
void place(Model& model, const Vec3& r, const Mat3& R);

} // namespace tenon
