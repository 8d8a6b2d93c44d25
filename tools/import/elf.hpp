#pragma once
// What a shared library asks for and offers, read from its bytes without loading it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fmi {

struct ElfSymbol {
    std::string name;
    std::string version; ///< "GLIBC_2.17"; may be empty
    bool defined = false;
    bool weak = false;
    bool unique = false; ///< STB_GNU_UNIQUE
};

struct Elf {
    int bits = 0;        ///< 32 or 64
    int machine = 0;     ///< e_machine: 62 x86-64, 183 AArch64, 3 x86
    bool shared = false; ///< ET_DYN
    bool executable_stack = false;
    std::vector<std::string> needed;  ///< DT_NEEDED
    std::vector<std::string> runpath; ///< DT_RPATH and DT_RUNPATH
    std::vector<ElfSymbol> symbols;   ///< dynamic symbols
};

/// Bounds-checked reading of any bytes. Throws std::runtime_error with one sentence where it is no ELF file or a broken one.
Elf read_elf(std::string_view bytes);

} // namespace tenon::fmi
