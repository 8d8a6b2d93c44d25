// Where everything lies in a zip archive (PKWARE's APPNOTE 6.3, sections 4.3 to 4.5). libzip takes the central directory at
// its word; other tools go by the local headers, or by another end record. This pass finds that all records agree and
// that every byte of the file belongs to exactly one of them.

#include "tools/archive/archive_checks.hpp"
#include "tools/files/little_endian.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tenon {
namespace {

/// Central directory and all local headers together: 800 bytes an entry at 20 000 entries, so that any archive is
/// opened in a moment.
constexpr std::uint64_t header_limit = 16 << 20;

/// The fixed parts of the records.
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator64_size = 20;
constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end64_mark = 0x06064b50,
                        locator64_mark = 0x07064b50, descriptor_mark = 0x08074b50;

/// In place of a number that stands in the zip64 extra field or record.
constexpr std::uint64_t elsewhere16 = 0xFFFF, elsewhere32 = 0xFFFFFFFF;
constexpr std::uint64_t extra_zip64 = 0x0001, extra_unicode_path = 0x7075;

std::uint64_t two(std::string_view bytes, std::size_t at) { return little_endian<std::uint16_t>(bytes, at); }
std::uint64_t four(std::string_view bytes, std::size_t at) { return little_endian<std::uint32_t>(bytes, at); }
std::uint64_t eight(std::string_view bytes, std::size_t at) {
    return little_endian<std::uint64_t>(bytes, at);
}

InputError refused_whole(const PlainFile& file, const std::string& rule) {
    return bad_input(file.path().string(), 0, rule);
}

// ---- the end record, and before it, in zip64 archives, another one with larger numbers ------------------------------

struct EndRecord {
    std::uint64_t offset = 0; ///< of the record itself
    /// This file, that of the directory, entries in this file, entries, bytes and offset of the directory.
    std::array<std::uint64_t, 6> numbers{};
};

/// Whether a reader that takes what begins at byte `offset` for an end record comes to a directory.
bool leads_to_directory(const PlainFile& file, std::uint64_t offset, std::string_view record) {
    const auto mark_at = [&](std::uint64_t at, std::uint32_t mark) {
        return at + 4 <= offset && four(file.read(at, 4), 0) == mark;
    };
    return record.size() >= end_size &&
           (mark_at(four(record, 16), central_mark) ||
            (offset >= locator64_size && mark_at(offset - locator64_size, locator64_mark)));
}

/// Searched among the last bytes, since a comment of up to 65535 bytes may follow it, and as far back as libzip does, which
/// has room for a locator too. Tools differ in which of two end records they take (libzip may take the first), so there
/// must be none in the comment, and none before, in the data of an entry, that has a directory of its own. (One of an
/// archive within the archive has not: its offsets count from elsewhere.)
EndRecord find_end(const PlainFile& file) {
    if (file.size() == 0)
        throw refused_whole(file, "the file is empty; a zip archive is expected");
    const auto length =
        static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), locator64_size + end_size + 0xFFFF));
    const std::string tail = file.read(file.size() - length, length);
    std::optional<std::size_t> found;
    bool marked = false, second = false;
    for (std::size_t i = tail.find("PK\5\6"); i != std::string::npos; i = tail.find("PK\5\6", i + 1)) {
        marked = true;
        if (found)
            second = true;
        else if (i + end_size <= length && i + end_size + two(tail, i + 20) == length)
            found = i;
        else
            second |= leads_to_directory(file, file.size() - length + i, std::string_view(tail).substr(i));
    }
    if (found && second)
        throw refused_whole(file, "the archive has two end records");
    if (!found)
        throw refused_whole(file,
                            marked ? "the end record of the archive is not at the end of the file: bytes are "
                                     "missing or follow it"
                                   : "not a zip archive (there is no end record)");
    const std::string_view bytes = std::string_view(tail).substr(*found);
    return {file.size() - length + *found,
            {two(bytes, 4), two(bytes, 6), two(bytes, 8), two(bytes, 10), four(bytes, 12), four(bytes, 16)}};
}

/// The zip64 record that the locator before `end` points at; `end` itself where there is no locator.
EndRecord with_zip64(const PlainFile& file, const EndRecord& end) {
    if (end.offset < locator64_size + end64_size)
        return end;
    const std::uint64_t locator_offset = end.offset - locator64_size;
    const std::string locator = file.read(locator_offset, locator64_size);
    if (four(locator, 0) != locator64_mark)
        return end;
    if (four(locator, 4) != 0 || four(locator, 16) > 1)
        throw refused_whole(file, "the archive is split over several files");
    const std::uint64_t offset = eight(locator, 8);
    const std::string bytes = offset <= locator_offset - end64_size ? file.read(offset, end64_size) : "";
    if (bytes.empty() || four(bytes, 0) != end64_mark || eight(bytes, 4) != locator_offset - offset - 12)
        throw refused_whole(file, "the zip64 end record is not where its locator says");
    const EndRecord end64{offset,
                          {four(bytes, 16), four(bytes, 20), eight(bytes, 24), eight(bytes, 32),
                           eight(bytes, 40), eight(bytes, 48)}};
    for (std::size_t i = 0; i < end.numbers.size(); ++i)
        if (end.numbers[i] != end64.numbers[i] && end.numbers[i] != (i < 4 ? elsewhere16 : elsewhere32))
            throw refused_whole(file, "the end record and the zip64 end record disagree");
    return end64;
}

