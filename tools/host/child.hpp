#pragma once
// A function in a process of its own: whatever it does to memory, descriptors, signals or the processor's modes ends
// with it, and a crash or a hang is an answer like any other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::host {

struct ChildLimits {
    double seconds = 20; ///< without a message or an end; each message starts the time anew
    std::uint64_t memory =
        4ull << 30; ///< bytes of address space; 0: no limit. Ignored under the address sanitizer
    std::size_t printed = 16 << 10;   ///< bytes of its standard output and error that are kept
    std::size_t messages = 256 << 20; ///< bytes of all messages together; one more and it is ended
};

/// The child's end of the pipe to its parent.
class ChildChannel {
  public:
    explicit ChildChannel(int descriptor) : descriptor_(descriptor) {}
    /// Arrives whole or not at all. Ends the process where the parent no longer listens.
    void send(std::string_view message) const;
    int descriptor() const { return descriptor_; } ///< for who closes all others

  private:
    int descriptor_;
};

/// How a child ended, and all that it said until then.
struct ChildReport {
    enum class End {
        finished,  ///< the function returned
        threw,     ///< the function ended by an exception: `what`
        exited,    ///< somebody called exit() or _exit(): `code`
        signalled, ///< killed by the signal `code`
        silent,    ///< no sign of life within the limit; killed
        talkative, ///< more messages than allowed, or none that can be understood; killed
        cancelled, ///< the caller no longer wanted it; killed
    };
    End end = End::finished;
    int code = 0;
    std::string what;
    std::vector<std::string> messages;
    std::string printed; ///< its beginning
    double seconds = 0;

    bool finished() const { return end == End::finished; }
};

/// Forks, runs `work` in the child and waits for its end. The child has no standard input, its standard output and error
/// are collected, signal handlers are the default ones, and it and its own children die with this process. The caller has
/// only one thread. `cancelled` is asked several times a second. Throws std::system_error where no process can be made.
ChildReport run_in_child(const std::function<void(const ChildChannel&)>& work, const ChildLimits& limits = {},
                         const std::function<bool()>& cancelled = {});

/// "signal 11 (Segmentation fault)", "exit code 3", "no answer within 20 s": the end as part of a sentence.
std::string describe_end(const ChildReport& report, const ChildLimits& limits);

} // namespace tenon::host
