#include "modelDescription/xml_encoding.hpp"

#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/reader.hpp"
#include "modelDescription/xml_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace tenon::fmi {
namespace {

constexpr std::string_view mark8 = "\xef\xbb\xbf", mark16_little = "\xff\xfe", mark16_big = "\xfe\xff";
constexpr const char* rule = "description-encoding";
constexpr char32_t none = 0xFFFFFFFF; ///< a byte that an encoding does not have

/// What windows-1252 has from 0x80 to 0x9F.
constexpr std::array<char32_t, 32> windows_1252{
    0x20AC, none,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, none,   0x017D, none,   none,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, none,   0x017E, 0x0178};

char32_t latin1(unsigned char byte) { return byte; }
char32_t latin9(unsigned char byte) {
    constexpr std::array<std::pair<unsigned char, char32_t>, 8> others{{{0xA4, 0x20AC},
                                                                        {0xA6, 0x160},
                                                                        {0xA8, 0x161},
                                                                        {0xB4, 0x17D},
                                                                        {0xB8, 0x17E},
                                                                        {0xBC, 0x152},
                                                                        {0xBD, 0x153},
                                                                        {0xBE, 0x178}}};
    const auto found = std::ranges::find(others, byte, &std::pair<unsigned char, char32_t>::first);
    return found == others.end() ? byte : found->second;
}
char32_t windows(unsigned char byte) {
    return byte >= 0x80 && byte < 0xA0 ? windows_1252[byte - 0x80u] : byte;
}
char32_t ascii(unsigned char byte) { return byte < 0x80 ? byte : none; }

/// The character of a byte, for each encoding of one byte a character.
struct Encoding {
    std::string_view name; ///< lower case
    char32_t (*character)(unsigned char);
};
constexpr std::array<Encoding, 12> encodings{{{"iso-8859-1", latin1},
                                              {"iso8859-1", latin1},
                                              {"iso_8859-1", latin1},
                                              {"latin1", latin1},
                                              {"latin-1", latin1},
                                              {"iso-8859-15", latin9},
                                              {"windows-1252", windows},
                                              {"cp1252", windows},
                                              {"cp-1252", windows},
                                              {"us-ascii", ascii},
                                              {"ascii", ascii},
                                              {"iso646-us", ascii}}};

void append(std::string& text, char32_t c) {
    const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
    if (c < 0x80)
        return byte(c);
    if (c < 0x800)
        return byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F));
    if (c < 0x10000)
        byte(0xE0 | c >> 12);
    else
        byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
}

int line_at(std::string_view text, std::size_t at) {
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
           1;
}

std::string from_bytes(std::string_view text, const Encoding& encoding) {
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char32_t c = encoding.character(static_cast<unsigned char>(text[i]));
        if (c == none)
            throw DescriptionError(
                line_at(text, i),
                fmt::format("byte \\x{:02x}, which {} does not have; save the file as UTF-8",
                            static_cast<unsigned char>(text[i]), encoding.name));
        append(result, c);
    }
    return result;
}

std::string from_utf16(std::string_view text, bool big) {
    std::string result;
    result.reserve(text.size() / 2 + text.size() / 8);
    const auto unit = [&](std::size_t i) {
        const auto first = static_cast<unsigned char>(text[i]),
                   second = static_cast<unsigned char>(text[i + 1]);
        return static_cast<char32_t>(big ? first << 8 | second : second << 8 | first);
    };
    const auto refuse = [&] {
        throw DescriptionError(line_at(result, result.size()), "invalid UTF-16; save the file as UTF-8");
    };
    for (std::size_t i = 0; i < text.size(); i += 2) {
        if (i + 1 == text.size())
            refuse();
        char32_t c = unit(i);
        if (c >= 0xD800 && c < 0xE000) { // the first half of a character beyond U+FFFF
            i += 2;
            if (c >= 0xDC00 || i + 1 >= text.size() || unit(i) < 0xDC00 || unit(i) >= 0xE000)
                refuse();
            c = 0x10000 + ((c - 0xD800) << 10) + (unit(i) - 0xDC00);
        }
        append(result, c);
    }
    return result;
}

/// Whether bytes below 0x80 mean the same in an encoding as in ASCII: then a text that has no others can be read.
bool extends_ascii(std::string_view name) {
    constexpr std::array<std::string_view, 16> beginnings{
        "iso-8859", "iso8859", "iso_8859", "latin",     "windows-",  "cp12",      "gb",  "big5",
        "euc-",     "koi8",    "ks_c",     "shift_jis", "shift-jis", "macintosh", "tis", "ansi"};
    return std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

/// What <?xml ... encoding="..."?> says in lower case; empty: nothing. The first characters are ASCII in all encodings
/// that are read.
std::string declared_encoding(std::string_view text) {
    constexpr std::string_view key = "encoding", white_space = " \t\r\n";
    if (!text.starts_with("<?xml") || text.find_first_of(white_space) != 5)
        return {};
    const std::string_view declaration = text.substr(0, text.find("?>"));
    const std::size_t found = declaration.find(key);
    if (found == declaration.npos)
        return {};
    const std::size_t opening = declaration.find_first_of("\"'", found + key.size());
    const std::size_t closing =
        opening == declaration.npos ? opening : declaration.find(declaration[opening], opening + 1);
    if (closing == declaration.npos)
        throw DescriptionError(1, "the XML declaration has an encoding without quotes");
    std::string name(declaration.substr(opening + 1, closing - opening - 1));
    for (char& c : name)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return name;
}

} // namespace

std::string_view as_utf8(std::string_view text, std::string& kept, std::string_view place,
                         FindingList* found) {
    if (text.size() > xml_size_limit)
        throw DescriptionError(
            0, fmt::format("the XML text is too large ({} bytes, limit {})", text.size(), xml_size_limit));
    const auto note = [&](const std::string& what) {
        if (found)
            found->add(rule, fmt::format("{}:1", place), what,
                       R"(FMI asks for UTF-8: begin the file with <?xml version="1.0" encoding="UTF-8"?>)");
    };
    for (const bool big : {false, true})
        if (const std::string_view mark = big ? mark16_big : mark16_little; text.starts_with(mark)) {
            kept = from_utf16(text.substr(mark.size()), big);
            note("the encoding is UTF-16");
            return kept;
        }
    const bool marked = text.starts_with(mark8);
    if (marked)
        text.remove_prefix(mark8.size());
    const std::string name = declared_encoding(text);
    if (name == "utf-8")
        return text;
    if (name.empty()) {
        if (!text.starts_with("<?xml"))
            note("the first line does not declare the encoding");
        else
            note("the XML declaration has no encoding");
        return text;
    }
    note(fmt::format("the encoding is {}", quoted(name)));
    // A mark says more than a word; UTF-16 that can be read byte by byte is none.
    if (marked || name == "utf8" || name == "utf-16" || name == "utf16")
        return text;
    const auto encoding = std::ranges::find(encodings, name, &Encoding::name);
    if (encoding == encodings.end() && extends_ascii(name) && is_ascii(text))
        return text;
    if (encoding == encodings.end())
        throw DescriptionError(1,
                               fmt::format("encoding {}; UTF-8, UTF-16 with a mark, ISO-8859-1, ISO-8859-15, "
                                           "windows-1252 and US-ASCII are read, FMI asks for UTF-8",
                                           quoted(name)));
    kept = from_bytes(text, *encoding);
    return kept;
}

} // namespace tenon::fmi
