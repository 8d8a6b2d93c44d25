// What a system file sets in an FMU: names, types, ranges, units, sizes.

#include "tools/files/errors.hpp"
#include "tools/system/system_toml.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/refusal.hpp"
#include "tests/system/test_fmu.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::system;
using Catch::Contains;
using fmi::Type;
using fmi::Version;

namespace {

struct One {
    Scratch folder;
    TestFmu fmu;
    explicit One(Version version = Version::fmi3) : fmu(version, "a") {}

    CheckedSystem check(const std::string& set) const {
        fmu.save(folder / "a.fmu");
        return check_system(parse_system("[[fmu]]\nname = \"a\"\nfile = \"a.fmu\"\nset = { " + set + " }\n",
                                         (folder / "s.toml").string()));
    }
    std::string refusal(const std::string& set) const {
        return tests::refusal([&] { check(set); });
    }
    template <class Value> std::vector<Value> value(const std::string& set) const {
        const CheckedSystem checked = check(set);
        REQUIRE(checked.assignments.at(0).size() == 1);
        return std::get<std::vector<Value>>(checked.assignments[0][0].values);
    }
};

} // namespace

TEST_CASE("settings come in the type of their variable") {
    One one;
    one.fmu.parameter("mass").parameter("count", "", Type::int16).parameter("bits", "", Type::uint8);
    one.fmu.parameter("on", "", Type::boolean)
        .parameter("label", "", Type::string)
        .parameter("blob", "", Type::binary);
    CHECK(one.value<double>("mass = 2") == std::vector{2.0});
    CHECK(one.value<std::int64_t>("count = -3") == std::vector<std::int64_t>{-3});
    CHECK(one.value<std::uint64_t>("bits = 255") == std::vector<std::uint64_t>{255});
    CHECK(one.value<std::int64_t>("on = true") == std::vector<std::int64_t>{1});
    CHECK(one.value<std::string>("label = \"x y\"") == std::vector<std::string>{"x y"});
    CHECK(one.value<std::string>("blob = \"41fF\"") == std::vector<std::string>{"A\xff"});
    CHECK_THAT(one.refusal("mass = \"2\""),
               Contains("s.toml:4: fmu 'a': 'mass' must be a number, not a text (\"2\")"));
    CHECK_THAT(one.refusal("mass = true"), Contains("'mass' must be a number, not true"));
    CHECK_THAT(one.refusal("count = 2.5"), Contains("'count' must be a whole number, not 2.5"));
    CHECK_THAT(one.refusal("count = 40000"),
               Contains("'count' does not fit into Int16 (40000, from -32768 to 32767)"));
    CHECK_THAT(one.refusal("bits = -1"), Contains("'bits' does not fit into UInt8 (-1, from 0 to 255)"));
    CHECK_THAT(one.refusal("on = 1"), Contains("'on' must be true or false, not 1"));
    CHECK_THAT(one.refusal("label = 1"), Contains("'label' must be a text, not 1"));
    CHECK_THAT(one.refusal("blob = \"4g\""), Contains("pairs of hexadecimal digits"));
}

