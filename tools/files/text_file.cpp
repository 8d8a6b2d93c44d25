#include "tools/files/text_file.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/replaced_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace tenon {
namespace {

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

} // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t limit) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw unreadable(path, "it is a directory");
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
    if (!file)
        throw unreadable(path, std::strerror(errno));
    const auto size = std::filesystem::file_size(path, ignored);
    const bool size_known = std::filesystem::is_regular_file(path, ignored) && !ignored;
    std::string text;
    char block[1 << 16];
    while (text.size() <= limit && !(size_known && size > limit)) {
        const std::size_t count = std::fread(block, 1, sizeof block, file.get());
        text.append(block, count);
        if (count < sizeof block) {
            if (std::ferror(file.get()))
                throw unreadable(path, std::strerror(errno));
            break;
        }
    }
    if (text.size() > limit || (size_known && size > limit))
        throw InputError(InputFault::malformed,
                         shown(path) + ": the file is too large (" +
                             (size_known ? std::to_string(size) : "more than " + std::to_string(limit)) +
                             " bytes, limit " + std::to_string(limit) + "); is it the right file?");
    return text;
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
    ReplacedFile file(path);
    file.write(text);
    file.commit();
}

} // namespace tenon
