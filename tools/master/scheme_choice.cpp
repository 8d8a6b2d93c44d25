#include "tools/master/scheme_choice.hpp"

#include "core/math/digits.hpp"
#include "tools/master/dependencies.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/schemes/scheme_types.hpp"
#include "tools/system/check_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::master {
namespace {

constexpr std::size_t most_listed = 8;

std::string list(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most_listed); ++i)
        text += fmt::format("{}'{}'", i == 0 ? "" : ", ", printable(names[i], 120));
    return names.size() > most_listed ? text + fmt::format(" and {} more", names.size() - most_listed) : text;
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

std::vector<std::string> unfit_names(const SchemeType& type, const Ensemble& ensemble) {
    std::vector<std::string> names;
    for (const std::size_t i : type.unfit_of(ensemble))
        names.push_back(ensemble.participants[i]->name);
    return names;
}

std::string dependent(const std::vector<std::string>& inputs) {
    return list(inputs) + (inputs.size() == 1 ? " depends on itself" : " depend on themselves");
}

/// The scheme where the system leaves it to us, with the reason.
const SchemeType& automatic(Ensemble& ensemble) {
    const SchemeType &usual = usual_scheme(), &iterating = scheme_for_loops();
    const std::vector<std::string> loops = feedthrough_loops(ensemble);
    if (loops.empty()) {
        ensemble.remark(fmt::format("method {}: no input depends on itself by feedthrough", usual.name));
        return usual;
    }
    const std::vector<std::string> stuck = unfit_names(iterating, ensemble);
    if (stuck.empty()) {
        ensemble.remark(fmt::format("method {}: {} by feedthrough", iterating.name, dependent(loops)));
        return iterating;
    }
    ensemble.remark(fmt::format("method {}, although {} by feedthrough: iterating needs rollback of fmu {}",
                                usual.name, dependent(loops), list(stuck)));
    return usual;
}

const SchemeType& required_type(const Ensemble& ensemble, std::string_view name) {
    const SchemeType* type = find_scheme_type(name);
    if (!type)
        refuse_method(ensemble, fmt::format("there is no method '{}' for signals", printable(name)));
    const std::vector<std::string> unfit = unfit_names(*type, ensemble);
    if (unfit.empty())
        return *type;
    std::string others;
    for (const SchemeType& other : scheme_types())
        if (!other.unfit)
            others += (others.empty() ? "" : " or ") + std::string(other.name);
    refuse_method(ensemble, fmt::format("method '{}' {}, which fmu {} does not support ({}); choose {}", name,
                                        type->need, list(unfit), type->capability, others));
}

void check_adaptive(const Ensemble& ensemble) {
    if (!ensemble.system.system.master.adaptive)
        return;
    const std::vector<std::string> stuck =
        names_of(ensemble, [](const Participant& p) { return !p.rollback; });
    if (!stuck.empty())
        refuse_method(ensemble, fmt::format("'adaptive' needs rollback, which fmu {} does not support "
                                            "(canGetAndSetFMUState)",
                                            list(stuck)));
    const std::vector<std::string> rigid =
        names_of(ensemble, [](const Participant& p) { return !p.variable_step; });
    if (!rigid.empty())
        refuse_method(ensemble, fmt::format("'adaptive' needs a variable step size, which fmu {} does not "
                                            "support (canHandleVariableCommunicationStepSize)",
                                            list(rigid)));
}

void say_who_cannot_go_back(Ensemble& ensemble) {
    const std::vector<std::string> names =
        names_of(ensemble, [](const Participant& p) { return !p.rollback; });
    if (!names.empty())
        ensemble.remark(
            fmt::format("fmu {} does not support rollback: a step that fails ends the run", list(names)));
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
            fmt::format("fmu {} has a fixed step size: no step is made smaller, and a last one that "
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

std::unique_ptr<Scheme> choose_scheme(Ensemble& ensemble, const MasterOptions& options) {
    const system::MasterSettings& settings = ensemble.system.system.master;
    if (!ensemble.system.system.joints.empty()) {
        if (!options.joint_scheme)
            refuse_method(ensemble,
                          "the system has joints, and this master was made without a scheme for them");
        say_what_steps_must_be(ensemble);
        say_who_cannot_go_back(ensemble);
        check_adaptive(ensemble);
        return options.joint_scheme(ensemble);
    }
    const bool is_automatic = settings.method == "auto";
    const SchemeType& type = is_automatic ? automatic(ensemble) : required_type(ensemble, settings.method);
    ensemble.report.method = type.name;
    if (!is_automatic)
        ensemble.remark(fmt::format("method {}, as the system says", type.name));
    check_adaptive(ensemble);
    say_who_cannot_go_back(ensemble);
    say_what_steps_must_be(ensemble);
    if (const std::vector<std::string> names = ensemble.delivery.constant_only(); !names.empty())
        ensemble.remark(
            fmt::format("fmu {} takes one value of each input per step: the mean of the extrapolated curve",
                        list(names)));
    if (!type.parallel && ensemble.team.size() > 1)
        ensemble.remark(
            fmt::format("{} steps one FMU after the other: more threads have no effect", type.name));
    return type.make(ensemble);
}

bool lose_rollback(Ensemble& ensemble) {
    const SchemeType* type = find_scheme_type(ensemble.report.method);
    if (!type || type->unfit || ensemble.system.system.master.adaptive)
        return false;
    bool lost = false;
    for (const auto& participant : ensemble.participants) {
        if (!participant->rollback || participant->save(0) ||
            participant->failure.status == fmi::Status::fatal)
            continue;
        ensemble.give_up_rollback(participant->number);
        ensemble.remark(fmt::format(
            "fmu '{}' declares canGetAndSetFMUState, but GetFMUState returned {}: a step that "
            "fails ends the run",
            printable(participant->name), status_name(*participant, participant->failure.status)));
        participant->failure = {};
        lost = true;
    }
    return lost;
}

} // namespace tenon::master
