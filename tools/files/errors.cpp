#include "tools/files/errors.hpp"

#include "tools/files/nearby_file.hpp"
#include "tools/files/utf8.hpp"

#include <cerrno>
#include <cstring>

namespace tenon {
namespace {

/// Paths longer than any file system takes are not worth printing whole.
constexpr std::size_t longest_path = 4096;
constexpr std::size_t longest_message = 1000;

} // namespace

std::string printable(std::string_view text, std::size_t longest) {
    std::string result;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (result.size() + length > longest)
            return result + "...";
        const auto c = static_cast<unsigned char>(text.front());
        if (length == 0 || c < 0x20 || c == 0x7f) {
            constexpr char hex[] = "0123456789abcdef";
            result += {'\\', 'x', hex[c >> 4], hex[c & 15]};
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

OutputError::OutputError(const std::string& file, const std::string& reason)
    : std::runtime_error(printable(file, longest_path) + ": cannot be written (" + reason + ")"),
      reason_(reason) {}

std::string shown(const std::filesystem::path& path) { return printable(path.string(), longest_path); }

InputError unreadable(const std::filesystem::path& path, const std::string& why) {
    return {InputFault::unreadable, shown(path) + ": cannot be read (" + why + ")"};
}

InputError unreadable(const std::filesystem::path& path, int error_number) {
    const InputError error = unreadable(path, std::strerror(error_number));
    if (error_number == ENOENT || error_number == ENOTDIR)
        if (const std::optional<std::filesystem::path> meant = nearby_file(path))
            return {error.fault(), error.what() + ("; did you mean '" + shown(*meant) + "'?")};
    return error;
}

InputError bad_input(const std::string& file, int line, const std::string& what) {
    const std::string place = printable(file, longest_path) + (line > 0 ? ":" + std::to_string(line) : "");
    return {InputFault::malformed, place + ": " + printable(what, longest_message)};
}

} // namespace tenon
