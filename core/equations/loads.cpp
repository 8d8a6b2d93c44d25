#include "core/equations/loads.hpp"

#include "core/equations/mechanism.hpp"

#include <cmath>

namespace tenon {

double MeasureLoad::dissipative(double rate, double t, const Memory& memory) const {
    const double friction = coulomb == 0 ? 0.0 : coulomb * std::tanh(rate / speed);
    const double given = input < 0 ? 0.0 : memory.input(input, t).value;
    return given - damping * rate - friction;
}

double MeasureLoad::dissipative_slope(double rate) const {
    if (coulomb == 0) {
        return -damping;
    }
    const double t = std::tanh(rate / speed);
    return -damping - coulomb * (1 - t * t) / speed;
}

void applied_wrench(const AppliedLoad& load, double t, const Memory& memory, Vec3& force, Vec3& torque) {
    force = load.force;
    torque = load.torque;
    for (int i = 0; i < 3; ++i) {
        if (!load.force_table[i].empty()) {
            force[i] = load.force_table[i].at(t).value;
        }
        if (!load.torque_table[i].empty()) {
            torque[i] = load.torque_table[i].at(t).value;
        }
        if (load.force_input >= 0) {
            force[i] += memory.input(load.force_input + i, t).value;
        }
        if (load.torque_input >= 0) {
            torque[i] += memory.input(load.torque_input + i, t).value;
        }
    }
}

} // namespace tenon
