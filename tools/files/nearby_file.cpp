#include "tools/files/nearby_file.hpp"

#include "core/model/suggest.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace tenon {
namespace {

namespace fs = std::filesystem;

/// Folders with more entries are not read to their end: the user waits for a message.
constexpr std::size_t most_entries = 10'000;

/// Names of what is in a folder, sorted, so that the suggestion does not depend on the file system's order.
std::vector<std::string> names_in(const fs::path& folder, bool folders) {
    std::vector<std::string> names;
    std::error_code error;
    fs::directory_iterator at(folder.empty() ? "." : folder, error);
    for (std::size_t i = 0; !error && at != fs::directory_iterator() && i < most_entries;
         at.increment(error), ++i) {
        std::error_code ignored;
        if (folders ? at->is_directory(ignored) : at->is_regular_file(ignored))
            names.push_back(at->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::optional<fs::path> file_beside(const fs::path& missing) {
    const fs::path folder = missing.parent_path();
    const std::vector<std::string> names = names_in(folder, false);
    std::vector<std::string> alike;
    for (const std::string& name : names)
        if (fs::path(name).extension() == missing.extension())
            alike.push_back(name);
    const std::string given = missing.filename().string();
    if (const std::string name = nearest_name(given, alike); !name.empty())
        return folder / name;
    // "crank" and "crank.tml" for "crank.toml"; a result or a picture of that name is hardly what was meant.
    for (const char* ending : {".toml", ".fmu", ".ssp", ".csv", ".h5"})
        for (const std::string& name : names)
            if (const fs::path path(name);
                path.extension() == ending && (path.stem() == given || path.stem() == missing.stem()))
                return folder / name;
    if (const std::string name = nearest_name(given, names); !name.empty())
        return folder / name;
    return {};
}

/// The same name one folder further in or out.
std::optional<fs::path> file_around(const fs::path& missing) {
    const fs::path folder = missing.parent_path();
    std::error_code ignored;
    for (const std::string& name : names_in(folder, true))
        if (const fs::path path = folder / name / missing.filename(); fs::is_regular_file(path, ignored))
            return path;
    if (const fs::path path = folder.parent_path() / missing.filename();
        !folder.empty() && path != missing && fs::is_regular_file(path, ignored))
        return path;
    return {};
}

/// The same path, with the first folder that is not there replaced by one of a similar name.
std::optional<fs::path> other_folder(const fs::path& missing) {
    fs::path reached;
    std::error_code ignored;
    for (auto part = missing.begin(); part != missing.end(); ++part) {
        if (fs::is_directory(reached / *part, ignored)) {
            reached /= *part;
            continue;
        }
        const std::string name = nearest_name(part->string(), names_in(reached, true));
        if (name.empty())
            return {};
        fs::path path = reached / name;
        for (++part; part != missing.end(); ++part)
            path /= *part;
        return fs::is_regular_file(path, ignored) ? std::optional(path) : std::nullopt;
    }
    return {};
}

} // namespace

std::optional<fs::path> nearby_file(const fs::path& missing) {
    if (missing.filename().empty())
        return {};
    std::error_code ignored;
    if (const fs::path folder = missing.parent_path(); !folder.empty() && !fs::is_directory(folder, ignored))
        return other_folder(missing);
    if (std::optional<fs::path> beside = file_beside(missing))
        return beside;
    return file_around(missing);
}

} // namespace tenon
