#pragma once
// Where the resources of the FMU are, from what importers say and where the library itself lies.

#include "fmu/system.hpp"

#include <string>
#include <vector>

namespace tenon::fmu {

/// A file URI as the path it means: file:/x, file:///x, file://localhost/x, four slashes, percent escapes; a plain path is
/// taken as it is. Without a trailing slash. Empty for other schemes and for nothing. `windows`: paths begin with drive letters
/// (file:///C:/x means C:/x) or with the name of another machine (file://server/x means //server/x).
std::string path_of_uri(const char* uri, bool windows = on_windows);

/// The same for the native path of FMI 3.0, which some importers give as a URI all the same.
std::string path_of_native(const char* path, bool windows = on_windows);

/// Places to look in, best first: the one that the importer named (may be empty), then ../../resources beside the library.
std::vector<std::string> resource_folders(const std::string& named);

} // namespace tenon::fmu
