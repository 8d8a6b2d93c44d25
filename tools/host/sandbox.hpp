#pragma once
// What a process may do from now on, and every library that it loads.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tenon::host {

struct SandboxRules {
    std::filesystem::path scratch;                         ///< working and temporary folder
    std::vector<std::filesystem::path> readable, writable; ///< folders with all in them, or files; must exist
    std::uint64_t memory = 0; ///< bytes of address space above what the process has now; 0: no limit
    std::uint64_t file = 0;   ///< largest file, bytes; 0: no limit
    /// Files by Landlock, system calls by seccomp, no privileges.
    bool confined = true;
};

/// For good. The process has one thread. Returns what could not be done because the kernel is too old, as sentences;
/// throws std::system_error where it refuses what it should know.
std::vector<std::string> enter_sandbox(const SandboxRules& rules);

/// Folders and files that libraries need on every system: the libraries themselves, time zones, what the processor is.
std::vector<std::filesystem::path> system_readable();

} // namespace tenon::host
