#include "tools/master/failure_text.hpp"

#include "core/math/digits.hpp"
#include "tools/files/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::master {
namespace {

std::string quoted(const std::string& name) { return "'" + printable(name, 120) + "'"; }

std::string what(const Ensemble& ensemble, const Failure& failure) {
    if (failure.words)
        return failure.words(ensemble, failure);
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
    case Failure::Kind::unsuited:
    case Failure::Kind::none:
        break;
    }
    return "an unknown failure";
}

} // namespace

std::string size_text(double h) { return fmt::format("{:.6g}", h); }

std::string status_name(const Participant& participant, fmi::Status status) {
    static constexpr const char* names[] = {"OK", "Warning", "Discard", "Error", "Fatal"};
    return fmt::format("fmi{}{}", participant.description->version == fmi::Version::fmi2 ? 2 : 3,
                       names[static_cast<std::size_t>(status)]);
}

std::string describe(const Ensemble& ensemble, double time, const Failure& failure) {
    return fmt::format("t={:.12g}: {}", time, what(ensemble, failure)); // behind that it is round-off
}

} // namespace tenon::master
