#pragma once
// The dynamic checks: one function a subject. Each runs the FMU in children of the runner and reports to its findings.

#include "tools/check/runner.hpp"

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace tenon::check {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

/// Loads the library in both ways. False where it cannot be loaded: there is nothing to check then.
bool check_loading(Runner& runner);

/// An ordinary run with start values, then one with moving inputs. Fills the experiment: number of steps, times, whether
/// inputs may move. False where the FMU did not come to a first step.
bool check_run(Runner& runner);

struct DynamicCheck {
    std::string_view name; ///< the place of its findings
    std::string_view what; ///< the sentence that it tests
    void (*run)(Runner&);
    /// Why it does not apply to this FMU; empty where it does.
    std::string (*unfit)(const fmi::Description&);
    bool needs_run = true; ///< pointless where the ordinary run failed
};

/// In the order in which they are made, after the two above.
std::span<const DynamicCheck> dynamic_checks();

// check_library.cpp
void check_unloading(Runner& runner);
// check_instantiation.cpp
void check_token(Runner& runner);
void check_logger(Runner& runner);
// check_calls.cpp
void check_forbidden_calls(Runner& runner);
void check_arguments(Runner& runner);
// check_repetition.cpp
void check_determinism(Runner& runner);
void check_reset(Runner& runner);
void check_start_values(Runner& runner);
// check_instances.cpp
void check_instances(Runner& runner);
void check_threads(Runner& runner);
// check_state.cpp
void check_rollback(Runner& runner);
void check_initial_state(Runner& runner);
void check_copies(Runner& runner);
void check_step_flag(Runner& runner);
void check_saving(Runner& runner);
// check_serialization.cpp
void check_serialization(Runner& runner);
void check_broken_bytes(Runner& runner);
// check_steps.cpp
void check_step_arguments(Runner& runner);
void check_step_size(Runner& runner);
void check_event_mode(Runner& runner);
// check_derivatives.cpp
void check_directional_derivatives(Runner& runner);
void check_adjoint_derivatives(Runner& runner);
// check_dependencies.cpp
void check_dependencies(Runner& runner);
// check_robustness.cpp
void check_nan(Runner& runner);
void check_memory(Runner& runner);
void check_resources(Runner& runner);

} // namespace tenon::check
