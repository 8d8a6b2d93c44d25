#include "tools/host/operation.hpp"

#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace tenon::host {
namespace {

constexpr std::array<std::string_view, operation_count> names{
    "instantiate",
    "set_debug_logging",
    "enter_initialization",
    "exit_initialization",
    "enter_configuration",
    "exit_configuration",
    "terminate",
    "reset",
    "get",
    "set",
    "set_input_derivatives",
    "get_output_derivatives",
    "step",
    "enter_event_mode",
    "update_discrete_states",
    "enter_step_mode",
    "save",
    "restore",
    "discard",
    "serialize",
    "deserialize",
    "directional_derivative",
    "adjoint_derivative",
    "free",
    "resume",
};

} // namespace

std::string describe(const Call& call) {
    const std::string_view name = names[static_cast<std::size_t>(call.operation)];
    switch (call.operation) {
    case Operation::step:
        return fmt::format("{}(t={}, h={})", name, call.time, call.step);
    case Operation::get:
    case Operation::set:
        return fmt::format("{}({} {})", name, call.values, word(call.type));
    default:
        return std::string(name);
    }
}

} // namespace tenon::host
