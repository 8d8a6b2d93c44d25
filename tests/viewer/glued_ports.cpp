#include "tools/viewer/glued_ports.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::viewer;

namespace {

/// Ports of three FMUs: a.tip and b.root in one place, c.end elsewhere.
std::vector<results::ResultColumn> columns() {
    std::vector<results::ResultColumn> list;
    for (const char* port : {"a.tip", "b.root", "c.end"})
        for (const char* axis : {".r_0[1]", ".r_0[2]", ".r_0[3]"})
            list.push_back({port + std::string(axis), "m", ""});
    list.push_back({"a.tip.aux.work", "J", ""});
    list.push_back({"b.root.aux.work", "J", ""});
    return list;
}

const std::vector<std::string> ports = {"a.tip", "b.root", "c.end"};
const std::vector<double> first = {1, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0};

} // namespace

TEST_CASE("two ports of different FMUs that stay together have a gap and a ledger", "[viewer]") {
    GluedPorts glue(columns(), ports, first);
    REQUIRE(glue.columns().size() == 2);
    CHECK(glue.columns()[0].name == "a.tip | b.root.gap");
    CHECK(glue.columns()[1].name == "a.tip | b.root.ledger");
    std::vector<double> row = {1, 1, 0, 1, 1, 3e-13, 2, 0, 0, 5, -4.75};
    glue.append(row);
    REQUIRE(row.size() == 13);
    CHECK(row[11] == Approx(3e-13));
    CHECK(row[12] == 0.25);
    CHECK(glue.together() == std::vector<bool>{true, true});
}

TEST_CASE("ports that part are no joint of which a gap could be told", "[viewer]") {
    GluedPorts glue(columns(), ports, first);
    std::vector<double> row = {1, 1, 0, 1, 0, 0, 2, 0, 0, 0, 0};
    glue.append(row);
    row = first;
    glue.append(row);
    CHECK(glue.together() == std::vector<bool>{false, false});
}

TEST_CASE("ports of one FMU and ports without positions are not compared", "[viewer]") {
    CHECK(GluedPorts(columns(), {"a.tip", "a.tip"}, first).columns().empty());
    CHECK(GluedPorts(columns(), {"a.tip", "d.none"}, first).columns().empty());
    CHECK(GluedPorts({}, {}, {}).columns().empty());
}
