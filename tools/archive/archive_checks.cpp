#include "tools/archive/archive_checks.hpp"

#include "tools/files/utf8.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

namespace tenon {
namespace {

/// That of ext4, NTFS and most others.
constexpr std::size_t longest_component = 255;
/// Small entries of one letter are packed to almost nothing; they do no harm.
constexpr std::uint64_t ratio_applies_above = 1 << 20;
constexpr int stored = 0, deflated = 8;
/// DOS attribute of a folder, in the low byte of the external attributes.
constexpr std::uint32_t dos_folder = 0x10;

/// A device on Windows, in whatever folder and with whatever ending: CON, nul.txt, "com1 .c".
bool windows_device(std::string_view component) {
    std::string stem = folded_name(component.substr(0, component.find('.')));
    stem.resize(stem.find_last_not_of(' ') + 1);
    for (const char* device : {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"})
        if (stem == device)
            return true;
    if (!stem.starts_with("com") && !stem.starts_with("lpt"))
        return false;
    const std::string number = stem.substr(3);
    return (number.size() == 1 && number[0] >= '0' && number[0] <= '9') || number == "¹" || number == "²" ||
           number == "³";
}

std::string component_fault(std::string_view component, Dots dots) {
    if (component.empty())
        return "the name has '//'";
    if (component == "..")
        return "the name has '..'";
    if (component == ".")
        return "the name has './'";
    if (component.size() > longest_component)
        return fmt::format("a part of the name has {} bytes (limit {})", component.size(), longest_component);
    const bool ends_in_dot = component.back() == '.';
    if (component.back() == ' ' ||
        (ends_in_dot && (dots == Dots::refused || component.find_first_not_of('.') == component.npos)))
        return "a part of the name ends in a dot or a space";
    if (windows_device(component))
        return "the name '" + printable(component) + "' is reserved on Windows";
    return {};
}

std::string character_fault(std::string_view name) {
    if (utf8_valid_prefix(name) != name.size())
        return "the name is not UTF-8";
    for (std::size_t i = 0; i < name.size(); ++i) {
        const auto c = static_cast<unsigned char>(name[i]);
        const bool c1 = c == 0xC2 && static_cast<unsigned char>(name[i + 1]) < 0xA0; // U+0080 to U+009F
        if (c < 0x20 || c == 0x7F || c1)
            return c == 0 ? "the name has a NUL" : "the name has a control character";
    }
    return {};
}

/// Only files and folders, and each says so in its name too. The upper half of the attributes is looked at whatever
/// system made the archive, because other tools do so.
std::string kind_fault(const ZipHeader& header) {
    const bool folder = header.entry.name.ends_with('/');
    const std::uint32_t kind = header.attributes >> 16 & S_IFMT;
    if (kind == S_IFLNK)
        return "it is a symbolic link";
    if (kind != 0 && kind != S_IFREG && kind != S_IFDIR)
        return "it is a device, a pipe or a socket";
    const bool marked_folder = kind == S_IFDIR || (header.attributes & dos_folder) != 0;
    if ((folder && kind == S_IFREG) || (!folder && marked_folder))
        return "its attributes and the end of its name disagree whether it is a folder";
    if (folder && header.entry.size != 0)
        return fmt::format("it is a folder with {} bytes of content", header.entry.size);
    return {};
}

std::string packing_fault(const ArchiveEntry& entry, const ArchiveLimits& limits) {
    if ((entry.flags & (zip_encrypted | zip_strong_encryption | zip_masked)) != 0)
        return "it is encrypted";
    if ((entry.flags & zip_patched) != 0)
        return "it is a patch of another file";
    if (entry.method != stored && entry.method != deflated)
        return fmt::format("compression method {} (allowed are 0, stored, and 8, deflated)", entry.method);
    if (entry.method == stored && entry.size != entry.packed)
        return fmt::format("it is stored, but {} bytes are {} bytes in the archive", entry.size,
                           entry.packed);
    if (entry.size > limits.entry)
        return fmt::format("it has {} bytes (limit {})", entry.size, limits.entry);
    if (entry.size > ratio_applies_above &&
        entry.packed <= (entry.size - 1) / limits.ratio) // size > ratio * packed
        return fmt::format("{} bytes unpack to {}, more than {} times as many (limit)", entry.packed,
                           entry.size, limits.ratio);
    if (const auto depth = static_cast<std::size_t>(std::ranges::count(entry.name, '/'));
        depth > limits.depth)
        return fmt::format("it is {} folders deep (limit {})", depth, limits.depth);
    return {};
}

/// What Windows makes of a path: "a./b." is "a/b".
std::string without_last_dots(const std::string& path) {
    std::string result;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '.' && path.find_first_not_of('.', i) == path.find('/', i) && i > 0 &&
            path[i - 1] != '/')
            i = std::min(path.find('/', i), path.size()) - 1;
        else
            result += path[i];
    }
    return result;
}

std::string without_dot_slash(std::string name) {
    while (name.starts_with("./"))
        name.erase(0, 2);
    return name;
}

/// Whether the content behind two headers seems the same; whether it is, is found when it is there to be read.
bool seem_identical(const ZipHeader& a, const ZipHeader& b) {
    return a.entry.size == b.entry.size && a.checksum == b.checksum && a.plain == b.plain;
}

} // namespace

InputError refused(const std::filesystem::path& file, std::string_view entry, const std::string& rule) {
    return bad_input(file.string(), 0, "entry '" + printable(entry, 200) + "': " + rule);
}

std::string folded_name(std::string_view name) {
    std::string result(name);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::string name_fault(std::string_view name, Dots dots) {
    if (name.empty())
        return "the name is empty";
    if (std::string fault = character_fault(name); !fault.empty())
        return fault;
    if (name.find('\\') != std::string_view::npos)
        return "the name has a backslash";
    if (name.find(':') != std::string_view::npos)
        return "the name has a colon, as of a drive or a stream of Windows";
    if (name.front() == '/')
        return "the name is absolute";
    if (name.ends_with('/'))
        name.remove_suffix(1);
    for (std::size_t start = 0; start <= name.size();) {
        const std::size_t end = std::min(name.find('/', start), name.size());
        if (std::string fault = component_fault(name.substr(start, end - start), dots); !fault.empty())
            return fault;
        start = end + 1;
    }
    return {};
}

std::optional<NameClash> find_clash(const std::vector<std::string_view>& names) {
    struct Place {
        std::string_view path, name; ///< without `/` at the end; the first entry that has it
        bool file = false, listed = false;
    };
    std::unordered_map<std::string, Place> places; // the entries, and the folders they are in
    for (const std::string_view name : names)
        for (std::size_t end = 0; end < name.size(); ++end) {
            end = std::min(name.find('/', end), name.size());
            const Place here{name.substr(0, end), name, end == name.size(), end + 1 >= name.size()};
            const auto [found, added] = places.try_emplace(without_last_dots(folded_name(here.path)), here);
            Place& there = found->second;
            const char* const rule = added                     ? nullptr
                                     : there.file != here.file ? "a file is also a folder; see"
                                     : there.path != here.path
                                         ? "the name differs only in case or in dots at an end from"
                                     : there.listed && here.listed ? "the name is there twice; see"
                                                                   : nullptr;
            if (rule)
                return NameClash{there.name, fmt::format("{} '{}'", rule, printable(name, 200))};
            there.listed |= here.listed;
        }
    return {};
}

void check_entries(const std::filesystem::path& file, std::vector<ZipHeader>& headers,
                   const ArchiveLimits& limits, FindingList& deviations) {
    std::uint64_t total = 0;
    std::vector<std::string_view> names;
    std::unordered_map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < headers.size(); ++i) {
        ZipHeader& header = headers[i];
        const ArchiveEntry& entry = header.entry;
        header.plain = without_dot_slash(entry.name);
        const bool own_folder = header.plain.empty() && !entry.name.empty();
        for (const std::string& fault : {own_folder ? "" : name_fault(header.plain, Dots::taken),
                                         kind_fault(header), packing_fault(entry, limits)})
            if (!fault.empty())
                throw refused(file, entry.name, fault);
        if (entry.size > limits.total - total)
            throw refused(file, entry.name,
                          fmt::format("with it the entries have more than {} bytes (limit)", limits.total));
        total += entry.size;
        if (own_folder)
            continue;
        const auto [place, added] = first.emplace(header.plain, i);
        if (!added && seem_identical(headers[place->second], header))
            header.repeats = place->second;
        else
            names.emplace_back(header.plain);
    }
    if (const std::optional<NameClash> clash = find_clash(names))
        throw refused(file, clash->name, clash->rule);
    for (const ZipHeader& header : headers) {
        const std::string place = printable(header.entry.name, 200);
        if (header.plain != header.entry.name)
            deviations.add("archive-name", place, "the name begins with './'",
                           "pack from inside the folder: zip -r ../x.fmu *");
        if (header.repeats)
            deviations.add("archive-duplicate", place, "the entry is there twice, with the same content");
        if (without_last_dots(header.plain) != header.plain)
            deviations.add("archive-name-dot", place, "a part of the name ends in a dot",
                           "there is no such file on Windows; rename it");
    }
}

void note_headers(const std::vector<ZipHeader>& headers, FindingList& deviations) {
    constexpr int newest_version = 20; // times ten; what comes later is zip64 and beyond
    for (const ZipHeader& header : headers) {
        const ArchiveEntry& entry = header.entry;
        const std::string place = printable(entry.name, 200);
        if (entry.version_needed > newest_version)
            deviations.add(
                "archive-version", place,
                fmt::format("needs version {}.{} of the zip format to unpack; FMI allows 2.0 at most",
                            entry.version_needed / 10, entry.version_needed % 10),
                "pack from files, not from a pipe, and keep entries below 4 GiB: both cause ZIP64");
        if (entry.method == stored && (entry.flags & zip_descriptor) != 0)
            deviations.add(
                "archive-data-descriptor", place,
                "has a data descriptor (flag bit 3) although it is stored; FMI allows that for deflated "
                "entries only",
                "pack from files, not from a pipe");
    }
}

} // namespace tenon
