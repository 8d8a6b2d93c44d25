#include "tools/import/call_board.hpp"

#include <algorithm>
#include <cstring>

namespace tenon::fmi {

const char* function_name(Function function) {
    static constexpr const char* names[] = {"",
                                            "loading",
                                            "Instantiate",
                                            "SetDebugLogging",
                                            "SetupExperiment",
                                            "EnterInitializationMode",
                                            "ExitInitializationMode",
                                            "EnterConfigurationMode",
                                            "ExitConfigurationMode",
                                            "Terminate",
                                            "Reset",
                                            "FreeInstance",
                                            "Get",
                                            "Set",
                                            "a function for derivatives",
                                            "GetFMUState",
                                            "SetFMUState",
                                            "FreeFMUState",
                                            "SerializeFMUState",
                                            "DeserializeFMUState",
                                            "DoStep",
                                            "GetStatus",
                                            "EnterEventMode",
                                            "UpdateDiscreteStates",
                                            "EnterStepMode"};
    const auto i = static_cast<std::size_t>(function);
    return i < std::size(names) ? names[i] : "";
}

CallBoard::Call CallBoard::read(const Slot& slot) const {
    const std::uint64_t word = slot.call.load(std::memory_order_relaxed);
    const auto fmu = static_cast<std::size_t>(word >> 8 & 0xffff);
    if (word == 0 || fmu >= most_fmus)
        return {};
    const char* name = names[fmu];
    return {std::string(name, ::strnlen(name, longest_name - 1)), static_cast<Function>(word & 0xff),
            word >> 24};
}

void use_call_board(CallBoard& board) {
    call_board = &board;
    call_slot = &board.slots[0];
}

void take_call_slot() {
    const unsigned next = call_board->threads.fetch_add(1, std::memory_order_relaxed);
    call_slot = &call_board->slots[std::min<std::size_t>(next, CallBoard::most_threads - 1)];
}

} // namespace tenon::fmi
