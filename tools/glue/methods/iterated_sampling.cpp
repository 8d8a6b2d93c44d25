// How FMUs look at the forces within a step: a test of methods newton and difference (iterated.hpp) before their first step.

#include "tools/files/errors.hpp"
#include "tools/glue/failures.hpp"
#include "tools/glue/methods/iterated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::glue {

/// In the first step: what moves a port by x and gives it the velocity v if it is constant moves a free one by x/3 and gives it v/2 if it grows from
/// zero. By x/2 and v/2 means that the FMU has looked at the force once, in the middle of the step, by nothing that it does not see it grow:
/// it cannot tell c0 from c1, and nothing can close its joints. A part on stiff springs may come to any of these numbers by chance in one of
/// its coordinates, not in all.
/// The FMUs have made the step, or `is_made` is false.
bool IteratedGroup::check_sampling(double t, double h, bool is_made) {
    constexpr double sure = 1e-3;
    using Moved = Eigen::Matrix<double, 3, 3>; // columns: position, velocity, angular velocity
    for (std::size_t i = 0; i < fmus_.size(); ++i) {
        GluedFmu& fmu = *fmus_[i];
        if (fmu.efforts().delivery() == Efforts::Delivery::halves)
            continue; // steps twice in any case
        const std::vector<GluedFmu::PortState> before = fmu.states;
        const double push = std::max(1e-2, 1e-3 * before.front().wrench.w0.cwiseAbs().maxCoeff());
        const auto motion = [&fmu] {
            const PortMotion& end = fmu.states.front().end;
            return (Moved() << end.p_WP, end.v_WP, end.w_WP).finished();
        };
        Moved moved[2];
        unsigned flags = is_made ? 0 : fmu.try_step(t, h);
        const Moved base = motion();
        for (const int slope : {0, 1}) {
            if (flags & master::flag_failed)
                break;
            WrenchCurve extra;
            (slope == 0 ? extra.w0 : extra.w1).head<3>().setConstant(push);
            fmu.states = before;
            fmu.states.front().wrench += extra;
            flags |= fmu.try_step(t, h);
            moved[slope] = motion() - base;
        }
        fmu.states = before;
        displaced_ = true;
        if (!collect(flags, t, h))
            return false;
        const double seen =
            1e4 * std::numeric_limits<double>::epsilon() * std::max(1.0, before.front().end.p_WP.norm());
        const double x = moved[0].col(0).norm();
        if (fmu.source() != ComplianceSource::none && fmu.is_rigid() && x > 100 * seen) {
            fmu.distrust();
            turn_to_differences(
                fmt::format("forces move the ports of fmu '{}', which its accelerations do not show",
                            printable(fmu.participant().name)));
        }
        const auto is_part = [&](double part) {
            for (int c = 0; c < 3; ++c)
                if ((moved[1].col(c) - part * moved[0].col(c)).norm() > sure * moved[0].col(c).norm() + seen)
                    return false;
            return true;
        };
        if (x > seen && (is_part(0.5) || is_part(0))) {
            failure_ = one_sample(fmu.number(), h);
            return false;
        }
    }
    return true;
}

/// The smallest of h, h/2, h/4, ... that passes.
void IteratedGroup::find_least_step(double t, double h) {
    constexpr int most = 10;
    least_step_ = h;
    for (int i = 0; i < most && check_sampling(t, least_step_ / 2, false); ++i)
        least_step_ /= 2;
    failure_ = {};
    for (GluedFmu* fmu : fmus_)
        fmu->participant().failure = {};
}

} // namespace tenon::glue