// ---- headers ---------------------------------------------------------------------------------------------------------

/// The zip64 extra field, empty where there is none. Throws where a field is longer than its place, or brings a second
/// name that some tools go by.
std::string_view read_extra(const PlainFile& file, std::string_view name, std::string_view bytes) {
    std::string_view zip64;
    while (bytes.size() >= 4) { // fewer are padding
        const std::uint64_t id = two(bytes, 0), length = two(bytes, 2);
        if (bytes.size() - 4 < length)
            throw refused(file.path(), name,
                          fmt::format("extra field {:#06x} has {} bytes, room is for {}", id, length,
                                      bytes.size() - 4));
        const std::string_view field = bytes.substr(4, length);
        if (id == extra_zip64 && zip64.empty())
            zip64 = field;
        if (id == extra_unicode_path && length > 5 && field.substr(5) != name) // behind version and checksum
            throw refused(file.path(), name,
                          "an extra field calls it '" + printable(field.substr(5), 200) + "'");
        bytes.remove_prefix(4 + length);
    }
    return zip64;
}

/// A number of 32 bits, or the next one of the zip64 field (which is then shortened) where it stands there.
std::uint64_t number_or_zip64(std::uint64_t number, std::string_view& zip64) {
    if (number != elsewhere32 || zip64.size() < 8)
        return number;
    const std::uint64_t large = eight(zip64, 0);
    zip64.remove_prefix(8);
    return large;
}

/// What a central record and a local header share stands in both in the same order, from `at` on; `bytes` is the whole
/// record, `fixed` of them before the name. What is left of the zip64 field comes back in `zip64`.
ZipHeader shared_fields(const PlainFile& file, std::string_view bytes, std::size_t at, std::size_t fixed,
                        std::string_view& zip64) {
    ZipHeader header;
    ArchiveEntry& entry = header.entry;
    entry.version_needed = static_cast<int>(two(bytes, at));
    entry.flags = static_cast<int>(two(bytes, at + 2));
    entry.method = static_cast<int>(two(bytes, at + 4));
    header.checksum = static_cast<std::uint32_t>(four(bytes, at + 10));
    entry.name = bytes.substr(fixed, two(bytes, at + 22));
    zip64 = read_extra(file, entry.name, bytes.substr(fixed + entry.name.size(), two(bytes, at + 24)));
    entry.size = number_or_zip64(four(bytes, at + 18), zip64);
    entry.packed = number_or_zip64(four(bytes, at + 14), zip64);
    return header;
}

/// Also returns its length.
ZipHeader local_header(const PlainFile& file, const ZipDirectory& directory, const ZipHeader& central,
                       std::uint64_t& length) {
    const std::uint64_t room = directory.offset - std::min(central.offset, directory.offset);
    std::string bytes = room >= local_size ? file.read(central.offset, local_size) : std::string();
    length = bytes.empty() ? 0 : local_size + two(bytes, 26) + two(bytes, 28);
    if (bytes.empty() || four(bytes, 0) != local_mark || length > room)
        throw refused(file.path(), central.entry.name,
                      fmt::format("there is no local header at byte {}", central.offset));
    bytes += file.read(central.offset + local_size, static_cast<std::size_t>(length) - local_size);
    std::string_view zip64;
    return shared_fields(file, bytes, 4, local_size, zip64);
}

void compare(const PlainFile& file, const ZipHeader& central, const ZipHeader& local) {
    const std::string& name = central.entry.name;
    if (local.entry.name != name)
        throw refused(file.path(), name, "its local header calls it '" + printable(local.entry.name) + "'");
    // Bits that change what the bytes of an entry mean; in the others the headers of good archives differ.
    constexpr int compared_flags = zip_encrypted | zip_patched | zip_strong_encryption | zip_masked;
    // Written before the data were known, sizes and checksum stand in the descriptor behind the data instead; some
    // writers fill in what they happen to know.
    const bool later = (local.entry.flags & zip_descriptor) != 0;
    const auto equal = [&](const char* what, auto here, auto there, bool may_be_zero = false) {
        if (here != there && !(may_be_zero && here == 0))
            throw refused(
                file.path(), name,
                fmt::format("its local header has {} {}, the central directory {}", what, here, there));
    };
    equal("method", local.entry.method, central.entry.method);
    equal("flags", local.entry.flags & compared_flags, central.entry.flags & compared_flags);
    equal("checksum", local.checksum, central.checksum, later);
    equal("packed size", local.entry.packed, central.entry.packed, later);
    equal("size", local.entry.size, central.entry.size, later);
}

