#pragma once
// Which FMU a thread is in, for whoever must say why the process ends: an FMU in this process that crashes or calls exit
// takes everything with it.

namespace tenon::fmi {

/// Name of the instance whose library this thread is in; null outside. A signal handler may read it, which is why it is
/// not in an object.
inline constinit thread_local const char* called_fmu = nullptr;

/// In the library from construction to destruction, also where an exception ends it.
class CallOfFmu {
  public:
    explicit CallOfFmu(const char* name) { called_fmu = name; }
    ~CallOfFmu() { called_fmu = nullptr; }
    CallOfFmu(const CallOfFmu&) = delete;
    CallOfFmu& operator=(const CallOfFmu&) = delete;
};

} // namespace tenon::fmi
