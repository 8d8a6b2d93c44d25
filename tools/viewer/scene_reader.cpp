#include "tools/viewer/scene_reader.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace tenon::viewer {
namespace {

using Json = nlohmann::json;

/// A machine of ten thousand bodies has a scene of some megabytes.
constexpr std::size_t most_scene_bytes = 64 << 20;
constexpr std::size_t most_mesh_bytes = 32 << 20;
constexpr int deepest_nesting = 16; ///< scenes have 5; writing JSON again takes stack for every level

enum class Kind { text, number, vector3, quaternion, numbers, two_texts, two_points };

struct Field {
    std::string_view name;
    Kind kind;
};

/// What an element of a list may have; all of it is optional to the reader but the name.
struct List {
    std::string_view name;
    std::vector<Field> fields;
};

const std::vector<List>& lists() {
    using enum Kind;
    static const std::vector<List> all = {
        {"bodies", {{"mass", number}, {"com", vector3}, {"position", vector3}, {"orientation", quaternion}}},
        {"joints",
         {{"type", text},
          {"drawn", text},
          {"bodies", two_texts},
          {"joints", two_texts},
          {"at", vector3},
          {"axis", vector3},
          {"axis2", vector3},
          {"points", two_points},
          {"normal", vector3},
          {"radius", number}}},
        {"drivers", {{"joint", text}}},
        {"forces",
         {{"type", text},
          {"drawn", text},
          {"bodies", two_texts},
          {"points", two_points},
          {"joint", text},
          {"body", text},
          {"at", vector3},
          {"axis", vector3}}},
        {"ports", {{"body", text}, {"at", vector3}, {"orientation", quaternion}}},
        {"flanges", {{"joint", text}}}};
    return all;
}

const std::vector<Field>& shape_fields() {
    using enum Kind;
    static const std::vector<Field> fields = {{"type", text},     {"size", numbers}, {"radius", number},
                                              {"length", number}, {"axis", vector3}, {"file", text},
                                              {"color", text}};
    return fields;
}

bool is_list(const Json& value, std::size_t size, const auto& is_right) {
    return value.is_array() && value.size() == size && std::all_of(value.begin(), value.end(), is_right);
}

bool is_of(const Json& value, Kind kind) {
    const auto is_number = [](const Json& v) { return v.is_number(); };
    const auto is_text = [](const Json& v) { return v.is_string(); };
    switch (kind) {
    case Kind::text:
        return value.is_string();
    case Kind::number:
        return value.is_number();
    case Kind::vector3:
        return is_list(value, 3, is_number);
    case Kind::quaternion:
        return is_list(value, 4, is_number);
    case Kind::numbers:
        return is_list(value, value.size(), is_number);
    case Kind::two_texts:
        return is_list(value, 2, is_text);
    case Kind::two_points:
        return is_list(value, 2, [](const Json& v) { return is_of(v, Kind::vector3); });
    }
    return false;
}

std::string_view words(Kind kind) {
    static constexpr std::array<std::string_view, 7> all = {
        "a text",    "a number",  "three numbers", "four numbers", "a list of numbers",
        "two texts", "two points"};
    return all.at(static_cast<std::size_t>(kind));
}

class Reader {
  public:
    explicit Reader(const std::filesystem::path& file) : file_(file) {}

    Scene read() {
        Json json;
        try {
            json = Json::parse(read_text_file(file_, most_scene_bytes), [&](int depth, Json::parse_event_t,
                                                                            const Json&) {
                if (depth > deepest_nesting)
                    refuse(fmt::format("lists and objects are nested more than {} deep", deepest_nesting));
                return true;
            });
        } catch (const Json::exception& error) {
            refuse(fmt::format("this is not JSON ({})", error.what()));
        }
        if (!json.is_object() || json.value("format", Json()) != "tenon-scene")
            refuse("this is not a scene of Tenon (no \"format\": \"tenon-scene\")");
        if (json.value("version", Json()) != 1)
            refuse(fmt::format("the scene is of version {}, this program reads version 1",
                               json.value("version", Json()).dump()));
        require(json, {{"name", Kind::text}, {"description", Kind::text}, {"gravity", Kind::vector3}},
                "the scene");
        for (const List& list : lists())
            read_list(json, list);
        json.erase("units"); // the columns have them
        scene_.json = json.dump();
        return std::move(scene_);
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const { throw bad_input(file_.string(), 0, why); }

    void require(const Json& object, const std::vector<Field>& fields, const std::string& what) const {
        for (const Field& field : fields) {
            const auto found = object.find(field.name);
            if (found != object.end() && !is_of(*found, field.kind))
                refuse(fmt::format("'{}' of {} must be {}", field.name, what, words(field.kind)));
        }
    }

    void read_list(const Json& json, const List& list) {
        const auto found = json.find(list.name);
        if (found == json.end())
            return;
        if (!found->is_array())
            refuse(fmt::format("'{}' must be a list", list.name));
        std::set<std::string> names;
        for (const Json& element : *found) {
            if (!element.is_object() || !element.contains("name") || !element["name"].is_string())
                refuse(fmt::format("an element of '{}' has no name", list.name));
            const std::string name = element["name"];
            const std::string what = fmt::format("'{}' in '{}'", printable(name), list.name);
            if (!names.insert(name).second)
                refuse(what + " is there twice");
            require(element, list.fields, what);
            if (list.name == "bodies")
                read_body(element, name, what);
        }
    }

    void read_body(const Json& body, const std::string& name, const std::string& what) {
        scene_.bodies.push_back(name);
        const auto shape = body.find("shape");
        if (shape == body.end())
            return;
        if (!shape->is_object())
            refuse(fmt::format("'shape' of {} must be an object", what));
        require(*shape, shape_fields(), "the shape of " + what);
        if (shape->value("type", "") == "mesh")
            read_mesh(shape->value("file", ""), what);
    }

    void read_mesh(const std::string& name, const std::string& what) {
        if (std::any_of(scene_.meshes.begin(), scene_.meshes.end(),
                        [&](const Mesh& mesh) { return mesh.file == name; }))
            return;
        const std::filesystem::path path = file_.parent_path() / name;
        std::string ending = path.extension().string();
        std::transform(ending.begin(), ending.end(), ending.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (ending != ".stl" && ending != ".obj") {
            scene_.remarks.push_back(fmt::format(
                "the mesh '{}' of {} is neither .stl nor .obj; a rod is drawn", printable(name), what));
            return;
        }
        try {
            scene_.meshes.push_back({name, read_text_file(path, most_mesh_bytes)});
        } catch (const InputError& error) {
            scene_.remarks.push_back(fmt::format("{}; a rod is drawn for {}", error.what(), what));
        }
    }

    std::filesystem::path file_;
    Scene scene_;
};

} // namespace

Scene read_scene(const std::filesystem::path& file) { return Reader(file).read(); }

} // namespace tenon::viewer
