#include "tools/master/start_values.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/master/failure_text.hpp"

#include <fmt/format.h>

namespace tenon::master {
namespace {

std::string text(const Scalar& value) {
    return std::visit(
        []<class T>(const T& x) {
            if constexpr (std::is_same_v<T, std::string>)
                return "'" + printable(x) + "'";
            else if constexpr (std::is_same_v<T, double>)
                return digits(x);
            else
                return std::to_string(x);
        },
        value);
}

[[noreturn]] void refuse(const Ensemble& ensemble, const Participant& participant, const std::string& what) {
    throw Error(ErrorKind::computation,
                fmt::format("{}: {} returned {}{}", ensemble.who(participant.number), what,
                            status_name(participant, participant.failure.status),
                            ensemble.says(participant.number)),
                participant.name);
}

/// One variable and its values.
struct Item {
    const fmi::Variable* variable = nullptr;
    const fmi::Start* values = nullptr;
    std::size_t count = 1;
};

ValueBlock block_of(const Item& item) {
    ValueBlock block(item.variable->type);
    block.add(item.variable->reference, item.count);
    block.assign(0, *item.values);
    return block;
}

void send(Ensemble& ensemble, Participant& participant, const Item& item) {
    const ValueBlock block = block_of(item);
    if (!participant.succeeded("Set", block.set(*participant.slave)))
        refuse(ensemble, participant,
               fmt::format("setting '{}' = {}{}", printable(item.variable->name, 120), text(block.scalar(0)),
                           item.count > 1 ? ", ..." : ""));
}

bool is_set_before(const fmi::Variable& variable) {
    return variable.causality != fmi::Causality::input &&
           (variable.initial == fmi::Initial::exact || variable.initial == fmi::Initial::approx);
}

bool is_set_within(const fmi::Variable& variable) { return variable.causality == fmi::Causality::input; }

bool is_settable(const fmi::Variable& variable) {
    return variable.type != fmi::Type::clock && !variable.clocked &&
           variable.variability != fmi::Variability::constant &&
           variable.causality != fmi::Causality::independent &&
           variable.causality != fmi::Causality::structural_parameter;
}

/// What the system gives. The start values of the description are the FMU's own: it has them already, and some fail, or give
/// other results, where they are set again.
template <class Wanted> void send_values(Ensemble& ensemble, Participant& participant, Wanted&& wanted) {
    const std::size_t fmu = participant.number;
    for (const system::CheckedSystem::Assignment& assignment : ensemble.system.assignments[fmu])
        if (const fmi::Variable& variable = participant.description->variables[assignment.variable];
            is_settable(variable) && wanted(variable))
            send(ensemble, participant,
                 Item{&variable, &assignment.values,
                      static_cast<std::size_t>(ensemble.system.elements(fmu, assignment.variable))});
}

} // namespace

void send_structure(Ensemble& ensemble, Participant& participant) {
    std::vector<Item> sizes;
    for (const system::CheckedSystem::Assignment& assignment :
         ensemble.system.assignments[participant.number]) {
        const fmi::Variable& variable = participant.description->variables[assignment.variable];
        if (variable.causality == fmi::Causality::structural_parameter)
            sizes.push_back({&variable, &assignment.values});
    }
    if (sizes.empty())
        return;
    if (!participant.succeeded("EnterConfigurationMode", participant.slave->enter_configuration()))
        refuse(ensemble, participant, "EnterConfigurationMode");
    for (const Item& size : sizes)
        send(ensemble, participant, size);
    if (!participant.succeeded("ExitConfigurationMode", participant.slave->exit_configuration()))
        refuse(ensemble, participant, "ExitConfigurationMode");
}

void send_start_values(Ensemble& ensemble, Participant& participant) {
    send_values(ensemble, participant, is_set_before);
}

void send_input_starts(Ensemble& ensemble, Participant& participant) {
    send_values(ensemble, participant, is_set_within);
}

} // namespace tenon::master
