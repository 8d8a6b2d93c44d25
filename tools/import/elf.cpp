// System V gABI chapters 4 and 5, with the GNU extensions (versions, GNU_HASH, GNU_STACK, GNU_UNIQUE). Everything is
// found through the program headers, as the dynamic linker does: a stripped library may have no section headers.

#include "tools/import/elf.hpp"

#include <elf.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace tenon::fmi {
namespace {

/// Far above any library; they keep hostile files from taking memory or time.
constexpr std::uint64_t most_dynamic_entries = 10'000, most_symbols = 500'000, most_versions = 0x8000,
                        most_name_bytes = 64 << 20;

/// The records of either class; those of versions are the same in both.
struct Class32 {
    using Header = Elf32_Ehdr;
    using Segment = Elf32_Phdr;
    using Section = Elf32_Shdr;
    using Dynamic = Elf32_Dyn;
    using Symbol = Elf32_Sym;
};
struct Class64 {
    using Header = Elf64_Ehdr;
    using Segment = Elf64_Phdr;
    using Section = Elf64_Shdr;
    using Dynamic = Elf64_Dyn;
    using Symbol = Elf64_Sym;
};

static_assert(std::endian::native == std::endian::little); // as the files that are read

[[noreturn]] void broken(const std::string& what) { throw std::runtime_error("broken ELF file: " + what); }

/// From `at` to the end.
std::string_view from(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size())
        broken(fmt::format("byte {} of {}", at, bytes.size()));
    return bytes.substr(at);
}

/// What stands at `at`: a number or a record of elf.h.
template <class T> T record(std::string_view bytes, std::uint64_t at = 0) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        broken(fmt::format("it ends before the {} bytes at byte {} of {}", sizeof(T), at, bytes.size()));
    T result;
    std::memcpy(&result, bytes.data() + at, sizeof(T));
    return result;
}

template <class Class> class Reader {
  public:
    explicit Reader(std::string_view bytes) : bytes_(bytes), header_(record<typename Class::Header>(bytes)) {}
    Elf read();

  private:
    using Segment = typename Class::Segment;

    std::string_view content(const Segment& segment) const {
        return from(bytes_, segment.p_offset).substr(0, segment.p_filesz);
    }
    /// What is loaded at `address`, to the end of its segment.
    std::string_view loaded(std::uint64_t address, const char* what) const;
    /// What a tag of the dynamic section points at; nothing where there is no such tag.
    std::optional<std::string_view> table(std::uint64_t tag, const char* what) const;
    std::string string(std::uint64_t offset);

    void read_segments();
    void read_dynamic(std::string_view section);
    void read_libraries(Elf& elf);
    std::uint64_t symbol_count() const;
    std::uint64_t section_count() const;
    void read_version_definitions(std::string_view table);
    void read_version_needs(std::string_view table);
    void add_version(std::uint16_t index, std::uint64_t name);
    void read_symbols(Elf& elf);

    std::string_view bytes_;
    typename Class::Header header_;
    std::vector<Segment> segments_;
    std::multimap<std::uint64_t, std::uint64_t> dynamic_;
    std::string_view strings_;
    std::uint64_t name_bytes_ = 0;
    std::map<std::uint16_t, std::string> versions_;
    std::uint64_t version_count_ = 0;
};

template <class Class> std::string_view Reader<Class>::loaded(std::uint64_t address, const char* what) const {
    for (const Segment& segment : segments_)
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz)
            return from(content(segment), address - segment.p_vaddr);
    broken(fmt::format("the {} at address {:#x} is in no loaded segment", what, address));
}

template <class Class>
std::optional<std::string_view> Reader<Class>::table(std::uint64_t tag, const char* what) const {
    const auto found = dynamic_.find(tag);
    if (found == dynamic_.end())
        return {};
    return loaded(found->second, what);
}

template <class Class> std::string Reader<Class>::string(std::uint64_t offset) {
    const std::string_view rest = from(strings_, offset);
    const std::size_t length = rest.find('\0');
    if (length == std::string_view::npos)
        broken("a name does not end");
    name_bytes_ += length;
    if (name_bytes_ > most_name_bytes)
        broken(fmt::format("its names have more than {} bytes (limit)", most_name_bytes));
    return std::string(rest.substr(0, length));
}

