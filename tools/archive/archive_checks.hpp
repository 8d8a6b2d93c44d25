#pragma once
// What libzip does not look at before it reads an archive: whether the archive is the same one to every tool, and whether
// it is harmless. Nothing is cleaned or skipped: one bad record, and the whole archive is refused.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/plain_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// Bits of the general purpose flag.
constexpr int zip_encrypted = 1 << 0, zip_descriptor = 1 << 3, zip_patched = 1 << 5,
              zip_strong_encryption = 1 << 6, zip_masked = 1 << 13;

struct ZipDirectory {
    std::uint64_t offset = 0, size = 0, entries = 0;
};

struct ZipHeader {
    ArchiveEntry entry;
    std::string plain; ///< the name without `./` before it; empty: the archive's own folder
    std::optional<std::size_t>
        repeats; ///< the header that has this name first, with the same size and checksum
    std::uint32_t checksum = 0, attributes = 0;
    std::uint64_t offset = 0; ///< of the local header
    std::uint64_t end = 0;    ///< of the data and of the descriptor behind it
};

/// "FILE: entry 'NAME': rule", 65; all below throw it, or one without the entry.
InputError refused(const std::filesystem::path& file, std::string_view entry, const std::string& rule);

/// From the end record, which must be the only one and the last thing of the file.
ZipDirectory find_directory(const PlainFile& file);

/// All entries, still without `end`.
std::vector<ZipHeader> read_directory(const PlainFile& file, const ZipDirectory& directory);

/// Kind, method, encryption, sizes and names of all entries; fills in `plain` and `repeats`.
void check_entries(const std::filesystem::path& file, std::vector<ZipHeader>& headers,
                   const ArchiveLimits& limits, FindingList& deviations);

/// What FMI does not allow in a header, although all tools read it.
void note_headers(const std::vector<ZipHeader>& headers, FindingList& deviations);

/// Compares with the local headers, fills in `end` and finds that the entries lie one behind the other, with nothing
/// before, between and after them.
void check_layout(const PlainFile& file, const ZipDirectory& directory, std::vector<ZipHeader>& headers);

/// `name` with its ASCII letters in lower case: a file system that ignores case takes equal ones for the same.
std::string folded_name(std::string_view name);

/// Why no entry may have this name, "" where one may: it leads out of the folder it is unpacked to, or is another name
/// or none at all on some system. UTF-8 with `/` only. Names that end in a dot are none on Windows only: others write them.
enum class Dots { refused, taken };
std::string name_fault(std::string_view name, Dots dots = Dots::refused);

/// Two entries that cannot be unpacked side by side everywhere.
struct NameClash {
    std::string_view name;
    std::string rule;
};
/// Of names without fault: the same name twice, names equal but for case and dots at the end, a file that is also a folder.
std::optional<NameClash> find_clash(const std::vector<std::string_view>& names);

} // namespace tenon
