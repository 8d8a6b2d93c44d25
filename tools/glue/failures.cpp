#include "tools/glue/failures.hpp"

#include "tools/files/errors.hpp"
#include "tools/master/failure_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::glue {
namespace {

using master::Ensemble;
using master::Failure;
using master::size_text;

std::string quoted(const std::string& name) { return "'" + printable(name, 120) + "'"; }

/// The ports of an FMU are counted in the order in which joints name them.
std::string port_name(const system::System& system, std::size_t fmu, std::size_t number) {
    std::vector<std::string> names;
    for (const system::GlueJoint& joint : system.joints)
        for (const system::Side* side : {&joint.a, &joint.b})
            if (side->fmu == fmu && std::ranges::find(names, side->terminal) == names.end())
                names.push_back(side->terminal);
    return number < names.size() ? names[number] : "";
}

std::string open_joint_words(const Ensemble& ensemble, const Failure& failure) {
    return fmt::format("joint {} does not close: gap {:.2g} (limit {:.2g}) after {} corrections with h={}",
                       quoted(ensemble.system.system.joints[failure.slot].name), failure.value, failure.limit,
                       failure.iterations, size_text(failure.h));
}

std::string one_sample_words(const Ensemble& ensemble, const Failure& failure) {
    return fmt::format("{}: it looks at the forces on its ports once in a step of h={}, and joints need "
                       "two looks; make its internal "
                       "step smaller (Tenon's: set \"solver.step\" to at most half of it) or the step of "
                       "the master larger",
                       ensemble.who(failure.participant), size_text(failure.h));
}

std::string lost_port_words(const Ensemble& ensemble, const Failure& failure) {
    return fmt::format("{}: the motion, acceleration or compliance of its port {} is {}{}",
                       ensemble.who(failure.participant),
                       quoted(port_name(ensemble.system.system, failure.participant, failure.slot)),
                       failure.value,
                       failure.h > 0 ? fmt::format(" after a step of h={}", size_text(failure.h)) : "");
}

} // namespace

Failure open_joint(std::size_t joint, std::size_t participant, double gap, double limit, int corrections,
                   double h) {
    return {.kind = Failure::Kind::not_converged,
            .participant = participant,
            .slot = joint,
            .h = h,
            .value = gap,
            .limit = limit,
            .iterations = corrections,
            .words = open_joint_words};
}

Failure one_sample(std::size_t participant, double h) {
    return {.kind = Failure::Kind::unsuited, .participant = participant, .h = h, .words = one_sample_words};
}

Failure lost_port(std::size_t participant, std::size_t port, double value) {
    return {.kind = Failure::Kind::not_finite,
            .participant = participant,
            .slot = port,
            .value = value,
            .words = lost_port_words};
}

} // namespace tenon::glue
