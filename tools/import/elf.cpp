// System V gABI chapters 4 and 5, with the GNU extensions (versions, GNU_HASH, GNU_STACK, GNU_UNIQUE). Everything is
// found through the program headers, as the dynamic linker does: a stripped library may have no section headers.

#include "tools/import/elf.hpp"

#include "tools/files/little_endian.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace tenon::fmi {
namespace {

/// Far above any library; they keep hostile files from taking memory or time.
constexpr std::uint64_t most_dynamic_entries = 10'000, most_symbols = 500'000, most_versions = 0x8000,
                        most_name_bytes = 64 << 20;

constexpr std::uint16_t type_shared = 3;
constexpr std::uint32_t segment_load = 1, segment_dynamic = 2, segment_stack = 0x6474e551, executable = 1;
constexpr std::uint32_t section_dynamic_symbols = 11;
constexpr int bind_local = 0, bind_weak = 2, bind_unique = 10;

/// Tags of the dynamic section.
enum Tag : std::uint64_t {
    null = 0,
    needed = 1,
    hash = 4,
    string_table = 5,
    symbol_table = 6,
    string_size = 10,
    rpath = 15,
    runpath = 29,
    gnu_hash = 0x6ffffef5,
    symbol_versions = 0x6ffffff0,
    version_definitions = 0x6ffffffc,
    version_needs = 0x6ffffffe,
};

[[noreturn]] void broken(const std::string& what) { throw std::runtime_error("broken ELF file: " + what); }

struct Segment {
    std::uint32_t type = 0, flags = 0;
    std::uint64_t offset = 0, address = 0, size = 0; ///< size in the file
};

class Reader {
  public:
    explicit Reader(std::string_view bytes);
    Elf read();

  private:
    /// A word of 4 or 8 bytes; `place` and `place64` are where it stands in either class.
    std::uint64_t word(std::string_view bytes, std::uint64_t place, std::uint64_t place64) const {
        return is_64_ ? little_endian<std::uint64_t>(bytes, place64)
                      : little_endian<std::uint32_t>(bytes, place);
    }
    std::uint64_t pick(std::uint64_t in_32, std::uint64_t in_64) const { return is_64_ ? in_64 : in_32; }
    /// From `at` to the end.
    static std::string_view from(std::string_view bytes, std::uint64_t at) {
        if (at > bytes.size())
            broken(fmt::format("byte {} of {}", at, bytes.size()));
        return bytes.substr(at);
    }
    std::string_view content(const Segment& segment) const {
        return from(bytes_, segment.offset).substr(0, segment.size);
    }
    /// What is loaded at `address`, to the end of its segment.
    std::string_view loaded(std::uint64_t address, const char* what) const;
    /// What a tag of the dynamic section points at; nothing where there is no such tag.
    std::optional<std::string_view> table(Tag tag, const char* what) const;
    std::string string(std::uint64_t offset);

    void read_segments();
    void read_dynamic(std::string_view section);
    void read_libraries(Elf& elf);
    std::uint64_t symbol_count() const;
    std::uint64_t gnu_hash_count(std::string_view table) const;
    std::uint64_t section_count() const;
    void read_version_definitions(std::string_view table);
    void read_version_needs(std::string_view table);
    void add_version(std::uint16_t index, std::uint64_t name);
    void read_symbols(Elf& elf);

    std::string_view bytes_;
    bool is_64_ = false;
    std::vector<Segment> segments_;
    std::multimap<std::uint64_t, std::uint64_t> dynamic_;
    std::string_view strings_;
    std::uint64_t name_bytes_ = 0;
    std::map<std::uint16_t, std::string> versions_;
    std::uint64_t version_count_ = 0;
};

Reader::Reader(std::string_view bytes) : bytes_(bytes) {
    if (!bytes.starts_with("\177ELF") || bytes.size() < 20)
        throw std::runtime_error("not an ELF file");
    const int file_class = little_endian<std::uint8_t>(bytes, 4),
              order = little_endian<std::uint8_t>(bytes, 5);
    if (file_class != 1 && file_class != 2)
        broken(fmt::format("class {} (1 is 32 bits, 2 is 64)", file_class));
    if (order != 1)
        throw std::runtime_error(
            fmt::format("ELF file with byte order {} (only 1, little-endian, is read)", order));
    is_64_ = file_class == 2;
}

std::string_view Reader::loaded(std::uint64_t address, const char* what) const {
    for (const Segment& segment : segments_)
        if (segment.type == segment_load && address >= segment.address &&
            address - segment.address < segment.size)
            return from(content(segment), address - segment.address);
    broken(fmt::format("the {} at address {:#x} is in no loaded segment", what, address));
}

std::optional<std::string_view> Reader::table(Tag tag, const char* what) const {
    const auto found = dynamic_.find(tag);
    if (found == dynamic_.end())
        return {};
    return loaded(found->second, what);
}

std::string Reader::string(std::uint64_t offset) {
    const std::string_view rest = from(strings_, offset);
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos)
        broken("a name does not end");
    name_bytes_ += length;
    if (name_bytes_ > most_name_bytes)
        broken(fmt::format("its names have more than {} bytes (limit)", most_name_bytes));
    return std::string(rest.substr(0, length));
}

