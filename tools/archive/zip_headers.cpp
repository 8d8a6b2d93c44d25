// The central directory, and what it shares with the local headers.

#include "tools/archive/zip_headers.hpp"

#include "tools/files/little_endian.hpp"
#include "tools/archive/zip_format.hpp"

#include <utility>

#include <fmt/format.h>

namespace tenon::zip {
namespace {

/// Longer than any name that passes the checks; the message is cut there.
constexpr std::size_t shown_name = 200;

/// The record at the front of `bytes`, which begins with its mark and is long enough for its fixed part.
Header central_header(const PlainFile& file, std::string_view bytes, std::string_view name,
                      std::string_view extra) {
    Header header;
    ArchiveEntry& entry = header.entry;
    entry.name = name;
    entry.version_needed = little_endian<std::uint16_t>(bytes, 6);
    entry.flags = little_endian<std::uint16_t>(bytes, 8);
    entry.method = little_endian<std::uint16_t>(bytes, 10);
    header.checksum = little_endian<std::uint32_t>(bytes, 16);
    header.attributes = little_endian<std::uint32_t>(bytes, 38);
    std::string_view zip64 = read_extra(file, name, extra).zip64;
    entry.size = number_or_zip64(little_endian<std::uint32_t>(bytes, 24), zip64);
    entry.packed = number_or_zip64(little_endian<std::uint32_t>(bytes, 20), zip64);
    header.offset = number_or_zip64(little_endian<std::uint32_t>(bytes, 42), zip64);
    if (little_endian<std::uint16_t>(bytes, 34) != 0)
        throw refused(file.path(), name, "it is in another part of a split archive");
    return header;
}

} // namespace

InputError refused(const std::filesystem::path& file, std::string_view entry, const std::string& rule) {
    return bad_input(file.string(), 0, "entry '" + printable(entry, shown_name) + "': " + rule);
}

Extra read_extra(const PlainFile& file, std::string_view entry, std::string_view bytes) {
    Extra extra;
    while (bytes.size() >= 4) { // fewer are padding
        const auto id = little_endian<std::uint16_t>(bytes, 0);
        const std::size_t length = little_endian<std::uint16_t>(bytes, 2);
        if (bytes.size() - 4 < length)
            throw refused(file.path(), entry,
                          fmt::format("extra field {:#06x} has {} bytes, room is for {}", id, length,
                                      bytes.size() - 4));
        if (id == extra_zip64 && extra.zip64.empty())
            extra.zip64 = bytes.substr(4, length);
        if (id == extra_unicode_path && length >= 5)
            extra.unicode_path = bytes.substr(4 + 5, length - 5); // behind version and checksum
        if (!extra.unicode_path.empty() && extra.unicode_path != entry)
            throw refused(file.path(), entry,
                          "an extra field calls it '" + printable(extra.unicode_path, shown_name) + "'");
        bytes.remove_prefix(4 + length);
    }
    return extra;
}

std::uint64_t number_or_zip64(std::uint32_t number, std::string_view& zip64) {
    if (number != elsewhere32 || zip64.size() < 8)
        return number;
    const auto large = little_endian<std::uint64_t>(zip64, 0);
    zip64.remove_prefix(8);
    return large;
}

std::vector<Header> read_central_directory(const PlainFile& file, const Directory& directory) {
    const std::string all = file.read(directory.offset, static_cast<std::size_t>(directory.size));
    const auto broken = [&](std::uint64_t number) {
        return bad_input(
            file.path().string(), 0,
            fmt::format("the central directory is broken at entry {} of {}", number, directory.entries));
    };
    std::vector<Header> headers;
    std::string_view bytes = all;
    for (std::uint64_t number = 1; number <= directory.entries; ++number) {
        if (bytes.size() < central_size || little_endian<std::uint32_t>(bytes, 0) != central_mark)
            throw broken(number);
        const std::size_t name = little_endian<std::uint16_t>(bytes, 28),
                          extra = little_endian<std::uint16_t>(bytes, 30),
                          comment = little_endian<std::uint16_t>(bytes, 32);
        const std::size_t length = central_size + name + extra + comment;
        if (bytes.size() < length)
            throw broken(number);
        headers.push_back(central_header(file, bytes, bytes.substr(central_size, name),
                                         bytes.substr(central_size + name, extra)));
        bytes.remove_prefix(length);
    }
    if (!bytes.empty())
        throw bad_input(file.path().string(), 0,
                        fmt::format("{} bytes of the central directory follow its last entry (it has {})",
                                    bytes.size(), directory.entries));
    return headers;
}

} // namespace tenon::zip
