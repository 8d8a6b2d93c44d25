#include "tools/verbs/energy_scale.hpp"

#include <cmath>
#include <vector>

namespace tenon::verbs {

EnergyScale::EnergyScale(const Simulation& simulation) {
    const Model& model = simulation.model();
    Vec3 least = Vec3::Zero(), most = Vec3::Zero();
    double mass = 0;
    for (const Body& body : model.bodies) {
        mass += body.mass;
        for (const Vec3& point : {body.position, Vec3(body.position + body.rotation * body.com)}) {
            least = least.cwiseMin(point);
            most = most.cwiseMax(point);
        }
    }
    std::vector<double> values(simulation.columns().size());
    simulation.read(values);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (simulation.columns()[i].name == "energy.kinetic")
            joules_ += values[i];
    joules_ +=
        std::abs(simulation.report().energy_start) + mass * model.gravity.norm() * (most - least).norm();
}

void EnergyScale::follow(const Simulation& simulation) {
    const double work = simulation.state().work;
    joules_ += std::abs(work - work_);
    work_ = work;
}

bool EnergyScale::diverged(const RunReport& report) const {
    if (!std::isfinite(report.max_energy_error) || !std::isfinite(report.energy))
        return true;
    return joules_ > 0 && report.max_energy_error > 0.5 * joules_;
}

} // namespace tenon::verbs
