#include "core/integrators/runge_kutta.hpp"

namespace tenon {

void RungeKutta4::allocate(const ExplicitSizes& sizes) {
    stage_.ud = u_ = sum_u_ = Vector::Zero(sizes.u);
    stage_.a = v_ = sum_v_ = Vector::Zero(sizes.v);
    q_ = Vector::Zero(sizes.q);
}

} // namespace tenon
