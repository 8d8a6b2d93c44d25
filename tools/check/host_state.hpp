#pragma once
// What a process owns and a library must leave alone: working directory, locale, signal handlers, floating-point modes.

#include "tools/check/findings.hpp"

#include <csignal>
#include <map>
#include <string>

namespace tenon::check {

class HostState {
  public:
    /// The state of this process and thread now.
    static HostState now();
    /// What is different now.
    void compare(Findings& findings) const;

  private:
    std::string directory_, locale_;
    std::map<int, void (*)(int)> handlers_;
    int rounding_ = 0;
    int traps_ = 0;
    bool flushes_results_ = false, flushes_operands_ = false; ///< FTZ and DAZ
    bool extended_precision_ = true;                          ///< of long double, where it has more bits
};

} // namespace tenon::check
