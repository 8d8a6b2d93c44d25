#include "core/simulation/fastest_spring.hpp"

#include <cmath>

namespace tenon {

namespace {

/// Power iterations; omega^2 is a Rayleigh quotient, so two close frequencies cost digits of neither.
constexpr int iterations = 20;

struct Spring {
    const MeasureLoad* load;
    int force; ///< in the model
    Vec6 g1, g2;
};

std::vector<Spring> springs_of(const RigidEquations& rigid, const Memory& memory, double t) {
    const Mechanism& mechanism = rigid.mechanism();
    const std::vector<MeasureLoad>& loads = mechanism.loads().measure;
    std::vector<Spring> out;
    std::size_t next = 0;
    for (int force = 0; force < static_cast<int>(mechanism.model().forces.size()); ++force) {
        const std::size_t end = next + mechanism.force_efforts(force);
        for (; next < end && next < loads.size(); ++next) {
            const MeasureLoad& load = loads[next];
            if (!(load.stiffness > 0)) {
                continue;
            }
            RigidRow row;
            load.measure->rigid(mechanism.at(rigid.kinematics(), load.first),
                                mechanism.at(rigid.kinematics(), load.second), memory.near(load.slot, t),
                                row);
            out.push_back({&load, force, row.g1, row.g2});
        }
    }
    return out;
}

} // namespace

FastestSpring fastest_spring(RigidEquations& rigid, const Memory& memory, double t) {
    FastestSpring out;
    const std::vector<Spring> springs = springs_of(rigid, memory, t);
    if (springs.empty()) {
        return out;
    }
    const int n = 6 * rigid.mechanism().bodies();
    Vector f(n), a(n), lambda(rigid.mechanism().rows());
    const Vector zero = Vector::Zero(lambda.size());
    // Weighted with the root of k the operator is symmetric: x = sqrt(k) s. The start favours no spring and is no
    // eigenvector of a machine that is drawn symmetrically.
    Vector x(static_cast<Eigen::Index>(springs.size())), y = x;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        x[i] = 1 + 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
    }
    rigid.factor(Metric::mass);
    double square = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        x.normalize();
        f.setZero();
        for (std::size_t i = 0; i < springs.size(); ++i) {
            const Spring& s = springs[i];
            const double effort = std::sqrt(s.load->stiffness) * x[static_cast<Eigen::Index>(i)];
            if (s.load->first >= 0) {
                f.segment<6>(6 * s.load->first) += effort * s.g1;
            }
            if (s.load->second >= 0) {
                f.segment<6>(6 * s.load->second) += effort * s.g2;
            }
        }
        rigid.kkt().solve(f, zero, a, lambda); // world axes, whatever the chart
        for (std::size_t i = 0; i < springs.size(); ++i) {
            const Spring& s = springs[i];
            double along = 0;
            if (s.load->first >= 0) {
                along += s.g1.dot(a.segment<6>(6 * s.load->first));
            }
            if (s.load->second >= 0) {
                along += s.g2.dot(a.segment<6>(6 * s.load->second));
            }
            y[static_cast<Eigen::Index>(i)] = std::sqrt(s.load->stiffness) * along;
        }
        square = x.dot(y);
        if (!std::isfinite(square) || !(y.norm() > 0)) {
            return out;
        }
        x = y;
    }
    std::vector<double> share(rigid.mechanism().model().forces.size(), 0.0);
    std::size_t most = 0;
    for (std::size_t i = 0; i < springs.size(); ++i) {
        const auto force = static_cast<std::size_t>(springs[i].force);
        share[force] += x[static_cast<Eigen::Index>(i)] * x[static_cast<Eigen::Index>(i)];
        most = share[force] > share[most] ? force : most;
    }
    out.frequency = std::sqrt(std::max(0.0, square));
    out.force = rigid.mechanism().model().forces[most].name;
    return out;
}

} // namespace tenon
