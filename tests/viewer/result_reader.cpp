#include "tools/results/result_reader.hpp"

#include "tests/viewer/viewer_support.hpp"
#include "tools/files/errors.hpp"

#include <catch2/catch.hpp>

#include <optional>
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
    try {
        table_of(text);
    } catch (const InputError& error) {
        CHECK(error.fault() == InputFault::malformed);
        return error.what();
    }
    return "";
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
        CHECK(table.find("load.w")->unit == "rad/s");
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
    CHECK(mentions(refusal("time,x\n0,1\n1,word\n"), "x.csv:3: 'word' in column 'x' is no number"));
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
    const auto fault = [](const std::filesystem::path& file) -> std::optional<InputFault> {
        try {
            read_result(file);
        } catch (const InputError& error) {
            return error.fault();
        }
        return {};
    };
    CHECK(fault(folder.path / "none.csv") == InputFault::unreadable);
    CHECK(fault(folder.path) == InputFault::unreadable);
    CHECK(fault(folder.write("broken.h5", "\x89HDF\r\n\x1a\n and then nothing")) == InputFault::malformed);
}

TEST_CASE("units of our own names are known", "[viewer]") {
    CHECK(unit_of_name("crank.v_0[2]") == "m/s");
    CHECK(unit_of_name("plant.pin.t_0[1]") == "N.m");
    CHECK(unit_of_name("energy.total") == "J");
    CHECK(unit_of_name("pin.rate") == "");
    CHECK(unit_of_name("plain") == "");
}
