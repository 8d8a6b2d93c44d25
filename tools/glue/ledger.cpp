#include "tools/glue/ledger.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::glue {

// Gauss points with three nodes: exact for forces, whose power along the cubic is of degree 4, and of order 6 for torques.
double work_over_step(const WrenchCurve& wrench, const PortMotion& begin, const PortMotion& end, double h) {
    if (h == 0)
        return 0;
    static const double offset = 0.5 * std::sqrt(0.6);
    const double nodes[] = {0.5 - offset, 0.5, 0.5 + offset};
    constexpr double weights[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double work = 0;
    for (int i = 0; i < 3; ++i) {
        const PortMotion motion = interpolated(begin, end, h, nodes[i]);
        const Vec6 effort = wrench.at(nodes[i]);
        work += weights[i] * (effort.head<3>().dot(motion.v_WP) + effort.tail<3>().dot(motion.w_WP));
    }
    return h * work;
}

Ledger::Ledger(std::size_t joints) : joints_(joints) {}

void Ledger::add(std::size_t joint, double work_a, double work_b, double driver) {
    JointWork& work = joints_.at(joint);
    const double residual = work_a + work_b - driver;
    work.a += work_a;
    work.b += work_b;
    work.residual += residual;
    work.largest_step = std::max(work.largest_step, std::abs(residual));
}

void Ledger::set_measured(std::size_t joint, bool a, bool b) {
    joints_.at(joint).measured_a = a;
    joints_.at(joint).measured_b = b;
}

} // namespace tenon::glue