void Reader::read_segments() {
    const std::uint64_t table = word(bytes_, 28, 32);
    const std::uint64_t size = little_endian<std::uint16_t>(bytes_, pick(42, 54)),
                        count = little_endian<std::uint16_t>(bytes_, pick(44, 56));
    if (count != 0 && size < pick(32, 56))
        broken(fmt::format("program headers of {} bytes", size));
    const std::string_view headers = from(bytes_, table);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string_view header = from(headers, i * size);
        segments_.push_back({.type = little_endian<std::uint32_t>(header, 0),
                             .flags = little_endian<std::uint32_t>(header, pick(24, 4)),
                             .offset = word(header, 4, 8),
                             .address = word(header, 8, 16),
                             .size = word(header, 16, 32)});
    }
}

void Reader::read_dynamic(std::string_view section) {
    const std::uint64_t size = pick(8, 16);
    for (std::uint64_t i = 0; i < section.size() / size; ++i) {
        const std::string_view entry = section.substr(i * size);
        const std::uint64_t tag = word(entry, 0, 0);
        if (tag == Tag::null)
            break;
        if (i >= most_dynamic_entries)
            broken(fmt::format("the dynamic section has more than {} entries (limit)", most_dynamic_entries));
        dynamic_.emplace(tag, word(entry, 4, 8));
    }
    if (const auto table_found = table(Tag::string_table, "string table"))
        strings_ = *table_found;
    if (const auto size_found = dynamic_.find(Tag::string_size); size_found != dynamic_.end())
        strings_ = strings_.substr(0, size_found->second);
}

void Reader::read_libraries(Elf& elf) {
    const auto each = [&](Tag tag, auto&& take) {
        const auto [first, last] = dynamic_.equal_range(tag);
        for (auto entry = first; entry != last; ++entry)
            take(string(entry->second));
    };
    each(Tag::needed, [&](const std::string& name) { elf.needed.push_back(name); });
    for (const Tag tag : {Tag::rpath, Tag::runpath})
        each(tag, [&](const std::string& paths) {
            for (std::size_t start = 0; start <= paths.size();) {
                const std::size_t end = std::min(paths.find(':', start), paths.size());
                elf.runpath.push_back(paths.substr(start, end - start));
                start = end + 1;
            }
        });
}

/// The chains of a GNU hash table end with the last symbol; symbols that are asked for, not offered, stand before the
/// first chain.
std::uint64_t Reader::gnu_hash_count(std::string_view table) const {
    const std::uint64_t buckets = little_endian<std::uint32_t>(table, 0),
                        first_symbol = little_endian<std::uint32_t>(table, 4),
                        bloom_words = little_endian<std::uint32_t>(table, 8);
    const std::uint64_t bucket_table = 16 + bloom_words * pick(4, 8);
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < buckets; ++i)
        last = std::max<std::uint64_t>(last, little_endian<std::uint32_t>(table, bucket_table + 4 * i));
    if (last < first_symbol)
        return first_symbol;
    const std::uint64_t chains = bucket_table + 4 * buckets;
    while ((little_endian<std::uint32_t>(table, chains + 4 * (last - first_symbol)) & 1) == 0)
        ++last;
    return last + 1;
}

/// 0 where there are no section headers.
std::uint64_t Reader::section_count() const {
    const std::uint64_t table = word(bytes_, 32, 40);
    const std::uint64_t size = little_endian<std::uint16_t>(bytes_, pick(46, 58)),
                        count = little_endian<std::uint16_t>(bytes_, pick(48, 60));
    for (std::uint64_t i = 0; i < count && table < bytes_.size(); ++i) {
        const std::string_view header = from(bytes_, table + i * size);
        if (little_endian<std::uint32_t>(header, 4) == section_dynamic_symbols)
            return word(header, 20, 32) / pick(16, 24);
    }
    return 0;
}