/// Bytes of the descriptor at `offset`, behind the data: with or without a mark, with sizes of 8 or 4 bytes. The longer
/// form first: of an empty entry it begins as the shorter one does.
std::size_t descriptor_length(const PlainFile& file, const ZipDirectory& directory, const ZipHeader& header,
                              std::uint64_t offset) {
    constexpr std::size_t longest = 24;
    const std::string there = file.read(
        offset, static_cast<std::size_t>(std::min<std::uint64_t>(longest, directory.offset - offset)));
    for (const bool marked : {true, false})
        for (const bool zip64 : {true, false}) {
            std::string expected;
            if (marked)
                append_little_endian(expected, descriptor_mark);
            append_little_endian(expected, header.checksum);
            for (const std::uint64_t size : {header.entry.packed, header.entry.size})
                if (zip64)
                    append_little_endian(expected, size);
                else
                    append_little_endian(expected, static_cast<std::uint32_t>(size));
            if (there.starts_with(expected))
                return expected.size();
        }
    throw refused(file.path(), header.entry.name,
                  "the data descriptor behind it is missing or differs from the central directory");
}

} // namespace

ZipDirectory find_directory(const PlainFile& file) {
    const EndRecord end = with_zip64(file, find_end(file));
    const auto& [disk, directory_disk, entries_here, entries, size, offset] = end.numbers;
    const ZipDirectory directory{offset, size, entries};
    if (disk != 0 || directory_disk != 0 || entries_here != entries)
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

std::vector<ZipHeader> read_directory(const PlainFile& file, const ZipDirectory& directory) {
    const std::string all = file.read(directory.offset, static_cast<std::size_t>(directory.size));
    std::vector<ZipHeader> headers;
    std::string_view bytes = all;
    for (std::uint64_t number = 1; number <= directory.entries; ++number) {
        const std::uint64_t length =
            bytes.size() < central_size || four(bytes, 0) != central_mark
                ? 0
                : central_size + two(bytes, 28) + two(bytes, 30) + two(bytes, 32); // name, extra, comment
        if (length == 0 || bytes.size() < length)
            throw refused_whole(file, fmt::format("the central directory is broken at entry {} of {}", number,
                                                  directory.entries));
        std::string_view zip64;
        ZipHeader& header =
            headers.emplace_back(shared_fields(file, bytes.substr(0, length), 6, central_size, zip64));
        header.attributes = static_cast<std::uint32_t>(four(bytes, 38));
        header.offset = number_or_zip64(four(bytes, 42), zip64);
        if (two(bytes, 34) != 0)
            throw refused(file.path(), header.entry.name, "it is in another part of a split archive");
        bytes.remove_prefix(length);
    }
    if (!bytes.empty())
        throw refused_whole(file,
                            fmt::format("{} bytes of the central directory follow its last entry (it has {})",
                                        bytes.size(), directory.entries));
    return headers;
}

void check_layout(const PlainFile& file, const ZipDirectory& directory, std::vector<ZipHeader>& headers) {
    std::uint64_t header_bytes = directory.size;
    for (ZipHeader& header : headers) {
        ArchiveEntry& entry = header.entry;
        std::uint64_t length = 0;
        const ZipHeader local = local_header(file, directory, header, length);
        compare(file, header, local);
        header_bytes += length;
        if (header_bytes > header_limit)
            throw refused_whole(file,
                                fmt::format("the headers have more than {} bytes (limit)", header_limit));
        if (entry.packed > directory.offset - header.offset - length)
            throw refused(file.path(), entry.name,
                          fmt::format("its {} packed bytes go beyond the end of the entries", entry.packed));
        header.end = header.offset + length + entry.packed;
        if ((local.entry.flags & zip_descriptor) != 0)
            header.end += descriptor_length(file, directory, header, header.end);
        entry.flags |= local.entry.flags;
        entry.version_needed = std::max(entry.version_needed, local.entry.version_needed);
    }
    std::vector<const ZipHeader*> order;
    for (const ZipHeader& header : headers)
        order.push_back(&header);
    std::ranges::sort(order, {}, &ZipHeader::offset);
    const auto no_gap = [&](std::uint64_t from, std::uint64_t to, const char* before) {
        if (from < to)
            throw refused_whole(file, fmt::format("{} bytes from byte {} on, before {}, belong to no entry",
                                                  to - from, from, before));
    };
    std::uint64_t end = 0;
    for (const ZipHeader* header : order) {
        if (header->offset < end)
            throw refused(
                file.path(), header->entry.name,
                fmt::format("it begins at byte {}, inside the entry before it, which ends at byte {}",
                            header->offset, end));
        no_gap(end, header->offset, "an entry");
        end = header->end;
    }
    no_gap(end, directory.offset, "the central directory");
}

} // namespace tenon
