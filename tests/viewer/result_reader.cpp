#include "tools/results/result_reader.hpp"

#include "tests/support/refusal.hpp"
#include "tests/viewer/viewer_support.hpp"
#include "tools/files/errors.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace tenon;
using namespace tenon::results;
using tenon::viewer::Folder;

namespace {

Table table_of(const std::string& text) {
    const Folder folder;
    return read_result(folder.write("x.csv", text));
}

std::string refusal(const std::string& text) {
    return tests::refusal([&] { table_of(text); });
}

bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

ResultHeading drive() { return {"drive", "{}", {{"motor.tau", "N.m", "torque"}, {"load.w", "rad/s", ""}}}; }

} // namespace

TEST_CASE("what a recorder writes is read back number for number", "[viewer]") {
    const Folder folder;
    for (const std::string name : {"run.csv", "run.h5"}) {
        const std::unique_ptr<Recorder> recorder = new_recorder(folder.path / name, drive());
        for (int i = 0; i < 50000; ++i) {
            const double values[] = {std::sin(0.1 * i), 1.0 / (i + 1)};
            recorder->write(1e-3 * i, values);
        }
        recorder->close();
        const Table table = read_result(folder.path / name);
        REQUIRE(table.time.size() == 50000);
        REQUIRE(table.columns.size() == 2);
        CHECK(table.time[12345] == 1e-3 * 12345);
        CHECK(table.find("load.w")->values[49999] == 1.0 / 50000);
        CHECK(table.find("motor.tau")->values[777] == std::sin(0.1 * 777));
        CHECK(table.find("load.w")->unit ==
              (name == "run.h5" ? "rad/s" : "")); // of CSV they are in the scene
        CHECK(table.find("nothing") == nullptr);
        const Table one = read_result(folder.path / name, [](const std::string& n) { return n == "load.w"; });
        REQUIRE(one.columns.size() == 1);
        CHECK(one.columns[0].values == table.find("load.w")->values);
    }
}

TEST_CASE("CSV of other programs is read: quotes, CRLF, a mark at the start, empty fields", "[viewer]") {
    const Table table = table_of("\xEF\xBB\xBFtime,\"a,\"\"b\"\"\"\r\n0,\"+1.5\"\r\n1e0,\r\n");
    REQUIRE(table.columns.size() == 1);
    CHECK(table.columns[0].name == "a,\"b\"");
    CHECK(table.time == std::vector<double>{0, 1});
    CHECK(table.columns[0].values[0] == 1.5);
    CHECK(std::isnan(table.columns[0].values[1]));
}

TEST_CASE("a row that a killed writer did not finish is left out", "[viewer]") {
    CHECK(table_of("time,x\n0,1\n0.1,2.2").time.size() == 1);
}

TEST_CASE("wrong CSV is refused with the line and what is wrong", "[viewer]") {
    CHECK(mentions(refusal("time,x\n0,1\n1,word\n"), "x.csv:3: 'word' in column 'x' is not a number"));
    CHECK(mentions(refusal("time,x\n0,1,2\n"), ":2: the row has more values"));
    CHECK(mentions(refusal("time,x\n0\n"), ":2: the row has fewer values"));
    CHECK(mentions(refusal("time,x\n1,1\n0.5,1\n"), ":3: time is 0.5 after 1"));
    CHECK(mentions(refusal("time,x\nnan,1\n"), ":2: time is nan"));
    CHECK(mentions(refusal("t,x\n0,1\n"), "first column is 't'"));
    CHECK(mentions(refusal("time,x,x\n0,1,1\n"), "two columns have the name 'x'"));
    CHECK(mentions(refusal(""), "names of the columns"));
}

TEST_CASE("files that are no results are refused as such", "[viewer]") {
    const Folder folder;
    const auto refused = [](const std::filesystem::path& file, InputFault fault) {
        return !tests::refusal([&] { read_result(file); }, fault).empty();
    };
    CHECK(refused(folder.path / "none.csv", InputFault::unreadable));
    CHECK(refused(folder.path, InputFault::unreadable));
    CHECK(refused(folder.write("broken.h5", "\x89HDF\r\n\x1a\n and then nothing"), InputFault::malformed));
}

TEST_CASE("units of a CSV file come from the scene beside it", "[viewer]") {
    const Folder folder;
    const auto units = [&](const std::string& scene) {
        if (!scene.empty())
            folder.write("run.scene.json", scene);
        std::vector<std::string> result;
        const auto reader = open_result(folder.write("run.csv", "time,pin.rate,\"tip.R[1,1]\",x\n0,1,2,3\n"));
        for (const ResultColumn& column : reader->heading().columns)
            result.push_back(column.unit);
        return result;
    };
    using Units = std::vector<std::string>;
    CHECK(units("") == Units{"", "", ""});
    CHECK(units(R"({"format": "tenon-scene", "bodies": [{"units": {"x": "m"}}]})") == Units{"", "", ""});
    CHECK(units(R"({"bodies": [1], "units": {"pin.rate": "rad/s", "x": "kN", "y": "m"}, "name": "n"})") ==
          Units{"rad/s", "", "kN"});
    CHECK_THROWS_WITH(units(R"({"units": {"x": 3}})"),
                      Catch::Contains("run.scene.json: the unit of 'x' must be"));
    CHECK_THROWS_WITH(units(R"({"units": 3})"), Catch::Contains("'units' must be an object"));
    CHECK_THROWS_WITH(units("[]"), Catch::Contains("'units' must be an object"));
    CHECK_THROWS_WITH(units("{"), Catch::Contains("this is not JSON"));
}
