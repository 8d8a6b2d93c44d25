#include "tools/master/scheme_choice.hpp"

#include "core/math/digits.hpp"
#include "tools/glue/glue.hpp"
#include "tools/master/dependencies.hpp"
#include "tools/master/schemes/gauss_seidel.hpp"
#include "tools/master/schemes/iterate.hpp"
#include "tools/master/schemes/jacobi.hpp"
#include "tools/system/check_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::master {
namespace {

constexpr std::size_t most_names = 8;

std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i)
        text += fmt::format("{}'{}'", i == 0 ? "" : ", ", printable(names[i], 120));
    return names.size() > most_names ? text + fmt::format(" and {} more", names.size() - most_names) : text;
}

template <class Wanted> std::vector<std::string> names_of(const Ensemble& ensemble, Wanted&& wanted) {
    std::vector<std::string> names;
    for (const auto& participant : ensemble.participants)
        if (wanted(*participant))
            names.push_back(participant->name);
    return names;
}

[[noreturn]] void refuse_method(const Ensemble& ensemble, const std::string& what) {
    throw bad_input(source_name(ensemble.system.system, 0), 0, "master: " + what);
}

/// Inputs on loops of direct dependencies; empty where there are none.
std::vector<std::string> feedthrough_loops(const Ensemble& ensemble) {
    const Successors graph = port_graph(ensemble.wiring, ensemble.participants, Phase::stepping);
    std::vector<std::string> names;
    for (const std::vector<std::size_t>& component : components(graph))
        if (is_loop(graph, component))
            for (const std::size_t node : component)
                if (node < ensemble.wiring.inputs().size()) {
                    const Port& port = ensemble.wiring.inputs()[node];
                    const Participant& participant = *ensemble.participants[port.participant];
                    names.push_back(participant.name + "." +
                                    participant.description->variables[port.variable].name);
                }
    return names;
}

std::vector<std::string> stuck_names(const Ensemble& ensemble) {
    std::vector<std::string> names;
    for (const std::size_t i : Iterate::stuck(ensemble))
        names.push_back(ensemble.participants[i]->name);
    return names;
}

std::string dependent(const std::vector<std::string>& inputs) {
    return list(inputs) + (inputs.size() == 1 ? " depends on itself" : " depend on themselves");
}

/// The method where the system leaves it to us, with the reason.
std::string automatic(Ensemble& ensemble) {
    const std::vector<std::string> loops = feedthrough_loops(ensemble);
    if (loops.empty()) {
        ensemble.remark("method jacobi: no input depends on itself at once");
        return "jacobi";
    }
    const std::vector<std::string> stuck = stuck_names(ensemble);
    if (stuck.empty()) {
        ensemble.remark(fmt::format("method iterate: {} at once", dependent(loops)));
        return "iterate";
    }
    ensemble.remark(fmt::format(
        "method jacobi, although {} at once: iterating needs fmu {} to go back to an earlier state",
        dependent(loops), list(stuck)));
    return "jacobi";
}

void check_iteration(const Ensemble& ensemble) {
    const std::vector<std::string> stuck = stuck_names(ensemble);
    if (!stuck.empty())
        refuse_method(ensemble, fmt::format("method 'iterate' has to take steps back, which fmu {} cannot "
                                            "(canGetAndSetFMUState); choose jacobi or gauss-seidel",
                                            list(stuck)));
}

void check_adaptive(const Ensemble& ensemble) {
    if (!ensemble.system.system.master.adaptive)
        return;
    const std::vector<std::string> stuck =
        names_of(ensemble, [](const Participant& p) { return !p.rollback; });
    if (!stuck.empty())
        refuse_method(ensemble, fmt::format("'adaptive' has to take steps back, which fmu {} cannot "
                                            "(canGetAndSetFMUState)",
                                            list(stuck)));
    const std::vector<std::string> rigid =
        names_of(ensemble, [](const Participant& p) { return !p.variable_step; });
    if (!rigid.empty())
        refuse_method(ensemble, fmt::format("'adaptive' changes the step, which fmu {} cannot "
                                            "(canHandleVariableCommunicationStepSize)",
                                            list(rigid)));
}

void say_who_cannot_go_back(Ensemble& ensemble) {
    const std::vector<std::string> names =
        names_of(ensemble, [](const Participant& p) { return !p.rollback; });
    if (!names.empty())
        ensemble.remark(fmt::format(
            "fmu {} cannot go back to an earlier state: a step that fails ends the run", list(names)));
    const std::vector<std::string> events =
        names_of(ensemble, [](const Participant& p) { return p.event_mode; });
    if (!events.empty() && ensemble.participants.size() > 1 &&
        !(ensemble.all_roll_back() && ensemble.all_variable()))
        ensemble.remark(
            fmt::format("events that fmu {} does not announce are handled at communication points only, "
                        "since not all FMUs can repeat a step",
                        list(events)));
}

void say_what_steps_must_be(Ensemble& ensemble) {
    const double step = ensemble.system.system.master.step;
    const std::vector<std::string> names =
        names_of(ensemble, [](const Participant& p) { return !p.variable_step; });
    if (!names.empty())
        ensemble.remark(
            fmt::format("fmu {} takes steps of one size only: no step is made smaller, and a last one that "
                        "would be shorter than {} is left out",
                        list(names), digits(step)));
    constexpr double round_off = 1e-6;
    for (const auto& participant : ensemble.participants)
        if (const std::optional<double> inner = participant->description->capabilities.fixed_internal_step)
            if (*inner > 0 &&
                std::abs(step / *inner - std::round(step / *inner)) > round_off * std::round(step / *inner))
                ensemble.remark(
                    fmt::format("fmu '{}' has internal steps of {}: the step {} should be a multiple of it",
                                printable(participant->name), digits(*inner), digits(step)));
}

} // namespace

std::unique_ptr<Scheme> choose_scheme(Ensemble& ensemble) {
    const system::MasterSettings& settings = ensemble.system.system.master;
    if (!ensemble.system.system.joints.empty()) {
        say_what_steps_must_be(ensemble);
        say_who_cannot_go_back(ensemble);
        check_adaptive(ensemble);
        return std::make_unique<glue::Glue>(ensemble);
    }
    const std::string method = settings.method == "auto" ? automatic(ensemble) : settings.method;
    ensemble.report.method = method;
    if (settings.method != "auto")
        ensemble.remark(fmt::format("method {}, as the system says", method));
    check_adaptive(ensemble);
    say_who_cannot_go_back(ensemble);
    say_what_steps_must_be(ensemble);
    if (const std::vector<std::string> names = ensemble.delivery.constant_only(); !names.empty())
        ensemble.remark(fmt::format(
            "fmu {} takes one value of each input a step: the mean of the extrapolated curve", list(names)));
    if (method == "gauss-seidel") {
        if (ensemble.team.size() > 1)
            ensemble.remark("gauss-seidel steps one FMU after the other: more threads have no effect");
        return std::make_unique<GaussSeidel>(ensemble);
    }
    if (method == "iterate") {
        check_iteration(ensemble);
        return std::make_unique<Iterate>(ensemble);
    }
    return std::make_unique<Jacobi>(ensemble);
}

} // namespace tenon::master
