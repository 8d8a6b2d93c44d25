// Archives of the kind every FMI tool reads: stored or deflated, version 2.0 or 1.0, no extra fields, no comments, no
// descriptors. The bytes depend on the content alone (and on the versions of libzip and zlib).

#include "tools/archive/archive.hpp"
#include "tools/archive/archive_checks.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/replaced_file.hpp"

#include <zip.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>

namespace tenon {
namespace {

/// Sizes, offsets and counts with all bits set mean zip64, which FMI does not allow.
constexpr std::size_t largest = 0xFFFFFFFE, most_entries = 0xFFFE;

/// Local time has no place in a file that must not depend on where it is made: seconds since 1970 in UTC, within what
/// DOS times can say.
std::tm archive_time(const std::string& file) {
    constexpr std::time_t first = 315532800, last = 4354819198; // 1980-01-01 00:00:00, 2107-12-31 23:59:58
    std::time_t seconds = first;
    if (const char* const text = std::getenv("SOURCE_DATE_EPOCH")) {
        const std::string_view digits = text;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
        if (error != std::errc() || end != digits.data() + digits.size())
            throw OutputError(file,
                              "SOURCE_DATE_EPOCH is '" + printable(digits) + "', not a number of seconds");
        seconds = std::clamp(seconds, first, last);
    }
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    return utc;
}

/// What this project would refuse to read, it does not write.
void check(const std::string& file, const std::vector<ArchiveContent>& entries) {
    if (entries.size() > most_entries)
        throw OutputError(
            file, fmt::format("{} entries, a zip archive has at most {}", entries.size(), most_entries));
    std::vector<std::string_view> names;
    const auto refuse = [&](std::string_view entry, const std::string& rule) {
        throw OutputError(file, "entry '" + printable(entry, 200) + "': " + rule);
    };
    for (const auto& [name, data] : entries) {
        if (const std::string fault = name_fault(name); !fault.empty())
            refuse(name, fault);
        if (data.size() > largest)
            refuse(name,
                   fmt::format("{} bytes, an entry of a zip archive has at most {}", data.size(), largest));
        if (name.ends_with('/') && !data.empty())
            refuse(name, fmt::format("it is a folder with {} bytes of content", data.size()));
        names.emplace_back(name);
    }
    if (const std::optional<NameClash> clash = find_clash(names))
        refuse(clash->name, clash->rule);
}

} // namespace

void write_archive(const std::filesystem::path& file, const std::vector<ArchiveContent>& entries,
                   Packing packing) {
    check(file.string(), entries);
    const std::tm utc = archive_time(file.string());
    const auto date =
                   static_cast<zip_uint16_t>((utc.tm_year - 80) << 9 | (utc.tm_mon + 1) << 5 | utc.tm_mday),
               time = static_cast<zip_uint16_t>(utc.tm_hour << 11 | utc.tm_min << 5 | utc.tm_sec / 2);
    ReplacedFile output(file);
    zip_error_t error{};
    const auto require = [&](bool done, zip_t* zip = nullptr) {
        if (!done)
            throw OutputError(file.string(), zip ? zip_strerror(zip) : zip_error_strerror(&error));
    };
    // In memory: libzip goes back to fill in sizes, and what is not a plain file (a pipe) cannot.
    const std::unique_ptr<zip_source_t, decltype(&zip_source_free)> bytes(
        zip_source_buffer_create(nullptr, 0, 0, &error), zip_source_free);
    require(bytes != nullptr);
    std::unique_ptr<zip_t, decltype(&zip_discard)> zip(
        zip_open_from_source(bytes.get(), ZIP_CREATE | ZIP_TRUNCATE, &error), zip_discard);
    require(zip != nullptr);
    zip_source_keep(bytes.get()); // it belongs to `zip` now, too
    for (const auto& [name, data] : entries) {
        zip_source_t* const content = zip_source_buffer(zip.get(), data.data(), data.size(), 0);
        require(content != nullptr, zip.get());
        const zip_int64_t added = zip_file_add(zip.get(), name.c_str(), content, ZIP_FL_ENC_UTF_8);
        require(added >= 0, zip.get());
        const auto i = static_cast<zip_uint64_t>(added);
        const bool packs = packing == Packing::small && !data.empty();
        const zip_uint32_t attributes = name.ends_with('/') ? 040755u << 16 | 0x10 : 0100644u << 16;
        require(zip_set_file_compression(zip.get(), i, packs ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                                         packs ? 9 : 0) == 0 &&
                    zip_file_set_dostime(zip.get(), i, time, date, 0) == 0 &&
                    zip_file_set_external_attributes(zip.get(), i, 0, ZIP_OPSYS_UNIX, attributes) == 0,
                zip.get());
    }
    require(zip_close(zip.get()) == 0, zip.get());
    zip.release(); // by zip_close
    zip_stat_t status;
    require(zip_source_stat(bytes.get(), &status) == 0 && zip_source_open(bytes.get()) == 0);
    if (status.size > largest)
        throw OutputError(file.string(), fmt::format("a zip archive has at most {} bytes", largest));
    std::array<char, 1 << 16> block;
    while (const auto length = zip_source_read(bytes.get(), block.data(), block.size())) {
        if (length < 0)
            throw OutputError(file.string(), zip_error_strerror(zip_source_error(bytes.get())));
        output.write({block.data(), static_cast<std::size_t>(length)});
    }
    output.commit();
}

} // namespace tenon
