#include "tools/archive/name_fold.hpp"

#include "tools/files/utf8.hpp"

#include <array>

namespace tenon {
namespace {

/// A combining mark, and in turn a letter that carries it and the letter without.
struct Mark {
    char32_t mark;
    std::u32string_view letters;
};

/// Canonical decompositions of UnicodeData, small letters only.
constexpr Mark marks[] = {
    {0x300, U"àaèeìiòoùuѐеѝи"},
    {0x301, U"áaéeíióoúuýyćcĺlńnŕrśsźzάαέεήηίιόούυώωѓгќк"},
    {0x302, U"âaêeîiôoûuĉcĝgĥhĵjŝsŵwŷy"},
    {0x303, U"ãañnõoĩiũu"},
    {0x304, U"āaēeīiōoūu"},
    {0x306, U"ăaĕeğgĭiŏoŭuйиўу"},
    {0x307, U"ċcėeġgżz"},
    {0x308, U"äaëeïiöoüuÿyϊιϋυёеїі"},
    {0x30A, U"åaůu"},
    {0x30B, U"őoűu"},
    {0x30C, U"čcďděeľlňnřršsťtžz"},
    {0x327, U"çcģgķkļlņnŗrşsţt"},
    {0x328, U"ąaęeįiųu"},
};

/// Pairs that follow no pattern: a capital letter or another form of a letter, and its small letter.
constexpr std::u32string_view single = U"ŸÿΆάΈέΉήΊίΌόΎύΏώςσſsµμ";

constexpr bool between(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

constexpr char32_t small_letter(char32_t c) {
    for (std::size_t i = 0; i < single.size(); i += 2)
        if (single[i] == c)
            return single[i + 1];
    if (between(c, 'A', 'Z') || (between(c, 0xC0, 0xDE) && c != 0xD7) || between(c, 0x391, 0x3AB) ||
        between(c, 0x410, 0x42F))
        return c + 0x20;
    if (between(c, 0x400, 0x40F))
        return c + 0x50;
    if (between(c, 0x139, 0x148) || between(c, 0x179, 0x17E)) // capitals are odd
        return c + (c & 1);
    if (between(c, 0x100, 0x177) && c != 0x130 && c != 0x138) // capitals are even
        return c | 1;
    return c;
}

struct Folded {
    char32_t letter = 0, mark = 0;
};

/// For all characters up to Cyrillic: megabytes of hostile names must not take seconds.
constexpr auto folded = [] {
    std::array<Folded, 0x460> table;
    for (char32_t c = 0; c < table.size(); ++c)
        table[c] = {c, 0};
    for (const Mark& mark : marks)
        for (std::size_t i = 0; i < mark.letters.size(); i += 2)
            table[mark.letters[i]] = {mark.letters[i + 1], mark.mark};
    for (char32_t c = 0; c < table.size(); ++c)
        if (const char32_t small = small_letter(c); small != c)
            table[c] = table[small];
    table[0x130] = {'i', 0x307}; // capital i with a dot; the small letter has it too
    return table;
}();

char32_t character(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    char32_t c = bytes.size() == 1 ? first : first & (0x7Fu >> bytes.size());
    for (const char byte : bytes.substr(1))
        c = c << 6 | (static_cast<unsigned char>(byte) & 0x3Fu);
    return c;
}

void append(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += static_cast<char>(c);
        return;
    }
    const int following = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xFF00u >> (following + 1) & 0xFFu) | c >> 6 * following);
    for (int i = following; i-- > 0;)
        text += static_cast<char>(0x80u | (c >> 6 * i & 0x3Fu));
}

void append_folded(std::string& text, char32_t c) {
    if (c == 0x2126 || c == 0x212A || c == 0x212B) // Ohm, Kelvin, Angstrom
        c = c == 0x2126 ? U'ω' : c == 0x212A ? U'k' : U'å';
    if (c < folded.size()) {
        append(text, folded[c].letter);
        if (folded[c].mark != 0)
            append(text, folded[c].mark);
    } else if (between(c, 0xAC00, 0xD7A3)) { // Hangul, Unicode section 3.12
        const char32_t syllable = c - 0xAC00, trailing = syllable % 28;
        append(text, 0x1100 + syllable / 588);
        append(text, 0x1161 + syllable % 588 / 28);
        if (trailing != 0)
            append(text, 0x11A7 + trailing);
    } else {
        append(text, c);
    }
}

} // namespace

std::string folded_name(std::string_view name) {
    std::string result;
    while (!name.empty()) {
        const std::size_t length = utf8_length(name);
        append_folded(result, character(name.substr(0, length)));
        name.remove_prefix(length);
    }
    return result;
}

} // namespace tenon
