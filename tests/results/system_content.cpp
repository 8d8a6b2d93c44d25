// What a run remembers of its files, and the scene of a system made of several machines.

#include "core/model/model_bytes.hpp"
#include "tools/files/text_file.hpp"
#include "tools/results/content_marks.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/results/system_scene.hpp"
#include "tools/system/system.hpp"

#include "tests/files/scratch.hpp"
#include "tests/system/test_fmu.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::results;

namespace {

constexpr const char* two_fmus = "[system]\nname = \"pair\"\n"
                                 "[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\n"
                                 "[[fmu]]\nname = \"b\"\nfile = \"b.fmu\"\n";

system::TestFmu part(fmi::Version version = fmi::Version::fmi3) {
    system::TestFmu fmu(version);
    fmu.output("y");
    return fmu;
}

system::CheckedSystem checked(const Scratch& scratch, const std::string& text = two_fmus) {
    write_text_file(scratch / "pair.toml", text);
    return system::check_system(system::read_system(scratch / "pair.toml"));
}

/// A wheel on an axle, as an FMU of ours carries it.
Model machine() {
    Model model;
    model.name = "wheel";
    model.gravity = Vec3(0, 0, -1);
    Body body;
    body.name = "disc";
    body.position = Vec3(1, 0, 0);
    model.bodies.push_back(body);
    Joint joint;
    joint.name = "axle";
    joint.type = "revolute";
    joint.first = world;
    joint.second = 0;
    joint.at = Vec3(1, 0, 0);
    model.joints.push_back(joint);
    model.ports.push_back({"hub", 0, Vec3(1, 0, 0), Mat3::Identity()});
    model.flanges.push_back({"shaft", 0});
    return model;
}

void save_machine(const Scratch& scratch, const std::string& name, system::TestFmu fmu) {
    std::vector<ArchiveContent> entries = fmu.content();
    const std::vector<unsigned char> bytes = model_to_bytes(machine());
    entries.push_back({"resources/model.bin", std::string(bytes.begin(), bytes.end())});
    entries.push_back({"resources/scene.json", scene_json(machine())});
    write_archive(scratch / name, entries);
}

} // namespace

TEST_CASE("a changed system or FMU is named by its content") {
    const Scratch scratch;
    part().save(scratch / "a.fmu");
    part().save(scratch / "b.fmu");
    const std::vector<ContentMark> marks = content_marks(checked(scratch));
    REQUIRE(marks.size() == 3);
    CHECK(marks[1].checksum == marks[2].checksum);
    CHECK(content_difference(marks, checked(scratch)).empty());
    CHECK(content_difference(marks, checked(scratch, std::string(two_fmus) + "# other\n")) ==
          "the system has changed");
    checked(scratch);
    part().output("z").save(scratch / "b.fmu");
    CHECK(content_difference(marks, checked(scratch)) == "fmu 'b' (b.fmu) has changed");
}

TEST_CASE("the scene of a system has all machines with the FMU before their names") {
    const Scratch scratch;
    save_machine(scratch, "a.fmu", part());
    save_machine(scratch, "b.fmu", part());
    const SystemScene scene = system_scene(checked(scratch));
    REQUIRE(scene.machine);
    CHECK(scene.remarks.empty());
    const Model& all = *scene.machine;
    CHECK(all.name == "pair");
    CHECK(all.gravity == Vec3(0, 0, -1));
    REQUIRE(all.bodies.size() == 2);
    CHECK(all.bodies[1].name == "b.disc");
    REQUIRE(all.joints.size() == 2);
    CHECK(all.joints[1].first == world);
    CHECK(all.joints[1].second == 1);
    CHECK(all.ports[1].body == 1);
    CHECK(all.flanges[1].joint == 1);
    CHECK_THAT(scene_json(all), Catch::Contains("\"b.axle\"") && Catch::Contains("\"a.disc\""));
}

TEST_CASE("machines of a scene stand where world_r and world_R put them") {
    const Scratch scratch;
    // A quarter turn about z and a step along y: (1, 0, 0) becomes (0, 3, 0).
    save_machine(scratch, "a.fmu",
                 part()
                     .parameter("world_r", "", fmi::Type::float64, {3})
                     .parameter("world_R", "", fmi::Type::float64, {3, 3}));
    system::TestFmu scalars = part(fmi::Version::fmi2);
    for (const char* name : {"world_r[2]", "world_R[1,1]", "world_R[1,2]", "world_R[2,1]", "world_R[2,2]"})
        scalars.parameter(name);
    save_machine(scratch, "b.fmu", scalars);
    const SystemScene scene = system_scene(checked(
        scratch,
        "[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\n"
        "set = { world_r = [0, 2, 0], world_R = [0, -1, 0, 1, 0, 0, 0, 0, 1] }\n"
        "[[fmu]]\nname = \"b\"\nfile = \"b.fmu\"\n"
        "set = { \"world_r[2]\" = 2, \"world_R[1,1]\" = 0, \"world_R[1,2]\" = -1, \"world_R[2,1]\" = 1, "
        "\"world_R[2,2]\" = 0 }\n"));
    REQUIRE(scene.machine);
    for (const Body& body : scene.machine->bodies)
        CHECK((body.position - Vec3(0, 3, 0)).norm() < 1e-15);
    for (const Joint& joint : scene.machine->joints)
        CHECK((joint.at - Vec3(0, 3, 0)).norm() < 1e-15);
}

TEST_CASE("joints between FMUs are in the scene, with the axes of port a in the world") {
    const Scratch scratch;
    save_machine(scratch, "a.fmu", part().frame("hub").parameter("world_R", "", fmi::Type::float64, {3, 3}));
    save_machine(scratch, "b.fmu", part().frame("hub"));
    const SystemScene scene = system_scene(checked(
        scratch,
        "[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\nset = { world_R = [0, -1, 0, 1, 0, 0, 0, 0, 1] }\n"
        "[[fmu]]\nname = \"b\"\nfile = \"b.fmu\"\n"
        "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\na = \"a/hub\"\nb = \"b/hub\"\naxis = [1, 0, 0]\n"
        "[[joint]]\nname = \"foot\"\ntype = \"fixed\"\na = \"b/hub\"\nb = \"world\"\n"));
    REQUIRE(scene.machine);
    REQUIRE(scene.machine->joints.size() == 4);
    const Joint &pin = scene.machine->joints[2], &foot = scene.machine->joints[3];
    CHECK(pin.name == "pin");
    CHECK(pin.first == 0);
    CHECK(pin.second == 1);
    CHECK((pin.axis - Vec3(0, 1, 0)).norm() < 1e-15);
    CHECK(pin.at == Vec3(1, 0, 0)); // of port b
    CHECK(foot.first == 1);
    CHECK(foot.second == world);
    CHECK(foot.at == Vec3(1, 0, 0));
}

TEST_CASE("FMUs of others have no scene and broken ones are named") {
    const Scratch scratch;
    part().save(scratch / "a.fmu");
    part().save(scratch / "b.fmu");
    CHECK_FALSE(system_scene(checked(scratch)).machine);
    std::vector<ArchiveContent> entries = part().content();
    entries.push_back({"resources/model.bin", "junk"});
    entries.push_back({"resources/scene.json", "{}"});
    write_archive(scratch / "b.fmu", entries);
    const SystemScene scene = system_scene(checked(scratch));
    CHECK_FALSE(scene.machine);
    REQUIRE(scene.remarks.size() == 1);
    CHECK_THAT(scene.remarks[0], Catch::Contains("fmu 'b' is left out of the scene"));
}