template <class Class> void Reader<Class>::read_segments() {
    if (header_.e_phnum != 0 && header_.e_phentsize < sizeof(Segment))
        broken(fmt::format("program headers of {} bytes", header_.e_phentsize));
    const std::string_view headers = from(bytes_, header_.e_phoff);
    for (std::uint64_t i = 0; i < header_.e_phnum; ++i)
        segments_.push_back(record<Segment>(headers, i * header_.e_phentsize));
}

template <class Class> void Reader<Class>::read_dynamic(std::string_view section) {
    using Entry = typename Class::Dynamic;
    for (std::uint64_t i = 0; i < section.size() / sizeof(Entry); ++i) {
        const auto entry = record<Entry>(section, i * sizeof(Entry));
        if (entry.d_tag == DT_NULL)
            break;
        if (i >= most_dynamic_entries)
            broken(fmt::format("the dynamic section has more than {} entries (limit)", most_dynamic_entries));
        dynamic_.emplace(entry.d_tag, entry.d_un.d_val);
    }
    if (const auto table_found = table(DT_STRTAB, "string table"))
        strings_ = *table_found;
    if (const auto size_found = dynamic_.find(DT_STRSZ); size_found != dynamic_.end())
        strings_ = strings_.substr(0, size_found->second);
}

template <class Class> void Reader<Class>::read_libraries(Elf& elf) {
    const auto each = [&](std::uint64_t tag, auto&& take) {
        const auto [first, last] = dynamic_.equal_range(tag);
        for (auto entry = first; entry != last; ++entry)
            take(string(entry->second));
    };
    each(DT_NEEDED, [&](const std::string& name) { elf.needed.push_back(name); });
    for (const std::uint64_t tag : {DT_RPATH, DT_RUNPATH})
        each(tag, [&](const std::string& paths) {
            for (std::size_t start = 0; start <= paths.size();) {
                const std::size_t end = std::min(paths.find(':', start), paths.size());
                elf.runpath.push_back(paths.substr(start, end - start));
                start = end + 1;
            }
        });
}

/// The chains of a GNU hash table end with the last symbol; symbols that are asked for, not offered, stand before the
/// first chain. `word` is the size of an address, of which the Bloom filter is made.
std::uint64_t gnu_hash_count(std::string_view table, std::uint64_t word) {
    const auto number = [&](std::uint64_t at) { return record<std::uint32_t>(table, at); };
    const std::uint64_t buckets = number(0), first_symbol = number(4), bloom_words = number(8);
    const std::uint64_t bucket_table = 16 + bloom_words * word;
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < buckets; ++i)
        last = std::max<std::uint64_t>(last, number(bucket_table + 4 * i));
    if (last < first_symbol)
        return first_symbol;
    const std::uint64_t chains = bucket_table + 4 * buckets;
    while ((number(chains + 4 * (last - first_symbol)) & 1) == 0)
        ++last;
    return last + 1;
}

/// 0 where there are no section headers.
template <class Class> std::uint64_t Reader<Class>::section_count() const {
    using Section = typename Class::Section;
    for (std::uint64_t i = 0; i < header_.e_shnum && header_.e_shoff < bytes_.size(); ++i) {
        const auto section = record<Section>(bytes_, header_.e_shoff + i * header_.e_shentsize);
        if (section.sh_type == SHT_DYNSYM)
            return section.sh_size / sizeof(typename Class::Symbol);
    }
    return 0;
}

template <class Class> std::uint64_t Reader<Class>::symbol_count() const {
    if (const auto found = table(DT_HASH, "hash table"))
        return record<std::uint32_t>(*found, 4);
    // A library that offers nothing has an empty GNU hash table, which does not tell how much it asks for.
    const auto found = table(DT_GNU_HASH, "GNU hash table");
    return std::max(found ? gnu_hash_count(*found, sizeof(header_.e_entry)) : 0, section_count());
}

template <class Class> void Reader<Class>::add_version(std::uint16_t index, std::uint64_t name) {
    if (++version_count_ > most_versions)
        broken(fmt::format("it has more than {} versions (limit)", most_versions));
    versions_.emplace(index & 0x7FFF, string(name));
}

