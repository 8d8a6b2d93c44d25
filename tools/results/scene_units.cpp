#include "tools/results/scene_units.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/results/scene_writer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tenon::results {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_scene_bytes = 64 << 20; ///< as the viewer reads

/// Of the whole scene only its member "units" is kept.
Json units_of(const std::filesystem::path& file) {
    bool wanted = false;
    const auto keep = [&](int depth, Json::parse_event_t event, const Json& parsed) {
        if (depth == 1 && event == Json::parse_event_t::key)
            wanted = parsed == "units";
        return depth == 0 || wanted;
    };
    try {
        const Json scene = Json::parse(read_text_file(file, most_scene_bytes), keep);
        return scene.is_object() ? scene.value("units", Json::object()) : Json();
    } catch (const Json::exception& error) {
        throw bad_input(file.string(), 0, fmt::format("this is not JSON ({})", error.what()));
    }
}

} // namespace

std::map<std::string, std::string, std::less<>> units_beside(const std::filesystem::path& result) {
    std::map<std::string, std::string, std::less<>> units;
    const std::filesystem::path file = scene_path(result);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored))
        return units;
    const Json told = units_of(file);
    if (!told.is_object())
        throw bad_input(file.string(), 0, "'units' must be an object from names of columns to units");
    for (const auto& [name, unit] : told.items()) {
        if (!unit.is_string())
            throw bad_input(file.string(), 0,
                            fmt::format("the unit of '{}' must be a text", printable(name)));
        units.emplace(name, unit.get<std::string>());
    }
    return units;
}

} // namespace tenon::results
