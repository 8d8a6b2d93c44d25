#pragma once

namespace tenon::host {

/// From now on the kernel refuses this process (EPERM) to start programs and processes, to make sockets, to touch other
/// processes, and what goes round those refusals; threads and files are not concerned. Calls that the kernel got after
/// this was written do not exist for it (ENOSYS). x86_64 and aarch64. The process can gain no privileges
/// (PR_SET_NO_NEW_PRIVS). Throws std::system_error.
void restrict_system_calls();

} // namespace tenon::host
