// Archives of the kind every FMI tool reads: stored or deflated, version 2.0 or 1.0, no flags but that of UTF-8 names,
// no extra fields, no comments, no descriptors. The bytes depend on the content alone (and on the version of zlib).

#include "tools/archive/archive.hpp"
#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/little_endian.hpp"
#include "tools/files/replaced_file.hpp"
#include "tools/archive/zip_format.hpp"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <new>

#include <fmt/format.h>

namespace tenon {
namespace {

/// Sizes, offsets and counts with all bits set mean zip64, which FMI does not allow.
constexpr std::size_t largest = 0xFFFFFFFE, most_entries = 0xFFFE;

/// Local time has no place in a file that must not depend on where it is made: seconds since 1970 in UTC, within what
/// DOS times can say.
std::time_t archive_time(const std::string& file) {
    constexpr std::time_t first = 315532800, last = 4354819198; // 1980-01-01 00:00:00, 2107-12-31 23:59:58
    const char* const text = std::getenv("SOURCE_DATE_EPOCH");
    if (!text)
        return first;
    const std::string_view digits = text;
    std::time_t seconds = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw OutputError(file, "SOURCE_DATE_EPOCH is '" + printable(digits) + "', not a number of seconds");
    return std::clamp(seconds, first, last);
}

/// Date in the upper half, time in the lower, of two seconds each.
std::uint32_t dos_time(std::time_t seconds) {
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    const int date = (utc.tm_year - 80) << 9 | (utc.tm_mon + 1) << 5 | utc.tm_mday;
    const int time = utc.tm_hour << 11 | utc.tm_min << 5 | utc.tm_sec / 2;
    return static_cast<std::uint32_t>(date) << 16 | static_cast<std::uint32_t>(time);
}

std::string deflate(const std::string& data) {
    z_stream stream{};
    constexpr int memory_level = 8; // zlib's own default
    if (::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, memory_level,
                       Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed(::deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data())); // zlib does not write there
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(std::min(packed.size(), largest));
    const int answer = ::deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    ::deflateEnd(&stream);
    return answer == Z_STREAM_END ? packed : data; // no room for it: it is stored
}

/// An entry ready to be written.
struct Packed {
    std::string name;
    std::string data; ///< as in the archive
    std::size_t size = 0;
    std::uint32_t checksum = 0, time = 0, offset = 0;
    bool is_deflated = false;
};

Packed pack(const ArchiveContent& content, Packing packing, std::uint32_t time, std::size_t offset) {
    Packed packed{content.name,
                  packing == Packing::small ? deflate(content.data) : content.data,
                  content.data.size(),
                  0,
                  time,
                  static_cast<std::uint32_t>(offset)};
    packed.checksum = static_cast<std::uint32_t>(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data.data()), content.data.size()));
    packed.is_deflated = packed.data.size() < packed.size;
    if (!packed.is_deflated)
        packed.data = content.data;
    return packed;
}

