#include "tools/import/call_text.hpp"

#include <cctype>

namespace tenon::fmi {

std::string quoted_word(std::string_view text) {
    std::string word = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80 &&
            (std::isalnum(byte) || std::string_view("._-/:").find(c) != std::string_view::npos))
            word += c;
        else
            word += fmt::format("%{:02x}", byte);
    }
    return word + "\"";
}

std::optional<std::string> unquoted_word(std::string_view word) {
    if (word.size() < 2 || !word.starts_with('"') || !word.ends_with('"'))
        return {};
    word = word.substr(1, word.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '%') {
            text += word[i];
            continue;
        }
        unsigned byte = 0;
        const char* digits = word.data() + i + 1;
        if (i + 2 >= word.size() || std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
            return {};
        text += static_cast<char>(byte);
        i += 2;
    }
    return text;
}

} // namespace tenon::fmi
