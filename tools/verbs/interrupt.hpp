#pragma once
// Ctrl-C (SIGINT) and SIGTERM as a question that a loop asks after each step, so that results stay complete.

namespace tenon::verbs {

/// From construction to destruction the signals only raise a flag; a second one ends the process at once. Where nobody
/// asks for two seconds, one line says for what the process waits.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    bool raised() const;
};

/// From construction to destruction a broken pipe or a file that grows beyond its limit is an error of the write, as a
/// full disk is, and does not end the process.
class WriteSignalGuard {
  public:
    WriteSignalGuard();
    ~WriteSignalGuard();
    WriteSignalGuard(const WriteSignalGuard&) = delete;
    WriteSignalGuard& operator=(const WriteSignalGuard&) = delete;
};

} // namespace tenon::verbs
