#include "tools/system/ssp/package.hpp"

#include "core/model/suggest.hpp"
#include "modelDescription/xml_scan.hpp"
#include "tools/files/text_file.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace tenon::system {
namespace {

namespace fs = std::filesystem;

/// Names for "did you mean"; more would not help anybody.
constexpr std::size_t suggested_files = 1000;

/// "%20" as " ". Nothing where a code is broken.
std::optional<std::string> decoded(std::string_view text) {
    const auto nibble = [](char c) -> int {
        if (c >= '0' && c <= '9')
            return c - '0';
        const int letter = std::tolower(static_cast<unsigned char>(c)) - 'a';
        return letter >= 0 && letter < 6 ? letter + 10 : -1;
    };
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        if (i + 2 >= text.size() || nibble(text[i + 1]) < 0 || nibble(text[i + 2]) < 0)
            return {};
        result += static_cast<char>(nibble(text[i + 1]) * 16 + nibble(text[i + 2]));
        i += 2;
    }
    return result;
}

/// "http:" and the like (RFC 3986, section 3.1); also the drive of a Windows path.
bool has_scheme(std::string_view uri) {
    const std::size_t colon = uri.find(':'), slash = uri.find('/');
    return colon != uri.npos && (slash == uri.npos || colon < slash);
}

} // namespace

SspSource parse_source(const Element& element, const std::string& source) {
    const auto refuse = [&](const std::string& why) {
        element.refuse(fmt::format("source {} {}", fmi::quoted(source), why));
    };
    SspSource result;
    const std::size_t hash = source.find('#');
    if (hash != source.npos)
        result.fragment = decoded(source.substr(hash + 1)).value_or("");
    const std::string_view uri = std::string_view(source).substr(0, hash);
    if (has_scheme(uri) || uri.starts_with("//"))
        refuse("is not inside the package; only relative names are read, nothing is fetched");
    const std::optional<std::string> path = decoded(uri);
    if (!path)
        refuse("has a broken percent code");
    if (path->starts_with('/'))
        refuse("is an absolute path; only names inside the package are read");
    if (std::any_of(path->begin(), path->end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == 0x7f; }))
        refuse("has a backslash or a control character");
    for (const fs::path& part : fs::path(*path)) {
        if (part == "..")
            refuse("leads upwards ('..'); only names inside the package are read");
        if (part != "." && !part.empty())
            result.path /= part;
    }
    if (result.path.empty() && hash == source.npos)
        refuse("names no file");
    return result;
}

SspPackage::SspPackage(fs::path folder, std::string name)
    : folder_(fs::canonical(folder)), name_(std::move(name)) {}

std::string SspPackage::shown(const fs::path& inside) const { return name_ + "/" + inside.generic_string(); }

fs::path SspPackage::inside(const fs::path& file) const { return file.lexically_relative(folder_); }

fs::path SspPackage::find(const Element& element, const fs::path& document, const fs::path& path) const {
    const fs::path inside = document.parent_path() / path;
    std::error_code error;
    const fs::path file = fs::canonical(folder_ / inside, error);
    if (error || !fs::is_regular_file(file, error)) {
        std::vector<std::string> names;
        for (fs::recursive_directory_iterator at(folder_, error), end;
             at != end && names.size() < suggested_files; at.increment(error))
            if (!error && at->is_regular_file(error))
                names.push_back(
                    at->path().lexically_relative(folder_ / document.parent_path()).generic_string());
        std::sort(names.begin(), names.end());
        element.refuse(fmt::format("there is no file {} in the package; {}",
                                   fmi::quoted(path.generic_string()),
                                   suggestion(path.generic_string(), names, 6)));
    }
    const fs::path relative = file.lexically_relative(folder_);
    if (relative.empty() || *relative.begin() == "..")
        element.refuse(fmt::format("file {} is a link that leads out of the package",
                                   fmi::quoted(path.generic_string())));
    return file;
}

std::string SspPackage::read(const fs::path& inside) const {
    return read_text_file(folder_ / inside, fmi::xml_size_limit);
}

} // namespace tenon::system
