#include "tools/check/severity.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tenon::check {
namespace {

using fmi::Severity;

/// What breaks a run or makes it wrong. Every other rule is a warning at most.
constexpr std::array<std::string_view, 39> errors{
    // the file cannot be used
    "unusable", "description-missing", "no-implementation", "library-missing", "library-broken",
    "library-kind", "library-machine", "symbol-missing", "archive-method",
    // names, sizes, values and ports do not mean what they say
    "name-empty", "name-duplicate", "reference-duplicate", "start-type", "start-count", "dimension-size",
    "dimension-variable", "structural-scalar", "unit-factor", "joint-causality", "joint-shape",
    // an ordinary run
    "load", "instantiate", "call-failed", "not-finite", "crash", "exit", "hang", "exception", "reload",
    // numbers
    "not-deterministic", "instances-differ", "threads-differ", "rollback-differs", "copies-differ",
    "serialization-differs", "flag-differs", "saving-differs", "derivative-wrong", "derivative-side-effect"};

/// Dynamic checks that do what no master does in a run, or what it can do without: their failures are as far down as this.
struct Limit {
    std::string_view check;
    Severity most;
};
constexpr std::array<Limit, 13> limits{{
    {"null-instance", Severity::note},
    {"forbidden-calls", Severity::note},
    {"arguments", Severity::note},
    {"broken-bytes", Severity::note},
    {"step-arguments", Severity::note},
    {"nan", Severity::note},
    {"token", Severity::warning},
    {"logger", Severity::warning},
    {"reset", Severity::warning},
    {"initial-state", Severity::warning},
    {"dependencies", Severity::warning},
    {"adjoint", Severity::warning},
    {"memory", Severity::warning},
}};

/// Manners, not trouble.
constexpr std::array<std::string_view, 6> notes{"logging-off",     "token-unexplained", "archive-name-ascii",
                                                "headers-shipped", "naming-convention", "log-category"};

template <class List> bool has(const List& list, std::string_view rule) {
    return std::ranges::find(list, rule) != list.end();
}

Severity most_of(std::string_view check) {
    const auto limit = std::ranges::find(limits, check, &Limit::check);
    return limit == limits.end() ? Severity::error : limit->most;
}

} // namespace

Severity weighed(const fmi::Finding& finding) {
    Severity severity = finding.severity;
    if (!has(errors, finding.rule))
        severity = std::min(severity, Severity::warning);
    if (has(notes, finding.rule))
        severity = Severity::note;
    return std::min(severity, most_of(finding.place));
}

bool is_of_robustness(std::string_view check) { return most_of(check) == Severity::note; }

} // namespace tenon::check