/// From "version needed" to the lengths of name and extra fields: the same in both headers.
void append_common(std::string& bytes, const Packed& entry) {
    const bool ascii = std::all_of(entry.name.begin(), entry.name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    append_little_endian<std::uint16_t>(bytes, entry.is_deflated ? 20 : 10);
    append_little_endian<std::uint16_t>(bytes, ascii ? 0 : zip::flag_utf8);
    append_little_endian<std::uint16_t>(bytes, entry.is_deflated ? zip::deflated : zip::stored);
    append_little_endian<std::uint32_t>(bytes, entry.time);
    append_little_endian<std::uint32_t>(bytes, entry.checksum);
    append_little_endian<std::uint32_t>(bytes, static_cast<std::uint32_t>(entry.data.size()));
    append_little_endian<std::uint32_t>(bytes, static_cast<std::uint32_t>(entry.size));
    append_little_endian<std::uint16_t>(bytes, static_cast<std::uint16_t>(entry.name.size()));
    append_little_endian<std::uint16_t>(bytes, 0);
}

std::string local_header(const Packed& entry) {
    std::string bytes;
    append_little_endian(bytes, zip::local_mark);
    append_common(bytes, entry);
    return bytes + entry.name;
}

std::string central_header(const Packed& entry) {
    const bool folder = entry.name.ends_with('/');
    const std::uint32_t mode = folder ? S_IFDIR | 0755 : S_IFREG | 0644;
    std::string bytes;
    append_little_endian(bytes, zip::central_mark);
    append_little_endian<std::uint16_t>(bytes, zip::made_by_unix << 8 | 20);
    append_common(bytes, entry);
    append_little_endian<std::uint16_t>(bytes, 0); // comment
    append_little_endian<std::uint16_t>(bytes, 0); // disk
    append_little_endian<std::uint16_t>(bytes, 0); // internal attributes
    append_little_endian<std::uint32_t>(bytes, mode << 16 | (folder ? zip::dos_folder : 0));
    append_little_endian<std::uint32_t>(bytes, entry.offset);
    return bytes + entry.name;
}

std::string end_record(std::size_t entries, std::size_t size, std::size_t offset) {
    std::string bytes;
    append_little_endian(bytes, zip::end_mark);
    append_little_endian<std::uint32_t>(bytes, 0); // disks
    append_little_endian<std::uint16_t>(bytes, static_cast<std::uint16_t>(entries));
    append_little_endian<std::uint16_t>(bytes, static_cast<std::uint16_t>(entries));
    append_little_endian<std::uint32_t>(bytes, static_cast<std::uint32_t>(size));
    append_little_endian<std::uint32_t>(bytes, static_cast<std::uint32_t>(offset));
    append_little_endian<std::uint16_t>(bytes, 0); // comment
    return bytes;
}

/// What this project would refuse to read, it does not write.
void check(const std::string& file, const std::vector<ArchiveContent>& entries) {
    if (entries.size() > most_entries)
        throw OutputError(
            file, fmt::format("{} entries, a zip archive has at most {}", entries.size(), most_entries));
    std::vector<std::string_view> names;
    for (const ArchiveContent& entry : entries) {
        const auto refuse = [&](const std::string& rule) {
            throw OutputError(file, "entry '" + printable(entry.name, 200) + "': " + rule);
        };
        if (const std::string fault = name_fault(entry.name); !fault.empty())
            refuse(fault);
        if (entry.data.size() > largest)
            refuse(fmt::format("{} bytes, an entry of a zip archive has at most {}", entry.data.size(),
                               largest));
        if (entry.name.ends_with('/') && !entry.data.empty())
            refuse(fmt::format("it is a folder with {} bytes of content", entry.data.size()));
        names.emplace_back(entry.name);
    }
    if (const std::optional<NameClash> clash = find_clash(names))
        throw OutputError(file, "entry '" + printable(clash->name, 200) + "': " + clash->rule);
}

} // namespace

void write_archive(const std::filesystem::path& file, const std::vector<ArchiveContent>& entries,
                   Packing packing) {
    check(file.string(), entries);
    const std::uint32_t time = dos_time(archive_time(file.string()));
    ReplacedFile output(file);
    std::size_t offset = 0;
    std::string directory;
    const auto write = [&](const std::string& bytes) {
        offset += bytes.size();
        if (offset > largest)
            throw OutputError(file.string(), fmt::format("a zip archive has at most {} bytes", largest));
        output.write(bytes);
    };
    for (const ArchiveContent& content : entries) {
        const Packed packed = pack(content, packing, time, offset);
        write(local_header(packed));
        write(packed.data);
        directory += central_header(packed);
    }
    const std::size_t directory_offset = offset;
    write(directory);
    write(end_record(entries.size(), directory.size(), directory_offset));
    output.commit();
}

} // namespace tenon