/// Each has its own name first, then its parents'.
template <class Class> void Reader<Class>::read_version_definitions(std::string_view table) {
    for (std::uint64_t at = 0;;) {
        const auto definition = record<Elf64_Verdef>(table, at);
        const auto name = record<Elf64_Verdaux>(table, at + definition.vd_aux);
        add_version(definition.vd_ndx, name.vda_name);
        if (definition.vd_next == 0)
            return;
        at += definition.vd_next;
    }
}

/// The versions that are needed of one library after the other.
template <class Class> void Reader<Class>::read_version_needs(std::string_view table) {
    for (std::uint64_t at = 0;;) {
        const auto library = record<Elf64_Verneed>(table, at);
        for (std::uint64_t version_at = at + library.vn_aux;;) {
            const auto version = record<Elf64_Vernaux>(table, version_at);
            add_version(version.vna_other, version.vna_name);
            if (version.vna_next == 0)
                break;
            version_at += version.vna_next;
        }
        if (library.vn_next == 0)
            return;
        at += library.vn_next;
    }
}

template <class Class> void Reader<Class>::read_symbols(Elf& elf) {
    using Symbol = typename Class::Symbol;
    const auto symbols = table(DT_SYMTAB, "symbol table");
    if (!symbols)
        return;
    const std::uint64_t count = symbol_count();
    if (count > most_symbols)
        broken(fmt::format("it has {} symbols (limit {})", count, most_symbols));
    if (const auto found = table(DT_VERDEF, "table of version definitions"))
        read_version_definitions(*found);
    if (const auto found = table(DT_VERNEED, "table of needed versions"))
        read_version_needs(*found);
    const auto symbol_versions = table(DT_VERSYM, "table of symbol versions");
    for (std::uint64_t i = 1; i < count; ++i) { // the first one is empty
        const auto entry = record<Symbol>(*symbols, i * sizeof(Symbol));
        const int bind = ELF64_ST_BIND(entry.st_info);
        ElfSymbol symbol{.name = string(entry.st_name),
                         .version = {},
                         .defined = entry.st_shndx != SHN_UNDEF,
                         .weak = bind == STB_WEAK,
                         .unique = bind == STB_GNU_UNIQUE};
        if (bind == STB_LOCAL || symbol.name.empty())
            continue;
        if (symbol_versions) {
            const int index = record<std::uint16_t>(*symbol_versions, 2 * i) & 0x7FFF;
            const auto version = versions_.find(static_cast<std::uint16_t>(index));
            if (index > VER_NDX_GLOBAL && version != versions_.end())
                symbol.version = version->second;
        }
        elf.symbols.push_back(std::move(symbol));
    }
}

template <class Class> Elf Reader<Class>::read() {
    Elf elf;
    elf.bits = 8 * static_cast<int>(sizeof(header_.e_entry));
    elf.machine = header_.e_machine;
    elf.shared = header_.e_type == ET_DYN;
    elf.executable_stack = true; // what the kernel assumes where the library does not say
    read_segments();
    const Segment* dynamic = nullptr;
    for (const Segment& segment : segments_) {
        if (segment.p_type == PT_GNU_STACK)
            elf.executable_stack = (segment.p_flags & PF_X) != 0;
        if (segment.p_type == PT_DYNAMIC && !dynamic)
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
    if (!bytes.starts_with(ELFMAG) || bytes.size() < EI_NIDENT)
        throw std::runtime_error("not an ELF file");
    if (bytes[EI_CLASS] != ELFCLASS32 && bytes[EI_CLASS] != ELFCLASS64)
        broken(fmt::format("class {} (1 is 32 bits, 2 is 64)", static_cast<unsigned char>(bytes[EI_CLASS])));
    if (bytes[EI_DATA] != ELFDATA2LSB)
        throw std::runtime_error(fmt::format("ELF file with byte order {} (only 1, little-endian, is read)",
                                             static_cast<unsigned char>(bytes[EI_DATA])));
    return bytes[EI_CLASS] == ELFCLASS64 ? Reader<Class64>(bytes).read() : Reader<Class32>(bytes).read();
}

} // namespace tenon::fmi
