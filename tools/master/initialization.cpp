#include "tools/master/initialization.hpp"

#include "core/math/error.hpp"
#include "tools/master/algebraic_loop.hpp"
#include "tools/master/dependencies.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/port_exchange.hpp"
#include "tools/master/start_values.hpp"

#include <optional>

namespace tenon::master {
namespace {

void require(bool success, const Ensemble& ensemble, const Participant& participant) {
    if (!success)
        throw Error(ErrorKind::computation,
                    describe(ensemble, ensemble.system.system.master.start, participant.failure),
                    participant.name);
}

void enter(Ensemble& ensemble, Participant& participant) {
    const system::MasterSettings& master = ensemble.system.system.master;
    std::optional<double> stop, tolerance;
    if (master.stop > master.start)
        stop = master.stop;
    if (master.adaptive) // the tolerance says that the communication step is error-controlled
        tolerance = master.tolerance;
    require(participant.succeeded("EnterInitializationMode",
                                  participant.slave->enter_initialization(master.start, stop, tolerance)),
            ensemble, participant);
}

/// Every input after the outputs it comes from, every output after the inputs it depends on.
void propagate(Ensemble& ensemble) {
    const Successors graph = port_graph(ensemble.wiring, ensemble.participants, Phase::initialization);
    const std::size_t inputs = ensemble.wiring.inputs().size();
    for (const std::vector<std::size_t>& component : components(graph)) {
        if (is_loop(graph, component))
            solve_loop(ensemble, component);
        else if (component.front() < inputs)
            require_fed(ensemble, component.front());
        else
            require_read(ensemble, component.front() - inputs);
    }
}

} // namespace

void reset(Ensemble& ensemble) {
    for (const auto& participant : ensemble.participants)
        require(participant->succeeded("Reset", participant->slave->reset()), ensemble, *participant);
}

void initialize(Ensemble& ensemble, const std::vector<Placement>& placements) {
    for (const auto& participant : ensemble.participants) {
        send_structure(ensemble, *participant);
        send_start_values(ensemble, *participant);
        for (const Placement& placement : placements)
            if (placement.participant == participant->number)
                require(
                    participant->succeeded(
                        "Set", participant->slave->set(std::span<const fmi::Reference>(placement.references),
                                                       std::span<const double>(placement.values))),
                    ensemble, *participant);
        enter(ensemble, *participant);
        send_input_starts(ensemble, *participant);
    }
    propagate(ensemble);
    for (const auto& participant : ensemble.participants)
        require(participant->succeeded("ExitInitializationMode", participant->slave->exit_initialization()),
                ensemble, *participant);
    for (const auto& participant : ensemble.participants)
        if (!participant->event_mode)
            require(participant->receive(ensemble.signals.now.data()), ensemble, *participant);
}

} // namespace tenon::master
