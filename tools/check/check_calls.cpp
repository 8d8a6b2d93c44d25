// Calls that nobody should make: in states that forbid them, or with arguments that mean nothing.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/legality.hpp"
#include "tools/check/raw.hpp"

#include <dlfcn.h>
#include <fmt/ranges.h>
#include <map>
#include <sstream>

namespace tenon::check {
namespace {

/// Loaded by the first case of a process; the others use the same.
std::unique_ptr<RawInstance> shared_instance(Probe& probe) {
    static const auto library = std::make_unique<RawLibrary>(probe, RTLD_NOW);
    return library->make_instance();
}

/// Leads a fresh instance to a state. False where it does not come there, which is for other checks to report.
bool lead_to(RawInstance& instance, const LegalState& state) {
    if (!instance.instantiate({.logging = false, .event_mode = state.event_mode}))
        return false;
    std::istringstream way{std::string(state.way)};
    int status = 0;
    for (std::string function; status <= raw_warning && way >> function;)
        status = instance.call(function);
    return state.after_error ? status == raw_error && way.eof() : status <= raw_warning;
}

// ---- forbidden by the state ----------------------------------------------------------------------------------------

struct ForbiddenCall {
    const LegalState* state = nullptr;
    std::string function;
};

bool reachable(const LegalState& state, const fmi::Description& description) {
    if (state.event_mode && !description.capabilities.event_mode)
        return false;
    return !state.configuration ||
           std::any_of(description.variables.begin(), description.variables.end(),
                       [](const fmi::Variable& variable) {
                           return variable.causality == fmi::Causality::structural_parameter;
                       });
}

std::vector<ForbiddenCall> forbidden_calls(const fmi::Description& description) {
    std::vector<ForbiddenCall> list;
    const auto states = legal_states(description.version);
    for (std::size_t s = 0; s < states.size(); ++s)
        for (const LegalCall& call : legal_calls(description.version))
            if (call.states[s] == '-' && reachable(states[s], description) &&
                can_call(description, call.function))
                list.push_back({&states[s], std::string(call.function)});
    return list;
}

/// Number of the case and the status that the FMU answered with.
struct Reaction {
    std::size_t item = 0;
    int status = 0;
};

std::vector<Reaction> reactions(const std::vector<std::string>& answers) {
    std::vector<Reaction> list;
    for (const std::string& answer : answers) {
        Unpacker unpacker(answer);
        Reaction& reaction = list.emplace_back();
        unpacker.get(reaction.item);
        unpacker.get(reaction.status);
    }
    return list;
}

bool try_forbidden(Probe& probe, const ForbiddenCall& forbidden, std::size_t item) {
    const auto instance = shared_instance(probe);
    if (!lead_to(*instance, *forbidden.state))
        return true;
    const int status = instance->call(forbidden.function);
    probe.answer(Packer().put(item).put(status));
    instance->free();
    return status != raw_fatal; // nothing in this library may be called any more then
}

// ---- wrong arguments -----------------------------------------------------------------------------------------------

struct WrongCall {
    std::string function;
    bool to_be_accepted = false;
    std::string hint;
};

std::vector<WrongCall> wrong_calls(const fmi::Description& description) {
    const bool fmi2 = description.version == fmi::Version::fmi2;
    const std::string type = fmi2 ? "Real" : "Float64", fmi = fmi2 ? "fmi2" : "fmi3";
    const std::string look_up =
        "look up each value reference, and return an error where there is no such variable";
    std::vector<WrongCall> list = {
        {fmi + "Get" + type + "(unknown reference)", false, look_up},
        {fmi + "Set" + type + "(unknown reference)", false, look_up},
        {fmi + "Get" + type + "(nothing)", true, "with no references, pointers may be null"},
    };
    if (some_output(description)) {
        list.push_back({fmi + "Set" + type + "(output)", false, "outputs cannot be set while stepping"});
        if (!fmi2)
            for (const char* size : {"large", "small"})
                list.push_back({fmt::format("fmi3GetFloat64(nValues too {})", size), false,
                                "compare nValues with the sizes of the variables"});
    }
    if (description.capabilities.get_and_set_state)
        list.push_back({fmi2 ? "fmi2FreeFMUstate(NULL)" : "fmi3FreeFMUState(NULL)", true,
                        "freeing a state that is NULL does nothing"});
    return list;
}

bool try_wrong(Probe& probe, const WrongCall& wrong) {
    const auto instance = shared_instance(probe);
    const auto states = legal_states(probe.description().version);
    const auto stepping = std::find_if(states.begin(), states.end(), [](const LegalState& state) {
        return state.name == "Step Complete" || state.name == "Step Mode";
    });
    if (!lead_to(*instance, *stepping))
        return true;
    const int status = instance->call(wrong.function);
    if ((status <= raw_warning) != wrong.to_be_accepted)
        probe.warning("arguments",
                      fmt::format("{} is {}", wrong.function, wrong.to_be_accepted ? "refused" : "accepted"),
                      wrong.hint);
    return status != raw_fatal;
}

} // namespace

void check_forbidden_calls(Runner& runner) {
    const std::vector<ForbiddenCall> list = forbidden_calls(runner.description());
    const auto answers = runner.each(
        list.size(), [&](Probe& probe, std::size_t i) { return try_forbidden(probe, list[i], i); },
        [&](std::size_t i) { return fmt::format("{} in {}", list[i].function, list[i].state->name); });
    std::map<std::string, std::vector<std::string_view>> accepted, fatal;
    for (const Reaction& reaction : reactions(answers)) {
        const ForbiddenCall& call = list.at(reaction.item);
        if (reaction.status <= raw_warning)
            accepted[call.function].push_back(call.state->name);
        if (reaction.status >= raw_fatal)
            fatal[call.function].push_back(call.state->name);
    }
    for (const auto& [function, states] : accepted)
        runner.findings().warning(
            "forbidden-call", "forbidden-calls",
            fmt::format("{} is accepted in: {}", function, fmt::join(states, ", ")),
            "a call that the state does not allow returns an error, and changes nothing");
    for (const auto& [function, states] : fatal)
        runner.findings().warning(
            "forbidden-call", "forbidden-calls",
            fmt::format("{} is fatal in: {}", function, fmt::join(states, ", ")),
            "after a fatal error no instance of the FMU can be used; an error is enough");
}

void check_arguments(Runner& runner) {
    const std::vector<WrongCall> list = wrong_calls(runner.description());
    runner.each(
        list.size(), [&](Probe& probe, std::size_t i) { return try_wrong(probe, list[i]); },
        [&](std::size_t i) { return list[i].function; });
}

} // namespace tenon::check
