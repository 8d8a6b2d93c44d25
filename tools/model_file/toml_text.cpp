#include "tools/model_file/toml_text.hpp"

#include <cmath>
#include <fmt/format.h>

namespace tenon {

std::string toml_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (byte < 0x20 || byte == 0x7f)
            out += fmt::format("\\u{:04X}", byte);
        else
            out += c;
    }
    return out + "\"";
}

std::string toml_number(double number) {
    return number == 0 && std::signbit(number) ? "-0.0" : digits(number); // -0 is an integer there, and 0
}

std::string toml_list(std::span<const double> numbers) {
    std::string out = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i)
        out += (i == 0 ? "" : ", ") + toml_number(numbers[i]);
    return out + "]";
}

TomlText& TomlText::table(std::string_view head) {
    text_ += text_.empty() ? "" : "\n";
    text_ += std::string(head) + "\n";
    return *this;
}

TomlText& TomlText::raw(std::string_view key, std::string_view value) {
    text_ += std::string(key) + " = " + std::string(value) + "\n";
    return *this;
}

} // namespace tenon
