#pragma once
// What makes an archive dangerous. Nothing is cleaned or skipped: one bad entry, and the whole archive is refused.

#include "tools/archive/archive.hpp"
#include "tools/archive/zip_headers.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// Why no entry may have this name, "" where one may: it leads out of the folder it is unpacked to, or is another name
/// or none at all on some system. UTF-8 with `/` only.
std::string name_fault(std::string_view name);

/// Two entries that cannot be unpacked side by side everywhere.
struct NameClash {
    std::string_view name;
    std::string rule;
};
/// Of names without fault: the same name twice, names equal but for case or Unicode form (folded_name), a file that is
/// also a folder.
std::optional<NameClash> find_clash(const std::vector<std::string_view>& names);

/// Kind, method, encryption, sizes and names of all entries. Throws InputError(malformed) with file, entry, rule and limit.
void check_entries(const std::filesystem::path& file, const std::vector<zip::Header>& headers,
                   const ArchiveLimits& limits);

} // namespace tenon
