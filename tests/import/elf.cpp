// Libraries read without loading them: made by hand, compared with what the dynamic linker says, and broken.

#include "tools/import/elf.hpp"

#include "tests/import/elf_builder.hpp"
#include "tests/support/random.hpp"
#include "tests/support/refusal.hpp"

#include <catch2/catch.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

using namespace tenon::fmi;
using Catch::Contains;
using tenon::tests::ElfBuilder;

namespace {

/// Where the library is that offers this symbol to the running test.
std::string library_with(const char* symbol) {
    const void* const address = ::dlsym(RTLD_DEFAULT, symbol);
    REQUIRE(address);
    Dl_info info{};
    REQUIRE(::dladdr(address, &info) != 0);
    return info.dli_fname;
}

std::string bytes_of(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string zlib_bytes() { return bytes_of(library_with("zlibVersion")); }

/// Needs libm.so.6 and GLIBC_2.17 of it; offers f (MINE_1), g (unique) and h (weak), asks for sin.
ElfBuilder small_library(int bits) {
    using B = ElfBuilder;
    ElfBuilder elf(bits);
    elf.tag(1, elf.name("libm.so.6"));
    elf.tag(1, elf.name("libc.so.6"));
    elf.tag(15, elf.name("/opt/lib"));
    elf.tag(29, elf.name("$ORIGIN:$ORIGIN/lib"));
    elf.symbols({{"sin", 1, 0, 3}, {"local", 0, 1, 0}, {"f", 1, 1, 2}, {"g", 10, 1, 1}, {"h", 2, 1, 0x8002}});
    const std::uint64_t mine = elf.name("MINE_1"), glibc = elf.name("GLIBC_2.17");
    elf.table(0x6ffffffc, B::number(1, 2) + B::number(0, 2) + B::number(2, 2) + B::number(1, 2) +
                              B::number(0, 4) + B::number(20, 4) + B::number(0, 4) + B::number(mine, 4) +
                              B::number(0, 4));
    elf.table(0x6ffffffe, B::number(1, 2) + B::number(1, 2) + B::number(1, 4) + B::number(16, 4) +
                              B::number(0, 4) + B::number(0, 4) + B::number(0, 2) + B::number(3, 2) +
                              B::number(glibc, 4) + B::number(0, 4));
    return elf;
}

/// DT_HASH with one bucket for 6 symbols.
void add_hash(ElfBuilder& elf) {
    elf.table(4, ElfBuilder::number(1, 4) + ElfBuilder::number(6, 4) + std::string(7 * 4, '\0'));
}

/// DT_GNU_HASH: symbols from the third on are in two chains, of one and of two.
std::string gnu_hash(int bits) {
    using B = ElfBuilder;
    return B::number(2, 4) + B::number(3, 4) + B::number(1, 4) + B::number(6, 4) +
           B::number(~0ull, bits / 8) + B::number(3, 4) + B::number(4, 4) + B::number(0x11, 4) +
           B::number(0x20, 4) + B::number(0x33, 4);
}

void check_small_library(const Elf& elf, int bits) {
    CHECK(elf.bits == bits);
    CHECK(elf.machine == (bits == 64 ? 62 : 3));
    CHECK(elf.shared);
    CHECK_FALSE(elf.executable_stack);
    CHECK(elf.needed == std::vector<std::string>{"libm.so.6", "libc.so.6"});
    CHECK(elf.runpath == std::vector<std::string>{"/opt/lib", "$ORIGIN", "$ORIGIN/lib"});
    std::vector<std::string> symbols;
    for (const ElfSymbol& s : elf.symbols)
        symbols.push_back(s.name + "@" + s.version + (s.defined ? " defined" : "") + (s.weak ? " weak" : "") +
                          (s.unique ? " unique" : ""));
    CHECK(symbols == std::vector<std::string>{"sin@GLIBC_2.17", "f@MINE_1 defined", "g@ defined unique",
                                              "h@MINE_1 defined weak"});
}

std::string refusal(const std::string& bytes) {
    return tenon::tests::refusal<std::runtime_error>([&] { read_elf(bytes); });
}

} // namespace

TEST_CASE("what a library needs and offers is read from its bytes") {
    const int bits = GENERATE(32, 64);
    ElfBuilder with_hash = small_library(bits), with_gnu_hash = small_library(bits);
    add_hash(with_hash);
    with_gnu_hash.table(0x6ffffef5, gnu_hash(bits));
    check_small_library(read_elf(with_hash.bytes()), bits);
    check_small_library(read_elf(with_gnu_hash.bytes()), bits);
}

TEST_CASE("a library asks for an executable stack by saying so or by not saying anything") {
    ElfBuilder elf(64);
    CHECK_FALSE(read_elf(elf.bytes(6)).executable_stack);
    CHECK(read_elf(elf.bytes(7)).executable_stack);
    CHECK(read_elf(elf.bytes(6, false)).executable_stack);
}

TEST_CASE("the symbols of zlib are those that the dynamic linker finds") {
    const Elf elf = read_elf(zlib_bytes());
    void* const library = ::dlopen(library_with("zlibVersion").c_str(), RTLD_NOW);
    REQUIRE(library);
    std::set<std::string> offered;
    int versioned = 0;
    for (const ElfSymbol& symbol : elf.symbols)
        if (symbol.defined) {
            offered.insert(symbol.name);
            const bool is_version =
                symbol.name == symbol.version; // versions are symbols too, without an address
            if (!symbol.version.empty() && !is_version) {
                CHECK(::dlvsym(library, symbol.name.c_str(), symbol.version.c_str()));
                ++versioned;
            }
        }
    ::dlclose(library);
    for (const char* name : {"inflate", "deflate", "crc32", "crc32_z", "zlibVersion"})
        CHECK(offered.contains(name));
    CHECK(versioned > 10);
    CHECK_THAT(elf.needed, Catch::VectorContains(std::string("libc.so.6")));
    CHECK(elf.shared);
    CHECK(elf.bits == static_cast<int>(8 * sizeof(void*)));
    CHECK(std::any_of(elf.symbols.begin(), elf.symbols.end(), [](const ElfSymbol& s) {
        return !s.defined && s.name == "malloc" && s.version.starts_with("GLIBC_2.");
    }));
}

TEST_CASE("unique symbols of libstdc++ are seen") {
    const Elf elf = read_elf(bytes_of(library_with("_ZSt9terminatev")));
    CHECK(std::any_of(elf.symbols.begin(), elf.symbols.end(), [](const ElfSymbol& s) {
        return s.unique && s.defined && s.version.starts_with("GLIBCXX_");
    }));
}

TEST_CASE("a library without section headers is read all the same") {
    std::string bytes = zlib_bytes();
    const Elf whole = read_elf(bytes);
    const bool is_64 = whole.bits == 64;
    bytes.replace(is_64 ? 40 : 32, is_64 ? 8 : 4, is_64 ? 8 : 4, '\0'); // offset
    bytes.replace(is_64 ? 58 : 46, 6, 6, '\0');                         // size, number, names
    const Elf stripped = read_elf(bytes);
    REQUIRE(stripped.symbols.size() == whole.symbols.size());
    CHECK(stripped.symbols.back().name == whole.symbols.back().name);
}

TEST_CASE("what is no ELF file or not for little-endian machines is refused") {
    CHECK_THAT(refusal(""), Contains("not an ELF file"));
    CHECK_THAT(refusal("MZ\x90 and so on for a while"), Contains("not an ELF file"));
    CHECK_THAT(refusal("\177ELF"), Contains("not an ELF file"));
    std::string bytes = ElfBuilder(64).bytes();
    bytes[5] = 2;
    CHECK_THAT(refusal(bytes), Contains("byte order 2"));
    bytes[5] = 1;
    bytes[4] = 3;
    CHECK_THAT(refusal(bytes), Contains("class 3"));
}

TEST_CASE("broken tables of a library are refused with what is wrong") {
    const auto with_tag = [](std::uint64_t tag, std::uint64_t value) {
        ElfBuilder elf(64);
        elf.symbols({{"f"}});
        elf.tag(tag, value);
        return refusal(elf.bytes());
    };
    CHECK_THAT(with_tag(1, 1 << 20), Contains("broken ELF file: byte 1048576"));
    CHECK_THAT(with_tag(4, 0x99999999),
               Contains("the hash table at address 0x99999999 is in no loaded segment"));
    CHECK_THAT(with_tag(4, ~0ull), Contains("in no loaded segment"));
    ElfBuilder many(64);
    many.symbols({{"f"}});
    many.table(4, ElfBuilder::number(1, 4) + ElfBuilder::number(4000000000, 4));
    CHECK_THAT(refusal(many.bytes()), Contains("4000000000 symbols (limit 500000)"));
    ElfBuilder endless(64); // a hash chain that runs out of the file
    endless.symbols({{"f"}});
    endless.table(0x6ffffef5, ElfBuilder::number(1, 4) + ElfBuilder::number(1, 4) + ElfBuilder::number(0, 8) +
                                  ElfBuilder::number(1, 4) + ElfBuilder::number(0, 40));
    CHECK_THAT(refusal(endless.bytes()), Contains("broken ELF file"));
    ElfBuilder quadratic(64); // each library of the version table has all versions behind it
    quadratic.symbols({{"f"}});
    std::string needs;
    for (int i = 0; i < 1000; ++i)
        needs += ElfBuilder::number(0, 12) + ElfBuilder::number(16, 4);
    quadratic.table(0x6ffffffe, needs);
    add_hash(quadratic);
    CHECK_THAT(refusal(quadratic.bytes()), Contains("more than 32768 versions (limit)"));
}

TEST_CASE("many long names that overlap are not copied without end") {
    ElfBuilder elf(64);
    std::vector<ElfBuilder::Symbol> symbols(70, {std::string(1 << 20, 'x'), 1, 1, 1});
    elf.symbols(symbols);
    elf.table(4, ElfBuilder::number(1, 4) + ElfBuilder::number(71, 4));
    CHECK_THAT(refusal(elf.bytes()), Contains("its names have more than 67108864 bytes (limit)"));
}

TEST_CASE("a library that was cut anywhere is read or refused") {
    ElfBuilder elf = small_library(64);
    add_hash(elf);
    const std::string bytes = elf.bytes();
    int refused = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length)
        refused += !refusal(bytes.substr(0, length)).empty();
    CHECK(refused > static_cast<int>(bytes.size()) / 2);
}

