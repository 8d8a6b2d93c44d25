#include "fmu/resources.hpp"

#include <algorithm>
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

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// "C:", "C:/...", and "C|/..." of old writers
bool has_drive(std::string_view path) {
    return path.size() >= 2 && is_letter(path[0]) && (path[1] == ':' || path[1] == '|') &&
           (path.size() == 2 || path[2] == '/');
}

/// Windows: forward slashes, and the drive letter without the slash that a URI has before it.
std::string as_path(std::string path, bool windows) {
    if (windows) {
        std::ranges::replace(path, '\\', '/');
        if (path.starts_with('/') && has_drive(std::string_view(path).substr(1)))
            path.erase(0, 1);
        if (has_drive(path))
            path[1] = ':';
    }
    while (path.size() > 1 && path.back() == '/' && !(windows && path.size() == 3 && has_drive(path)))
        path.pop_back();
    return path;
}

} // namespace

std::string path_of_uri(const char* uri, bool windows) {
    if (uri == nullptr || *uri == '\0')
        return {};
    std::string_view text = uri;
    if (!text.starts_with("file:"))
        return text.find("://") == std::string_view::npos ? as_path(std::string(text), windows)
                                                          : std::string();
    text.remove_prefix(5);
    std::string host;
    if (text.starts_with("//")) {
        text.remove_prefix(2);
        if (!text.starts_with('/') && !(windows && has_drive(without_escapes(text)))) {
            const std::size_t slash = text.find('/');
            if (slash == std::string_view::npos)
                return {};
            host = text.substr(0, slash);
            text.remove_prefix(slash);
        }
    }
    // On Windows another machine's share is a path like any other; elsewhere a name of a host says nothing.
    if (windows && !host.empty() && host != "localhost")
        return as_path("//" + host + without_escapes(text), windows);
    // More slashes than three are a mistake, or on Windows, before a name, another machine's share.
    const std::size_t begin = std::min(text.find_first_not_of('/'), text.size());
    if (!windows || begin != 2 || has_drive(without_escapes(text.substr(begin))))
        text.remove_prefix(begin > 0 ? begin - 1 : 0);
    return as_path(without_escapes(text), windows);
}

std::string path_of_native(const char* path, bool windows) {
    if (path == nullptr || *path == '\0')
        return {};
    if (std::string_view(path).starts_with("file:"))
        return path_of_uri(path, windows);
    return as_path(path, windows);
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
