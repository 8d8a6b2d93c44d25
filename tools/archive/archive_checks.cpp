#include "tools/archive/archive_checks.hpp"

#include "tools/archive/zip_format.hpp"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

namespace tenon {
namespace {

/// Small entries of one letter are packed to almost nothing; they do no harm.
constexpr std::uint64_t ratio_applies_above = 1 << 20;

/// Only files and folders, and each says so in its name too. The upper half of the attributes is looked at whatever
/// system made the archive, because other tools do so.
std::string kind_fault(const zip::Header& header) {
    const bool folder = header.entry.name.ends_with('/');
    const std::uint32_t kind = header.attributes >> 16 & S_IFMT;
    if (kind == S_IFLNK)
        return "it is a symbolic link";
    if (kind != 0 && kind != S_IFREG && kind != S_IFDIR)
        return "it is a device, a pipe or a socket";
    const bool marked_folder = kind == S_IFDIR || (header.attributes & zip::dos_folder) != 0;
    if ((folder && kind == S_IFREG) || (!folder && marked_folder))
        return "its attributes and the end of its name disagree whether it is a folder";
    if (folder && header.entry.size != 0)
        return fmt::format("it is a folder with {} bytes of content", header.entry.size);
    return {};
}

std::string packing_fault(const ArchiveEntry& entry) {
    if ((entry.flags & (zip::flag_encrypted | zip::flag_strong_encryption | zip::flag_masked)) != 0)
        return "it is encrypted";
    if ((entry.flags & zip::flag_patched) != 0)
        return "it is a patch of another file";
    if (entry.method != zip::stored && entry.method != zip::deflated)
        return fmt::format("compression method {} (allowed are 0, stored, and 8, deflated)", entry.method);
    if (entry.method == zip::stored && entry.size != entry.packed)
        return fmt::format("it is stored, but {} bytes are {} bytes in the archive", entry.size,
                           entry.packed);
    return {};
}

std::string size_fault(const ArchiveEntry& entry, const ArchiveLimits& limits) {
    if (entry.size > limits.entry)
        return fmt::format("it has {} bytes (limit {})", entry.size, limits.entry);
    const std::uint64_t ratio = std::max<std::uint64_t>(limits.ratio, 1);
    if (entry.size > ratio_applies_above && entry.packed <= (entry.size - 1) / ratio) // size > ratio * packed
        return fmt::format("{} bytes unpack to {}, more than {} times as many (limit)", entry.packed,
                           entry.size, ratio);
    if (const auto depth = static_cast<std::size_t>(std::count(entry.name.begin(), entry.name.end(), '/'));
        depth > limits.depth)
        return fmt::format("it is {} folders deep (limit {})", depth, limits.depth);
    return {};
}

} // namespace

void check_entries(const std::filesystem::path& file, const std::vector<zip::Header>& headers,
                   const ArchiveLimits& limits) {
    std::uint64_t total = 0;
    std::vector<std::string_view> names;
    for (const zip::Header& header : headers) {
        const ArchiveEntry& entry = header.entry;
        for (const std::string& fault : {name_fault(entry.name), kind_fault(header), packing_fault(entry)})
            if (!fault.empty())
                throw zip::refused(file, entry.name, fault);
        if (const std::string fault = size_fault(entry, limits); !fault.empty())
            throw zip::refused(file, entry.name, fault);
        if (entry.size > limits.total - total)
            throw zip::refused(
                file, entry.name,
                fmt::format("with it the entries have more than {} bytes (limit)", limits.total));
        total += entry.size;
        names.emplace_back(entry.name);
    }
    if (const std::optional<NameClash> clash = find_clash(names))
        throw zip::refused(file, clash->name, clash->rule);
}

} // namespace tenon