TEST_CASE("whole numbers of 64 bits are set to the last digit") {
    One one;
    one.fmu.parameter("n", "", Type::int64);
    CHECK(one.value<std::int64_t>("n = 9007199254740993") == std::vector<std::int64_t>{9007199254740993});
    CHECK(one.value<std::int64_t>("n = -9223372036854775808").front() ==
          std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("an unknown setting is refused with the nearest that can be set") {
    One one;
    one.fmu.parameter("crank.mass").output("crank.masse").input("force");
    CHECK_THAT(
        one.refusal("\"crank.mas\" = 2"),
        Contains(
            "s.toml:4: fmu 'a': there is no variable 'crank.mas' to be set; did you mean 'crank.mass'?"));
    CHECK_THAT(one.refusal("crank.masse = 2"),
               Contains("'crank.masse' cannot be set: it is calculated by the FMU"));
    CHECK(one.value<double>("force = 1") == std::vector{1.0});
}

TEST_CASE("values outside of a variable's range are refused with number and limit") {
    One one;
    one.fmu.parameter("share");
    one.fmu.last().min = 0;
    one.fmu.last().max = 1;
    CHECK_THAT(one.refusal("share = -0.5"), Contains("'share' is below its least value (-0.5, least 0)"));
    CHECK_THAT(one.refusal("share = 2"), Contains("'share' is above its largest value (2, largest 1)"));
}

TEST_CASE("an enumeration is set by the name or the number of an item") {
    One one(Version::fmi2);
    one.fmu.enumeration("method", {{"euler", 1, ""}, {"heun", 4, ""}})
        .parameter("method", "", Type::enumeration);
    CHECK(one.value<std::int64_t>("method = \"heun\"") == std::vector<std::int64_t>{4});
    CHECK(one.value<std::int64_t>("method = 4") == std::vector<std::int64_t>{4});
    CHECK_THAT(one.refusal("method = \"huen\""),
               Contains("'method' has no item 'huen'; did you mean 'heun'?"));
    CHECK_THAT(one.refusal("method = 2"), Contains("'method' has no item 2; known: euler, heun"));
}

TEST_CASE("arrays are set whole, row by row, or by element") {
    One one;
    one.fmu.parameter("v", "", Type::float64, {3}).parameter("M", "", Type::float64, {2, 2});
    one.fmu.parameter("flags", "", Type::boolean, {2});
    CHECK(one.value<double>("v = [1, 2, 3]") == std::vector{1.0, 2.0, 3.0});
    CHECK(one.value<double>("M = [[1, 2], [3, 4]]") == std::vector{1.0, 2.0, 3.0, 4.0});
    CHECK(one.value<std::int64_t>("flags = [true, false]") == std::vector<std::int64_t>{1, 0});
    CHECK(one.value<double>("\"v[2]\" = 5, \"v[3]\" = 6") == std::vector{0.0, 5.0, 6.0});
    CHECK(one.value<double>("\"M[2,1]\" = 5") == std::vector{0.0, 0.0, 5.0, 0.0});
    CHECK_THAT(one.refusal("v = [1, 2]"), Contains("'v' takes 3 values (2 given)"));
    CHECK_THAT(one.refusal("v = 1"), Contains("'v' takes 3 values (1 given)"));
    CHECK_THAT(one.refusal("\"v[4]\" = 1"), Contains("index 4 is outside of 'v' [3]: 1 to 3"));
}

TEST_CASE("scalars of 2.0 that are named as an array are set as one") {
    One one(Version::fmi2);
    one.fmu.parameter("v[1]").parameter("v[2]");
    const CheckedSystem checked = one.check("v = [7, 8]");
    REQUIRE(checked.assignments.at(0).size() == 2);
    CHECK(std::get<std::vector<double>>(checked.assignments[0][1].values) == std::vector{8.0});
}

TEST_CASE("a structural parameter changes how many values an array takes and comes first") {
    One one;
    one.fmu.parameter("v", "", Type::float64, {2}).parameter("n", "", Type::uint64);
    one.fmu.last().causality = fmi::Causality::structural_parameter;
    one.fmu.last().start = std::vector<std::uint64_t>{2};
    one.fmu.description().variables[0].dimensions[0].variable = 1;
    const CheckedSystem checked = one.check("v = [1, 2, 3], n = 3");
    REQUIRE(checked.assignments.at(0).size() == 2);
    CHECK(checked.assignments[0][0].variable == 1);
    CHECK(std::get<std::vector<double>>(checked.assignments[0][1].values) == std::vector{1.0, 2.0, 3.0});
    CHECK(checked.elements(0, 0) == 3);
    CHECK(checked.elements(0, 1) == 1);
    CHECK_THAT(one.refusal("v = [1, 2], n = 3"), Contains("'v' takes 3 values (2 given)"));
    CHECK_THAT(one.refusal("n = 3, \"v[3]\" = 1"), Contains("has a new size; give all of its 3 values"));
    CHECK_THAT(one.refusal("n = 2000000"), Contains("'n' is too large for a size (2000000, limit 1000000)"));
}
