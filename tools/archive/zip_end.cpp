// The end of the archive: end record, and before it, in zip64 archives, another one with larger numbers.

#include "tools/files/little_endian.hpp"
#include "tools/archive/zip_format.hpp"
#include "tools/archive/zip_headers.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace tenon::zip {
namespace {

struct EndRecord {
    std::uint64_t disk = 0, directory_disk = 0, entries_here = 0;
    Directory directory;
    std::uint64_t offset = 0; ///< of the record itself
};

InputError refused_whole(const PlainFile& file, const std::string& rule) {
    return bad_input(file.path().string(), 0, rule);
}

/// Searched among the last bytes, since a comment of up to 65535 bytes may follow it. Tools differ in which of two end
/// records they take, so there must be no second one in the comment.
EndRecord find_end(const PlainFile& file) {
    if (file.size() == 0)
        throw refused_whole(file, "the file is empty; a zip archive is expected");
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), end_size + 0xFFFF));
    const std::string tail = file.read(file.size() - length, length);
    std::optional<std::size_t> found;
    bool marked = false;
    for (std::size_t i = tail.find("PK\5\6"); i != std::string::npos; i = tail.find("PK\5\6", i + 1)) {
        marked = true;
        if (found)
            throw refused_whole(file, "the archive has two end records");
        if (i + end_size <= length && i + end_size + little_endian<std::uint16_t>(tail, i + 20) == length)
            found = i;
    }
    if (!found)
        throw refused_whole(file,
                            marked ? "the end record of the archive is not at the end of the file: bytes are "
                                     "missing or follow it"
                                   : "no zip archive (there is no end record)");
    const std::string_view bytes = std::string_view(tail).substr(*found);
    EndRecord end;
    end.disk = little_endian<std::uint16_t>(bytes, 4);
    end.directory_disk = little_endian<std::uint16_t>(bytes, 6);
    end.entries_here = little_endian<std::uint16_t>(bytes, 8);
    end.directory.entries = little_endian<std::uint16_t>(bytes, 10);
    end.directory.size = little_endian<std::uint32_t>(bytes, 12);
    end.directory.offset = little_endian<std::uint32_t>(bytes, 16);
    end.offset = file.size() - length + *found;
    return end;
}

/// The zip64 record that the locator before `end` points at; nothing where there is no locator.
std::optional<EndRecord> find_end64(const PlainFile& file, const EndRecord& end) {
    if (end.offset < locator64_size + end64_size)
        return {};
    const std::uint64_t locator_offset = end.offset - locator64_size;
    const std::string locator = file.read(locator_offset, locator64_size);
    if (little_endian<std::uint32_t>(locator, 0) != locator64_mark)
        return {};
    if (little_endian<std::uint32_t>(locator, 4) != 0 || little_endian<std::uint32_t>(locator, 16) > 1)
        throw refused_whole(file, "the archive is split over several files");
    const auto offset = little_endian<std::uint64_t>(locator, 8);
    const std::string bytes = offset <= locator_offset - end64_size ? file.read(offset, end64_size) : "";
    if (bytes.empty() || little_endian<std::uint32_t>(bytes, 0) != end64_mark ||
        little_endian<std::uint64_t>(bytes, 4) != locator_offset - offset - 12)
        throw refused_whole(file, "the zip64 end record is not where its locator says");
    EndRecord end64;
    end64.disk = little_endian<std::uint32_t>(bytes, 16);
    end64.directory_disk = little_endian<std::uint32_t>(bytes, 20);
    end64.entries_here = little_endian<std::uint64_t>(bytes, 24);
    end64.directory.entries = little_endian<std::uint64_t>(bytes, 32);
    end64.directory.size = little_endian<std::uint64_t>(bytes, 40);
    end64.directory.offset = little_endian<std::uint64_t>(bytes, 48);
    end64.offset = offset;
    return end64;
}

bool agree(const EndRecord& end, const EndRecord& end64) {
    const auto same = [](std::uint64_t number, std::uint64_t number64, std::uint64_t elsewhere) {
        return number == number64 || number == elsewhere;
    };
    return same(end.disk, end64.disk, elsewhere16) &&
           same(end.directory_disk, end64.directory_disk, elsewhere16) &&
           same(end.entries_here, end64.entries_here, elsewhere16) &&
           same(end.directory.entries, end64.directory.entries, elsewhere16) &&
           same(end.directory.size, end64.directory.size, elsewhere32) &&
           same(end.directory.offset, end64.directory.offset, elsewhere32);
}

} // namespace

Directory find_directory(const PlainFile& file) {
    EndRecord end = find_end(file);
    if (const std::optional<EndRecord> end64 = find_end64(file, end)) {
        if (!agree(end, *end64))
            throw refused_whole(file, "the end record and the zip64 end record disagree");
        end = *end64;
    }
    const Directory& directory = end.directory;
    if (end.disk != 0 || end.directory_disk != 0 || end.entries_here != directory.entries)
        throw refused_whole(file, "the archive is split over several files");
    if (directory.size > header_limit)
        throw refused_whole(
            file, fmt::format("the central directory has {} bytes (limit {})", directory.size, header_limit));
    if (directory.offset > end.offset || directory.size != end.offset - directory.offset)
        throw refused_whole(
            file, fmt::format(
                      "the central directory ({} bytes from byte {}) does not end at the end record at byte "
                      "{}: bytes are missing, or some stand before or after the archive",
                      directory.size, directory.offset, end.offset));
    return directory;
}

} // namespace tenon::zip