TEST_CASE("a mutated library is read or refused") {
    ElfBuilder small = small_library(32);
    small.table(0x6ffffef5, gnu_hash(32));
    ElfBuilder hashed = small_library(64);
    add_hash(hashed);
    const std::vector<std::string> seeds = {zlib_bytes(), small.bytes(), hashed.bytes()};
    tenon::tests::Random random(4711);
    int read = 0, refused = 0;
    for (int i = 0; i < 9000; ++i) {
        std::string bytes = seeds[static_cast<std::size_t>(i) % seeds.size()];
        // Of zlib, mostly the headers and tables at its front.
        const int reach =
            static_cast<int>(i % 2 == 0 ? std::min<std::size_t>(bytes.size(), 16384) : bytes.size());
        for (int count = 1 + random.below(6); count > 0; --count) {
            const auto at =
                static_cast<std::size_t>(random.below(i % 4 == 0 ? std::min(reach, 1024) : reach));
            bytes[at] = static_cast<char>(random.below(3) == 0 ? 0xFF : random.below(256));
        }
        if (random.below(20) == 0)
            bytes.resize(static_cast<std::size_t>(random.below(static_cast<int>(bytes.size()))));
        (refusal(bytes).empty() ? read : refused) += 1;
    }
    CHECK(read > 1000);
    CHECK(refused > 1000);
}
