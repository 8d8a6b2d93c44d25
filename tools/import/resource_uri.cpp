#include "tools/import/resource_uri.hpp"

namespace tenon::fmi {
namespace {

/// RFC 3986's unreserved characters. `+` is legal in a path too, but some FMUs read it as a space.
bool stands_for_itself(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~' || c == '/';
}

} // namespace

std::string resource_uri(const std::filesystem::path& folder) {
    constexpr char hex[] = "0123456789ABCDEF";
    std::string uri = "file://";
    for (const char c : folder.string()) {
        if (stands_for_itself(c)) {
            uri += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            uri += {'%', hex[byte >> 4], hex[byte & 15]};
        }
    }
    while (uri.ends_with('/') && uri != "file:///")
        uri.pop_back();
    return uri;
}

} // namespace tenon::fmi
