#include "tools/master/failure_text.hpp"

#include "core/math/digits.hpp"
#include "tools/files/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::master {
namespace {

/// Step sizes are differences of times: their last digits are round-off.
std::string size_text(double h) { return fmt::format("{:.6g}", h); }

std::string quoted(const std::string& name) { return "'" + printable(name, 120) + "'"; }

/// The glue counts the ports of an FMU in the order in which joints name them.
std::string port_name(const system::System& system, std::size_t fmu, std::size_t number) {
    std::vector<std::string> names;
    for (const system::GlueJoint& joint : system.joints)
        for (const system::Side* side : {&joint.a, &joint.b})
            if (side->fmu == fmu && std::ranges::find(names, side->terminal) == names.end())
                names.push_back(side->terminal);
    return number < names.size() ? names[number] : "";
}

std::string what(const Ensemble& ensemble, const Failure& failure) {
    const Wiring& wiring = ensemble.wiring;
    const std::string who = ensemble.who(failure.participant);
    switch (failure.kind) {
    case Failure::Kind::call: {
        const std::string arguments = failure.h > 0 && std::string_view(failure.call) == "DoStep"
                                          ? fmt::format("(h={})", size_text(failure.h))
                                          : "";
        return fmt::format("{}: {}{} returned {}{}", who, failure.call, arguments,
                           status_name(*ensemble.participants[failure.participant], failure.status),
                           ensemble.says(failure.participant));
    }
    case Failure::Kind::not_finite:
        return fmt::format("{}: {} is {}{}", who, quoted(wiring.output_name(failure.slot)), failure.value,
                           failure.h > 0 ? fmt::format(" after a step of h={}", size_text(failure.h)) : "");
    case Failure::Kind::no_fit:
        return fmt::format("{}: a value does not fit into the type of {}", who,
                           quoted(wiring.wire_target_name(failure.slot)));
    case Failure::Kind::not_converged:
        return fmt::format(
            "the iteration over {} does not converge: relative change {:.2g} > {} after {} iterations "
            "with h={}",
            quoted(wiring.input_name(failure.slot)), failure.value, digits(failure.limit), failure.iterations,
            size_text(failure.h));
    case Failure::Kind::not_settled:
        return fmt::format(
            "{}: the iteration does not come to rest: values that are not Float64 still change "
            "after {} iterations with h={}",
            who, failure.iterations, size_text(failure.h));
    case Failure::Kind::inaccurate:
        return fmt::format("the error of the coupling stays above the tolerance: {:.2g} times {} with h={}",
                           failure.value, digits(failure.limit), size_text(failure.h));
    case Failure::Kind::standstill:
        return fmt::format("{}: steps end where they began", who);
    case Failure::Kind::open_joint:
        return fmt::format(
            "joint {} does not close: gap {:.2g} (limit {:.2g}) after {} corrections with h={}",
            quoted(ensemble.system.system.joints[failure.slot].name), failure.value, failure.limit,
            failure.iterations, size_text(failure.h));
    case Failure::Kind::one_sample:
        return fmt::format("{}: it looks at the forces on its ports once in a step of h={}, and joints need "
                           "two looks; make its internal "
                           "step smaller (Tenon's: set \"solver.step\" to at most half of it) or the step of "
                           "the master larger",
                           who, size_text(failure.h));
    case Failure::Kind::lost_port:
        return fmt::format("{}: the motion, acceleration or compliance of its port {} is {}{}", who,
                           quoted(port_name(ensemble.system.system, failure.participant, failure.slot)),
                           failure.value,
                           failure.h > 0 ? fmt::format(" after a step of h={}", size_text(failure.h)) : "");
    case Failure::Kind::none:
        break;
    }
    return "an unknown failure";
}

} // namespace

std::string status_name(const Participant& participant, fmi::Status status) {
    static constexpr const char* names[] = {"OK", "Warning", "Discard", "Error", "Fatal"};
    return fmt::format("fmi{}{}", participant.description->version == fmi::Version::fmi2 ? 2 : 3,
                       names[static_cast<std::size_t>(status)]);
}

std::string describe(const Ensemble& ensemble, double time, const Failure& failure) {
    return fmt::format("t={:.12g}: {}", time, what(ensemble, failure)); // behind that it is round-off
}

} // namespace tenon::master
