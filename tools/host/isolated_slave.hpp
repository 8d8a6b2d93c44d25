#pragma once
// An instance whose library is in a process of its own: whatever the FMU does to memory, files or other processes, the
// master goes on. docs/isolation.md says what this protects from, what it costs and where it ends.

#include "tools/import/fmu.hpp"
#include "tools/import/slave.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace tenon::host {

struct IsolationOptions {
    /// Seconds that every call may take; 0: 20 times the median of the last 100 calls of that kind, at least 1 s.
    double deadline_seconds = 0;
    /// Seconds that a call may take before ten of its kind have been measured.
    double first_deadline_seconds = 60;
    /// Bytes of address space that the FMU may take, libraries included; 0: no limit. Ignored under the address sanitizer.
    std::uint64_t memory_limit = 4ull << 30;
    std::uint64_t file_limit = 64ull << 20; ///< bytes of the largest file it may write; 0: no limit
    /// It reaches only its own files and those of the system's libraries, writes only in its scratch folder, starts no
    /// program and no process, makes no socket and touches no other process. False: it is a process of its own, no more.
    bool sandbox = true;
    /// Folders and files that it may use all the same.
    std::vector<std::filesystem::path> readable, writable;
    /// Largest request and largest answer, bytes; memory is taken as it is used.
    std::uint64_t channel_bytes = 256ull << 20;
    /// How long either side turns round before it sleeps; not done where the isolated FMUs of this process and the process
    /// itself do not have a processor each.
    std::chrono::microseconds spin{50};
};

/// Unpacks the FMU into a folder of its own, makes a process for it, loads the library there and makes the instance. The
/// slave behaves as that of Fmu::instantiate, also in what it logs, with these differences:
/// - A crash, an exit, a missed deadline or an answer that cannot be understood makes the call return Status::fatal, with
///   one line in the log that names the FMU, the call and what happened; every later call returns Status::fatal at once.
/// - What the FMU prints is logged, line by line, under the category "printed".
/// - An instance that was fatal takes no other instance with it.
/// - The sink must not call the slave while one of its calls is under way (a call is then refused with Status::error).
/// The process is a copy of this one by fork: make all slaves before you start threads that hold locks, or before you
/// start threads at all. It ends with the slave, and with this process. Throws LoadError, also where no process can be made.
std::unique_ptr<fmi::Slave> instantiate_isolated(const fmi::Fmu& fmu, const fmi::InstanceOptions& options,
                                                 const IsolationOptions& isolation = {});

} // namespace tenon::host
