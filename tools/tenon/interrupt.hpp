#pragma once
// Ctrl-C (SIGINT) and SIGTERM as a question that a loop asks after each step, so that results stay complete.

namespace tenon::cli {

/// From construction to destruction the signals only raise a flag; a second one ends the process at once.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    bool raised() const;
};

} // namespace tenon::cli
