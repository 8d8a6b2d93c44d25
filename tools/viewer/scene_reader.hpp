#pragma once
// The scene beside a result (tools/results/scene_writer.hpp) read again, by a reader that trusts nothing in it.

#include <filesystem>
#include <string>
#include <vector>

namespace tenon::viewer {

struct Mesh {
    std::string file; ///< as in the scene
    std::string bytes;
};

struct Scene {
    std::string json; ///< without line breaks; every field that the page uses is of the right kind
    std::vector<std::string> bodies;
    std::vector<Mesh> meshes;
    std::vector<std::string> remarks; ///< meshes that cannot be shown, and why
};

/// Meshes (.stl, .obj) are looked for beside the scene. Throws InputError: unreadable where it cannot be read, malformed where it is not a
/// scene, naming the field.
Scene read_scene(const std::filesystem::path& file);

} // namespace tenon::viewer
