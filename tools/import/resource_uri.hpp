#pragma once

#include <filesystem>
#include <string>

namespace tenon::fmi {

/// The file URI (RFC 3986) of an absolute path, without a slash at the end: "file:///tmp/a%20b/resources".
std::string resource_uri(const std::filesystem::path& folder);

} // namespace tenon::fmi
