#pragma once

#include <filesystem>
#include <vector>

namespace tenon::host {

/// Folders with all in them, or files; links are followed.
struct FileRules {
    std::vector<std::filesystem::path> readable;
    std::vector<std::filesystem::path> writable; ///< and readable; nothing in them can be executed
};

/// From now on this process can open nothing else, and start no program. Where the kernel can (Landlock's versions 4
/// and 6), it can also connect to no TCP port and signal no process outside. False: this kernel has no Landlock, or it
/// is switched off. Throws std::system_error, with the path where one cannot be opened. The process can gain no
/// privileges (PR_SET_NO_NEW_PRIVS) and has one thread.
bool restrict_files(const FileRules& rules);

} // namespace tenon::host
