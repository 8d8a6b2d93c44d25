#pragma once
// Which FMU each thread is in, and in which of its functions: for whoever must say why a process has ended, or waits for one that
// does not answer. An FMU in this process that crashes or calls exit takes everything with it, so the board can lie in memory that
// a parent process reads (tools/verbs/supervisor.hpp). A call costs one store before it and one behind it.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tenon::fmi {

/// The functions of an FMU, as far as a message tells them apart.
enum class Function : std::uint8_t {
    none,
    load,
    instantiate,
    set_debug_logging,
    setup_experiment,
    enter_initialization,
    exit_initialization,
    enter_configuration,
    exit_configuration,
    terminate,
    reset,
    free_instance,
    get,
    set,
    derivatives,
    get_state,
    set_state,
    free_state,
    serialize,
    deserialize,
    do_step,
    get_status,
    enter_event_mode,
    update_discrete_states,
    enter_step_mode
};

/// As FMI calls it, without "fmi2" or "fmi3": "DoStep".
const char* function_name(Function function);

struct CallBoard {
    static constexpr std::size_t most_threads = 64, most_fmus = 1024, longest_name = 64;

    /// Of one thread: 0 outside of all FMUs, otherwise number of the call << 24 | FMU << 8 | function.
    struct alignas(64) Slot {
        std::atomic<std::uint64_t> call{0};
    };
    /// What a slot says.
    struct Call {
        std::string fmu;
        Function function = Function::none;
        std::uint64_t number = 0;
    };

    std::array<Slot, most_threads> slots;
    std::atomic<unsigned> threads{1};
    char names[most_fmus][longest_name];

    /// Nothing where the thread is in no FMU.
    Call read(const Slot& slot) const;
};

/// Of this process; a process that is watched by its parent takes one that both can see.
inline CallBoard own_call_board;
inline CallBoard* call_board = &own_call_board;
/// Threads that have not taken a slot share the first.
inline constinit thread_local CallBoard::Slot* call_slot = &own_call_board.slots[0];

/// From now on all calls are noted on this board, those of this thread on its first slot. Before there is a second thread.
void use_call_board(CallBoard& board);
/// For a thread that calls FMUs.
void take_call_slot();

/// In an FMU's library from construction to destruction, also where an exception ends it.
class CallOfFmu {
  public:
    CallOfFmu(unsigned fmu, Function function) {
        call_slot->call.store(std::uint64_t{fmu} << 8 | static_cast<std::uint64_t>(function),
                              std::memory_order_relaxed);
    }
    ~CallOfFmu() { call_slot->call.store(0, std::memory_order_relaxed); }
    CallOfFmu(const CallOfFmu&) = delete;
    CallOfFmu& operator=(const CallOfFmu&) = delete;
};

} // namespace tenon::fmi
