#include "tools/viewer/scene_reader.hpp"

#include "tests/support/folders.hpp"
#include "tests/support/refusal.hpp"
#include "tests/viewer/viewer_support.hpp"
#include "tools/files/errors.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/results/scene_writer.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::viewer;

namespace {

std::string scene_with(const std::string& more) {
    return R"({"format":"tenon-scene","version":1,"name":"x",)" + more + "}";
}

std::string refusal(const std::string& text) {
    const Folder folder;
    return tests::refusal([&] { read_scene(folder.write("x.scene.json", text)); });
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the scenes of all examples are read", "[viewer]") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_folder() + "/examples")) {
        if (entry.path().extension() != ".toml")
            continue;
        const Folder folder;
        const Model model = read_model_file(entry.path()).model;
        results::write_scene(folder.path / "x.scene.json", model, {{"a.r_0[1]", "m", ""}});
        const Scene scene = read_scene(folder.path / "x.scene.json");
        CHECK(scene.bodies.size() == model.bodies.size());
        CHECK(scene.remarks.empty());
        CHECK_FALSE(mentions(scene.json, "units")); // columns of the page have them
        ++count;
    }
    CHECK(count > 20);
}

TEST_CASE("a scene of wrong content is refused with the name of the field", "[viewer]") {
    CHECK(mentions(refusal("{"), "JSON"));
    CHECK(mentions(refusal("[]"), "not a scene"));
    CHECK(mentions(refusal(R"({"format":"tenon-scene","version":7})"), "version 7"));
    CHECK(mentions(refusal(scene_with(R"("bodies":{})")), "'bodies' must be a list"));
    CHECK(mentions(refusal(scene_with(R"("bodies":[{"mass":1}])")), "no name"));
    CHECK(mentions(refusal(scene_with(R"("bodies":[{"name":"a","com":[1,2]}])")), "'com' of 'a'"));
    CHECK(mentions(refusal(scene_with(R"("bodies":[{"name":"a"},{"name":"a"}])")), "twice"));
    CHECK(mentions(refusal(scene_with(R"("bodies":[{"name":"a","shape":{"size":[1,"2"]}}])")), "'size'"));
    CHECK(mentions(refusal(scene_with(R"("joints":[{"name":"j","points":[[0,0,0]]}])")), "two points"));
}

TEST_CASE("a scene nested without end is refused, not read to the end of the stack", "[viewer]") {
    CHECK(mentions(refusal(scene_with("\"bodies\":" + std::string(200000, '['))), "nested"));
}

TEST_CASE("meshes beside the scene go into the page, missing ones are a remark", "[viewer]") {
    const Folder folder;
    folder.write("gear.stl", "solid gear");
    const Scene scene = read_scene(folder.write(
        "x.scene.json", scene_with(R"("bodies":[{"name":"a","shape":{"type":"mesh","file":"gear.stl"}},
            {"name":"b","shape":{"type":"mesh","file":"none.stl"}},{"name":"c","shape":{"type":"mesh","file":"c.step"}}])")));
    REQUIRE(scene.meshes.size() == 1);
    CHECK(scene.meshes[0].bytes == "solid gear");
    REQUIRE(scene.remarks.size() == 2);
    CHECK(mentions(scene.remarks[0], "none.stl"));
    CHECK(mentions(scene.remarks[1], "c.step"));
}

TEST_CASE("a scene that is not there is missing, not wrong", "[viewer]") {
    CHECK_FALSE(tests::refusal([] { read_scene("/nowhere/x.scene.json"); }, InputFault::unreadable).empty());
}