std::uint64_t Reader::symbol_count() const {
    if (const auto found = table(Tag::hash, "hash table"))
        return little_endian<std::uint32_t>(*found, 4);
    // A library that offers nothing has an empty GNU hash table, which does not tell how much it asks for.
    const auto found = table(Tag::gnu_hash, "GNU hash table");
    return std::max(found ? gnu_hash_count(*found) : 0, section_count());
}

void Reader::add_version(std::uint16_t index, std::uint64_t name) {
    if (++version_count_ > most_versions)
        broken(fmt::format("it has more than {} versions (limit)", most_versions));
    versions_.emplace(index & 0x7FFF, string(name));
}

/// Verdef: version, flags, index, count, hash, first name, next; each has its own name first, then its parents'.
void Reader::read_version_definitions(std::string_view table) {
    for (std::uint64_t at = 0;;) {
        const std::string_view definition = from(table, at);
        const std::string_view name = from(definition, little_endian<std::uint32_t>(definition, 12));
        add_version(little_endian<std::uint16_t>(definition, 4), little_endian<std::uint32_t>(name, 0));
        const auto next = little_endian<std::uint32_t>(definition, 16);
        if (next == 0)
            return;
        at += next;
    }
}

/// Verneed: version, count, library, first version, next; a version: hash, flags, index, name, next.
void Reader::read_version_needs(std::string_view table) {
    for (std::uint64_t at = 0;;) {
        const std::string_view library = from(table, at);
        for (std::uint64_t version_at = little_endian<std::uint32_t>(library, 8);;) {
            const std::string_view version = from(library, version_at);
            add_version(little_endian<std::uint16_t>(version, 6), little_endian<std::uint32_t>(version, 8));
            const auto next = little_endian<std::uint32_t>(version, 12);
            if (next == 0)
                break;
            version_at += next;
        }
        const auto next = little_endian<std::uint32_t>(library, 12);
        if (next == 0)
            return;
        at += next;
    }
}

void Reader::read_symbols(Elf& elf) {
    const auto symbols = table(Tag::symbol_table, "symbol table");
    if (!symbols)
        return;
    const std::uint64_t count = symbol_count();
    if (count > most_symbols)
        broken(fmt::format("it has {} symbols (limit {})", count, most_symbols));
    if (const auto found = table(Tag::version_definitions, "table of version definitions"))
        read_version_definitions(*found);
    if (const auto found = table(Tag::version_needs, "table of needed versions"))
        read_version_needs(*found);
    const auto symbol_versions = table(Tag::symbol_versions, "table of symbol versions");
    for (std::uint64_t i = 1; i < count; ++i) { // the first one is empty
        const std::string_view entry = from(*symbols, i * pick(16, 24));
        const int bind = little_endian<std::uint8_t>(entry, pick(12, 4)) >> 4;
        ElfSymbol symbol{.name = string(little_endian<std::uint32_t>(entry, 0)),
                         .version = {},
                         .defined = little_endian<std::uint16_t>(entry, pick(14, 6)) != 0,
                         .weak = bind == bind_weak,
                         .unique = bind == bind_unique};
        if (bind == bind_local || symbol.name.empty())
            continue;
        if (symbol_versions) {
            const int index = little_endian<std::uint16_t>(*symbol_versions, 2 * i) & 0x7FFF;
            const auto version = versions_.find(static_cast<std::uint16_t>(index));
            if (index > 1 && version != versions_.end()) // 0 is local, 1 is global
                symbol.version = version->second;
        }
        elf.symbols.push_back(std::move(symbol));
    }
}

Elf Reader::read() {
    Elf elf;
    elf.bits = is_64_ ? 64 : 32;
    elf.machine = little_endian<std::uint16_t>(bytes_, 18);
    elf.shared = little_endian<std::uint16_t>(bytes_, 16) == type_shared;
    elf.executable_stack = true; // what the kernel assumes where the library does not say
    read_segments();
    const Segment* dynamic = nullptr;
    for (const Segment& segment : segments_) {
        if (segment.type == segment_stack)
            elf.executable_stack = (segment.flags & executable) != 0;
        if (segment.type == segment_dynamic && !dynamic)
            dynamic = &segment;
    }
    if (dynamic) {
        read_dynamic(content(*dynamic));
        read_libraries(elf);
        read_symbols(elf);
    }
    return elf;
}

} // namespace

Elf read_elf(std::string_view bytes) {
    try {
        return Reader(bytes).read();
    } catch (const std::out_of_range& error) {
        broken(std::string("it ends before ") + error.what());
    }
}

} // namespace tenon::fmi
