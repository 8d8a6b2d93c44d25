#pragma once
// Units of the columns of a CSV file, which has no place for them: from the scene beside it.

#include <filesystem>
#include <map>
#include <string>

namespace tenon::results {

/// From names of columns to units; empty where there is no scene, or none that tells units. Throws InputError(malformed) where the file
/// beside the result is not a scene.
std::map<std::string, std::string, std::less<>> units_beside(const std::filesystem::path& result);

} // namespace tenon::results
