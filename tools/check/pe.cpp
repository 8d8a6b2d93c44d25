#include "tools/check/pe.hpp"

#include <cstdint>
#include <fmt/format.h>
#include <stdexcept>

namespace tenon::check {
namespace {

// The layout of a PE file: at 0x3c the place of "PE\0\0", then the header of the file (20 bytes), the optional header with
// its directories (place and size in memory), and the sections, which say where memory lies in the file.
constexpr std::size_t file_header = 20, section_header = 40, import_entry = 20;
constexpr std::uint32_t is_library = 0x2000;
constexpr std::uint32_t pe32 = 0x10b, pe32_plus = 0x20b;
constexpr std::size_t longest_name = 4096, most_libraries = 10000;

struct Reader {
    std::string_view bytes;
    std::size_t sections = 0; ///< where their headers begin
    std::size_t section_count = 0;

    std::uint32_t number(std::size_t at, std::size_t size) const {
        if (at > bytes.size() || bytes.size() - at < size)
            throw std::runtime_error(fmt::format("the file ends before byte {}", at + size));
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < size; ++i)
            value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
        return value;
    }
    std::uint32_t u16(std::size_t at) const { return number(at, 2); }
    std::uint32_t u32(std::size_t at) const { return number(at, 4); }

    /// Where in the file the memory lies that begins at `address`.
    std::size_t place(std::uint32_t address) const {
        for (std::size_t i = 0; i < section_count; ++i) {
            const std::size_t header = sections + i * section_header;
            const std::uint32_t begin = u32(header + 12), size = u32(header + 16), in_file = u32(header + 20);
            if (address >= begin && address - begin < size)
                return std::size_t{in_file} + (address - begin);
        }
        throw std::runtime_error(fmt::format("address {:#x} is in no section", address));
    }
    std::string text(std::uint32_t address) const {
        const std::size_t begin = place(address);
        const std::string_view rest = bytes.substr(std::min(begin, bytes.size())).substr(0, longest_name);
        const std::size_t end = rest.find('\0');
        if (end == std::string_view::npos)
            throw std::runtime_error("a name has no end");
        return std::string(rest.substr(0, end));
    }
};

void read_exports(const Reader& reader, std::uint32_t address, Pe& pe) {
    const std::size_t directory = reader.place(address);
    const std::uint32_t count = reader.u32(directory + 24);
    if (count == 0)
        return;
    const std::size_t names = reader.place(reader.u32(directory + 32));
    for (std::size_t i = 0; i < count; ++i) // ends with the file at the latest
        pe.exports.push_back(reader.text(reader.u32(names + 4 * i)));
}

void read_imports(const Reader& reader, std::uint32_t address, Pe& pe) {
    std::size_t entry = reader.place(address);
    for (; const std::uint32_t name = reader.u32(entry + 12); entry += import_entry) {
        if (pe.needed.size() == most_libraries)
            throw std::runtime_error(fmt::format("it needs more than {} libraries", most_libraries));
        pe.needed.push_back(reader.text(name));
    }
}

} // namespace

Pe read_pe(std::string_view bytes) {
    Reader reader{bytes};
    if (!bytes.starts_with("MZ"))
        throw std::runtime_error("it does not begin with MZ, as libraries of Windows do");
    const std::size_t begin = reader.u32(0x3c);
    if (reader.u32(begin) != 0x4550) // "PE\0\0"
        throw std::runtime_error("it has no PE header");
    const std::size_t header = begin + 4, optional = header + file_header;
    Pe pe;
    pe.machine = static_cast<int>(reader.u16(header));
    pe.library = (reader.u16(header + 18) & is_library) != 0;
    const std::uint32_t magic = reader.u16(optional);
    if (magic != pe32 && magic != pe32_plus)
        throw std::runtime_error(fmt::format("its optional header has the unknown kind {:#x}", magic));
    pe.bits = magic == pe32 ? 32 : 64;
    reader.sections = optional + reader.u16(header + 16);
    reader.section_count = reader.u16(header + 2);
    const std::size_t directories = optional + (magic == pe32 ? 96 : 112);
    const std::uint32_t count = reader.u32(directories - 4);
    if (count > 0 && reader.u32(directories) != 0)
        read_exports(reader, reader.u32(directories), pe);
    if (count > 1 && reader.u32(directories + 8) != 0)
        read_imports(reader, reader.u32(directories + 8), pe);
    return pe;
}

} // namespace tenon::check
