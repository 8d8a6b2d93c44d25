#include "fmu/resources.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace tenon::fmu {
namespace {

int hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string without_escapes(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
            out += static_cast<char>(16 * hex(text[i + 1]) + hex(text[i + 2]));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string without_slash(std::string path) {
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    return path;
}

/// The file that this code was loaded from. dladdr() would do, but its symbol version is that of a newer glibc.
std::string own_file() {
    const auto here = reinterpret_cast<std::uintptr_t>(&own_file);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/maps", "r"),
                                                               std::fclose);
    char line[8192];
    while (maps && std::fgets(line, sizeof line, maps.get()) != nullptr) {
        unsigned long begin = 0, end = 0;
        if (std::sscanf(line, "%lx-%lx", &begin, &end) != 2 || here < begin || here >= end)
            continue;
        if (const char* path = std::strchr(line, '/')) {
            std::string file = path;
            while (!file.empty() && file.back() == '\n')
                file.pop_back();
            return file;
        }
    }
    return {};
}

} // namespace

std::string path_of_uri(const char* uri) {
    if (uri == nullptr || *uri == '\0')
        return {};
    std::string_view text = uri;
    if (!text.starts_with("file:"))
        return text.find("://") == std::string_view::npos ? without_slash(std::string(text)) : std::string();
    text.remove_prefix(5);
    if (text.starts_with("//")) {
        text.remove_prefix(2);
        if (!text.starts_with('/')) { // an authority: localhost, or nothing that can be reached here
            const std::size_t slash = text.find('/');
            if (slash == std::string_view::npos)
                return {};
            text.remove_prefix(slash);
        }
    }
    while (text.starts_with("//"))
        text.remove_prefix(1);
    return without_slash(without_escapes(text));
}

std::string path_of_native(const char* path) {
    if (path == nullptr || *path == '\0')
        return {};
    if (std::string_view(path).starts_with("file:"))
        return path_of_uri(path);
    return without_slash(path);
}

std::vector<std::string> resource_folders(const std::string& named) {
    std::vector<std::string> folders;
    if (!named.empty())
        folders.push_back(named);
    std::string file = own_file(); // <root>/binaries/<platform>/<name>.so
    for (int up = 0; up < 3 && !file.empty(); ++up) {
        const std::size_t slash = file.rfind('/');
        file = slash == std::string::npos ? std::string() : file.substr(0, slash);
    }
    if (!file.empty())
        folders.push_back(file + "/resources");
    return folders;
}

} // namespace tenon::fmu
