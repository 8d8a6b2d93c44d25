#pragma once
// What a user probably meant by the path of a file that is not there.

#include <filesystem>
#include <optional>

namespace tenon {

/// A file in the same folder with another ending or a similar name, one with the same name in a folder inside or around it, or
/// the same path through a folder of a similar name. Nothing where none comes to mind.
std::optional<std::filesystem::path> nearby_file(const std::filesystem::path& missing);

} // namespace tenon
