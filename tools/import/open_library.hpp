#pragma once
// dlopen() of an FMU's library. FMUs that are written in Python (PythonFMU and what is built on it) take the functions of Python
// from their process and name no library that has them, since their first host was a Python program. For them Python's
// library is loaded first: that of `python3`, or the newest that the loader finds.

#include <filesystem>
#include <string>
#include <string_view>

namespace tenon::fmi {

struct OpenedLibrary {
    void* handle = nullptr;
    std::string problem; ///< where there is no handle: what the loader says, and what to do about it
};

/// `flags` as for dlopen(), RTLD_LOCAL beside them.
OpenedLibrary open_library(const std::filesystem::path& file, int flags);

/// A name of Python's interface for C.
bool is_of_python(std::string_view symbol);

} // namespace tenon::fmi
