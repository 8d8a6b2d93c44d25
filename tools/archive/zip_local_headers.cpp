// Local headers, data descriptors, and the places of the entries in the file.

#include "tools/files/little_endian.hpp"
#include "tools/archive/zip_format.hpp"
#include "tools/archive/zip_headers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tenon::zip {
namespace {

/// Bits that change what the bytes of an entry mean; in the others local and central headers of good archives differ.
constexpr int compared_flags = flag_encrypted | flag_patched | flag_strong_encryption | flag_masked;

struct LocalHeader {
    int version_needed = 0, flags = 0, method = 0;
    std::uint64_t checksum = 0, packed = 0, size = 0;
    std::string name, extra;
};

LocalHeader read_local_header(const PlainFile& file, const Directory& directory, const Header& header) {
    const auto outside = [&] {
        return refused(file.path(), header.entry.name,
                       fmt::format("there is no local header at byte {}", header.offset));
    };
    if (header.offset > directory.offset || directory.offset - header.offset < local_size)
        throw outside();
    const std::string bytes = file.read(header.offset, local_size);
    const std::size_t name = little_endian<std::uint16_t>(bytes, 26),
                      extra = little_endian<std::uint16_t>(bytes, 28);
    if (little_endian<std::uint32_t>(bytes, 0) != local_mark ||
        directory.offset - header.offset - local_size < name + extra)
        throw outside();
    LocalHeader local;
    local.version_needed = little_endian<std::uint16_t>(bytes, 4);
    local.flags = little_endian<std::uint16_t>(bytes, 6);
    local.method = little_endian<std::uint16_t>(bytes, 8);
    local.checksum = little_endian<std::uint32_t>(bytes, 14);
    local.name = file.read(header.offset + local_size, name + extra);
    local.extra = local.name.substr(name);
    local.name.resize(name);
    std::string_view zip64 = read_extra(file, header.entry.name, local.extra).zip64;
    local.size = number_or_zip64(little_endian<std::uint32_t>(bytes, 22), zip64);
    local.packed = number_or_zip64(little_endian<std::uint32_t>(bytes, 18), zip64);
    return local;
}

void compare(const PlainFile& file, const Header& header, const LocalHeader& local) {
    const ArchiveEntry& entry = header.entry;
    if (local.name != entry.name)
        throw refused(file.path(), entry.name, "its local header calls it '" + printable(local.name) + "'");
    const auto equal = [&](const char* what, std::uint64_t here, std::uint64_t central) {
        if (here != central)
            throw refused(
                file.path(), entry.name,
                fmt::format("its local header has {} {}, the central directory {}", what, here, central));
    };
    // Written before the data were known, they stand in the descriptor behind the data instead; some writers fill in
    // what they happen to know.
    const auto equal_or_later = [&](const char* what, std::uint64_t here, std::uint64_t central) {
        if (here != 0 || (local.flags & flag_descriptor) == 0)
            equal(what, here, central);
    };
    equal("method", static_cast<std::uint64_t>(local.method), static_cast<std::uint64_t>(entry.method));
    equal("flags", static_cast<std::uint64_t>(local.flags & compared_flags),
          static_cast<std::uint64_t>(entry.flags & compared_flags));
    equal_or_later("checksum", local.checksum, header.checksum);
    equal_or_later("packed size", local.packed, entry.packed);
    equal_or_later("size", local.size, entry.size);
}

/// Bytes of the descriptor behind the data: with or without a mark, with sizes of 8 or 4 bytes. The longer form first:
/// of an empty entry it begins as the shorter one does.
std::size_t descriptor_length(const PlainFile& file, const Directory& directory, const Header& header,
                              std::uint64_t offset) {
    const auto form = [&](bool marked, bool zip64) {
        std::string bytes;
        if (marked)
            append_little_endian(bytes, descriptor_mark);
        append_little_endian(bytes, header.checksum);
        for (const std::uint64_t size : {header.entry.packed, header.entry.size})
            if (zip64)
                append_little_endian(bytes, size);
            else
                append_little_endian(bytes, static_cast<std::uint32_t>(size));
        return bytes;
    };
    constexpr std::size_t longest = 24;
    const std::string there = file.read(
        offset, static_cast<std::size_t>(std::min<std::uint64_t>(longest, directory.offset - offset)));
    for (const bool marked : {true, false})
        for (const bool zip64 : {true, false})
            if (const std::string expected = form(marked, zip64); there.starts_with(expected))
                return expected.size();
    throw refused(file.path(), header.entry.name,
                  "the data descriptor behind it is missing or differs from the central directory");
}

/// Entries that share bytes, or bytes that belong to no entry, mean that another tool may see another archive.
void check_layout(const PlainFile& file, const Directory& directory, const std::vector<Header>& headers) {
    std::vector<const Header*> order;
    order.reserve(headers.size());
    for (const Header& header : headers)
        order.push_back(&header);
    std::sort(order.begin(), order.end(),
              [](const Header* a, const Header* b) { return a->offset < b->offset; });
    const auto no_gap = [&](std::uint64_t from, std::uint64_t to, const char* before) {
        if (from < to)
            throw bad_input(file.path().string(), 0,
                            fmt::format("{} bytes from byte {} on, before {}, belong to no entry", to - from,
                                        from, before));
    };
    std::uint64_t end = 0;
    for (const Header* header : order) {
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

} // namespace

void read_local_headers(const PlainFile& file, const Directory& directory, std::vector<Header>& headers) {
    std::uint64_t header_bytes = directory.size;
    for (Header& header : headers) {
        ArchiveEntry& entry = header.entry;
        const LocalHeader local = read_local_header(file, directory, header);
        compare(file, header, local);
        const std::size_t length = local_size + local.name.size() + local.extra.size();
        header_bytes += length;
        if (header_bytes > header_limit)
            throw bad_input(file.path().string(), 0,
                            fmt::format("the headers have more than {} bytes (limit)", header_limit));
        header.data = header.offset + length;
        if (entry.packed > directory.offset - header.data)
            throw refused(file.path(), entry.name,
                          fmt::format("its {} packed bytes go beyond the end of the entries", entry.packed));
        header.end = header.data + entry.packed;
        if ((local.flags & flag_descriptor) != 0)
            header.end += descriptor_length(file, directory, header, header.end);
        entry.flags |= local.flags;
        entry.version_needed = std::max(entry.version_needed, local.version_needed);
    }
    check_layout(file, directory, headers);
}

} // namespace tenon::zip
