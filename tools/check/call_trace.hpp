#pragma once
// The last calls into an FMU, in memory that outlives the process that made them.

#include <cstddef>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace tenon::check {

/// Made by the parent before it forks; written by the child, also from several threads; read by the parent.
class CallTrace {
  public:
    /// Throws std::system_error where there is no memory.
    CallTrace();
    ~CallTrace();
    CallTrace(const CallTrace&) = delete;
    CallTrace& operator=(const CallTrace&) = delete;

    void clear();
    void begin(std::string_view call);
    void end();

    /// Calls made, newest last; only the last few are kept.
    std::vector<std::string> calls() const;
    /// "while fmi2Reset was under way" or "after fmi2Reset": where a process came to its end.
    std::string describe() const;

  private:
    struct Memory;
    Memory* memory_;
};

/// One call, from construction to destruction.
class TracedCall {
  public:
    template <class... Args>
    TracedCall(CallTrace& trace, fmt::format_string<Args...> format, Args&&... args) : trace_(trace) {
        trace_.begin(fmt::format(format, std::forward<Args>(args)...));
    }
    ~TracedCall() { trace_.end(); }
    TracedCall(const TracedCall&) = delete;
    TracedCall& operator=(const TracedCall&) = delete;

  private:
    CallTrace& trace_;
};

} // namespace tenon::check
