#include "modelDescription/message_text.hpp"

#include "tools/files/utf8.hpp"

#include <fmt/format.h>

namespace tenon::fmi {

std::string quoted(std::string_view text, std::size_t longest) {
    std::string result = "'";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (result.size() + length > longest + 1) {
            result += "...";
            break;
        }
        if (length == 0 || first < 0x20 || first == 0x7f)
            result += fmt::format("\\x{:02x}", first);
        else
            result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result + "'";
}

} // namespace tenon::fmi
