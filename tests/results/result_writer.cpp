// Result files and the scene beside them.

#include "tools/results/result_writer.hpp"
#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/results/scene_writer.hpp"

#include "tests/files/scratch.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>

#include <csignal>
#include <limits>
#include <vector>

using namespace tenon;
using namespace tenon::results;

namespace {

using Row = std::vector<double>;

std::string content(const std::filesystem::path& path) { return read_text_file(path, 1 << 24); }

} // namespace

TEST_CASE("a result file has time first and the fewest digits that read back exactly") {
    const Scratch scratch;
    ResultWriter writer(scratch / "run.csv", {"crank.r_0[1]", "b"});
    writer.write(0, Row{0.1, -1e-300});
    writer.write(0.1 + 0.2, Row{1.0 / 3, 5e22});
    writer.close();
    CHECK(content(scratch / "run.csv") ==
          "time,crank.r_0[1],b\n0,0.1,-1e-300\n0.30000000000000004,0.3333333333333333,5e+22\n");
    CHECK(writer.rows() == 2);
}

TEST_CASE("names are quoted as RFC 4180 says") {
    CHECK(csv_field("a.b[1]") == "a.b[1]");
    CHECK(csv_field("a,b") == "\"a,b\"");
    CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
    CHECK(csv_field("two\nlines") == "\"two\nlines\"");
}

TEST_CASE("a run that never starts leaves no file behind and an older one as it was") {
    const Scratch scratch;
    { ResultWriter writer(scratch / "new.csv", {"a"}); }
    CHECK(scratch.files() == 0);
    write_text_file(scratch / "old.csv", "precious\n");
    { ResultWriter writer(scratch / "old.csv", {"a"}); }
    CHECK(content(scratch / "old.csv") == "precious\n");
}

TEST_CASE("an older longer result is replaced whole") {
    const Scratch scratch;
    write_text_file(scratch / "run.csv", std::string(1000, 'x'));
    ResultWriter writer(scratch / "run.csv", {"a"});
    writer.write(0, Row{1});
    writer.close();
    CHECK(content(scratch / "run.csv") == "time,a\n0,1\n");
}

TEST_CASE("a value that is not finite never reaches the file") {
    const Scratch scratch;
    ResultWriter writer(scratch / "run.csv", {"a", "bad"});
    writer.write(0, Row{1, 2});
    try {
        writer.write(0.5, Row{1, std::numeric_limits<double>::quiet_NaN()});
        FAIL("it was written");
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::computation);
        CHECK(error.element() == "bad");
        CHECK_THAT(error.what(), Catch::Contains("0.5"));
    }
    CHECK_THROWS_AS(writer.write(std::numeric_limits<double>::infinity(), Row{1, 2}), Error);
    writer.close();
    CHECK(content(scratch / "run.csv") == "time,a,bad\n0,1,2\n");
}

TEST_CASE("only complete rows are in the file while the run goes on") {
    const Scratch scratch;
    ResultWriter writer(scratch / "run.csv", {"a"});
    for (int i = 0; i < 20000; ++i)
        writer.write(i * 1e-3, Row{1.0 / (i + 1)});
    const std::string so_far = content(scratch / "run.csv");
    CHECK(so_far.size() > 65536);
    CHECK(so_far.back() == '\n');
    writer.write(20, Row{0});
    writer.flush();
    CHECK_THAT(content(scratch / "run.csv"), Catch::EndsWith("\n20,0\n"));
}

TEST_CASE("a result file that cannot be opened or written is exit code 73") {
    const Scratch scratch;
    CHECK_THROWS_AS(ResultWriter(scratch / "no" / "run.csv", {"a"}), OutputError);
    CHECK_THROWS_AS(ResultWriter(scratch.folder(), {"a"}), OutputError);
    CHECK_THROWS_WITH(ResultWriter(scratch / "no" / "run.csv", {"a"}),
                      Catch::Contains("run.csv: cannot be written"));
    ResultWriter writer("/dev/full", {"a"});
    writer.write(0, Row{1});
    CHECK_THROWS_AS(writer.close(), OutputError);
}

TEST_CASE("a disk that fills up in the middle of a row leaves the complete rows") {
    const Scratch scratch;
    rlimit old{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{100003, old.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    bool thrown = false;
    {
        ResultWriter writer(scratch / "run.csv", {"a"});
        try {
            for (int i = 0; i < 100000; ++i)
                writer.write(i, Row{0.123456789});
        } catch (const OutputError&) {
            thrown = true;
        }
    }
    setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, old_handler);
    CHECK(thrown);
    const std::string text = content(scratch / "run.csv");
    CHECK(text.size() > 60000);
    CHECK(text.size() < 100003);
    CHECK_THAT(text, Catch::EndsWith(",0.123456789\n"));
}

TEST_CASE("the scene stands beside the result") {
    CHECK(scene_path("out/run.csv") == "out/run.scene.json");
    CHECK(scene_path("run.v2.csv") == "run.v2.scene.json");
    CHECK(scene_path("run.dat") == "run.dat.scene.json");
}

TEST_CASE("the scene has bodies with shapes, joints, ports and names") {
    const Model model = parse_model(R"(
[model]
name = "say \"hi\""
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
com = [0, 0.5, 0]
position = [1, 2, 3]
orientation = { axis = [0, 0, 1], angle_deg = 180 }
shape = { type = "wheel", radius = 0.3, length = 0.1, axis = [0, 1, 0], color = "red" }
[[joint]]
name = "axle"
type = "revolute"
bodies = ["world", "wheel"]
at = [1, 2, 3]
axis = [0, 2, 0]
[[force]]
name = "coil"
type = "spring_damper"
bodies = ["world", "wheel"]
points = [[0, 0, 0], [1, 2, 3]]
stiffness = 1
[[port]]
name = "hub"
body = "wheel"
at = [1, 2, 3]
[[flange]]
name = "shaft"
joint = "axle"
)",
                                    "m.toml");
    const std::string json = scene_json(model);
    for (const char* part : {R"("name": "say \"hi\"")", R"("com": [0, 0.5, 0])", R"("position": [1, 2, 3])",
                             R"("type": "wheel")", R"("radius": 0.3)", R"("color": "red")",
                             R"("type": "revolute")", R"("axis": [0, 2, 0])", R"("name": "hub")",
                             R"("joint": "axle")", R"("points": [)", R"("name": "shaft")"})
        CHECK_THAT(json, Catch::Contains(part));
    CHECK_THAT(json, Catch::Contains("\"world\",\n        \"wheel\""));
    const Scratch scratch;
    write_scene(scratch / "run.scene.json", model,
                {{"axle.angle", "rad", ""}, {"wheel.q[1]", "1", ""}, {"other", "", ""}});
    const std::string scene = content(scratch / "run.scene.json");
    CHECK_THAT(scene, Catch::StartsWith(json.substr(0, json.size() - 3))); // all but "\n}\n"
    CHECK_THAT(scene, Catch::EndsWith("\"units\": {\n    \"axle.angle\": \"rad\"\n  }\n}\n"));
    CHECK_THROWS_AS(write_scene(scratch / "no" / "x.json", model, {}), OutputError);
}
