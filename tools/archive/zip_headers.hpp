#pragma once
// What the headers of a zip archive say, read from its bytes: the end record, the central directory, and the local
// header before each entry's data. They must agree and leave no byte of the file to chance; whether what they say is
// harmless is for archive_checks.hpp.

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/plain_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::zip {

/// Central directory and all local headers together: 800 bytes an entry at 20 000 entries, so that any archive is
/// opened in a moment.
constexpr std::uint64_t header_limit = 16 << 20;

struct Directory {
    std::uint64_t offset = 0, size = 0, entries = 0;
};

struct Header {
    ArchiveEntry entry;
    std::uint32_t checksum = 0;
    std::uint32_t attributes = 0;
    std::uint64_t offset = 0; ///< of the local header
    std::uint64_t data = 0;   ///< offset of the data
    std::uint64_t end = 0;    ///< of the data and of the descriptor behind it
};

/// "FILE: entry 'NAME': rule", malformed.
InputError refused(const std::filesystem::path& file, std::string_view entry, const std::string& rule);

/// From the end record, which must be the only one and the last thing of the file. Throws InputError(malformed).
Directory find_directory(const PlainFile& file);

/// All entries, still without `data` and `end`. Throws InputError(malformed).
std::vector<Header> read_central_directory(const PlainFile& file, const Directory& directory);

/// Compares with the local headers, fills in `data` and `end` and finds that the entries lie one behind the other, with
/// nothing before, between and after them. Throws InputError(malformed).
void read_local_headers(const PlainFile& file, const Directory& directory, std::vector<Header>& headers);

/// The extra fields of a header that others may heed; empty where there are none.
struct Extra {
    std::string_view zip64, unicode_path;
};

/// Throws InputError(malformed) where a field is longer than its place or the name in it is another one.
Extra read_extra(const PlainFile& file, std::string_view entry, std::string_view bytes);

/// A number of 32 bits, or the next one of the zip64 field (which is then shortened) where it stands there.
std::uint64_t number_or_zip64(std::uint32_t number, std::string_view& zip64);

} // namespace tenon::zip
