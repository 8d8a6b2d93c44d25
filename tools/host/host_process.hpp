#pragma once
// A child process for one FMU, seen from its parent: made, watched, ended and reaped.

#include "tools/files/descriptor.hpp"

#include <sys/types.h>

#include <functional>
#include <string>

namespace tenon::fmi {
class LogRelay;
}

namespace tenon::host {

/// Lives as long as this object at most, and dies with this process, however it dies. Processes that it makes itself
/// die with it unless they leave its session.
class HostProcess {
  public:
    /// Forks. In the child: a session of its own, signals as at the start of a program, no standard input, standard output
    /// and error to the parent; then `work`, which is given the one descriptor that must stay open, and when it returns, the
    /// end. Throws std::system_error.
    explicit HostProcess(const std::function<void(int lifeline)>& work);
    ~HostProcess();
    HostProcess(const HostProcess&) = delete;
    HostProcess& operator=(const HostProcess&) = delete;

    /// Without waiting.
    bool has_ended() const;
    /// What it has printed since the last time, line by line, under the category "printed".
    void pass_printed(fmi::LogRelay& relay);
    /// Ends it where it has not ended by itself, and says how it ended: "died of signal 11 (Segmentation fault)",
    /// "ended by itself with exit code 0".
    std::string finish();

  private:
    void pass_lines(fmi::LogRelay& relay, bool all);

    pid_t pid_ = -1;
    Descriptor watch_;    ///< of the process
    Descriptor lifeline_; ///< while it is open, the child lives
    Descriptor output_;
    std::string printed_; ///< a line that is not complete yet
};

} // namespace tenon::host
