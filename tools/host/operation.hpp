#pragma once
// What a stand-in can ask a slave that lives elsewhere, and what can come back. The numbers travel: a remote host of
// another version must not see them change their meaning.

#include "tools/import/slave.hpp"

#include <cstdint>
#include <string>

namespace tenon::host {

enum class Operation : std::uint32_t {
    instantiate,
    set_debug_logging,
    enter_initialization,
    exit_initialization,
    enter_configuration,
    exit_configuration,
    terminate,
    reset,
    get,
    set,
    set_input_derivatives,
    get_output_derivatives,
    step,
    enter_event_mode,
    update_discrete_states,
    enter_step_mode,
    save,
    restore,
    discard,
    serialize,
    deserialize,
    directional_derivative,
    adjoint_derivative,
    free,   ///< the last one
    resume, ///< the answer to Reply::update: the step goes on
};
constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::resume) + 1;

enum class Reply : std::uint32_t {
    answer, ///< the status, and what the operation gives
    update, ///< an intermediate update: requests are served inside the step until `resume`
    failed, ///< a text: why there is no answer, and never will be
};

/// A call, as far as a message about it needs to know.
struct Call {
    Operation operation = Operation::instantiate;
    double time = 0, step = 0;           ///< of a step
    fmi::Type type = fmi::Type::float64; ///< of get and set, as the next
    std::size_t values = 0;
};

/// "step(t=0.4, h=0.1)", "get(3 Float64)", "save": the call as part of a sentence.
std::string describe(const Call& call);

} // namespace tenon::host
