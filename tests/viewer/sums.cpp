#include "tools/viewer/sums.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::viewer;

TEST_CASE("the ledger of a joint is what its two works leave", "[viewer]") {
    const Sums sums(
        {{"pin.work_a", "J", ""}, {"pin.gap", "m", ""}, {"pin.work_b", "J", ""}, {"x.work_a", "J", ""}});
    REQUIRE(sums.columns().size() == 1);
    CHECK(sums.columns()[0].name == "pin.ledger");
    std::vector<double> row = {1e6, 1e-12, -1e6 + 1e-9, 3};
    sums.append(row);
    REQUIRE(row.size() == 5);
    CHECK(row[4] == Approx(1e-9).margin(2e-10)); // a double of this size ends at 1e-10
}

TEST_CASE("the energy of a system is that of its FMUs, unless the result tells it", "[viewer]") {
    std::vector<results::ResultColumn> columns = {
        {"a.energy.total", "J", ""}, {"b.energy.total", "J", ""}, {"b.energy.kinetic", "J", ""}};
    const Sums sums(columns);
    REQUIRE(sums.columns().size() == 1);
    CHECK(sums.columns()[0].name == "energy.total");
    CHECK(sums.columns()[0].description == "sum of the energies of a, b");
    std::vector<double> row = {2, 3, 5};
    sums.append(row);
    CHECK(row.back() == 5);
    columns.push_back({"energy.total", "J", ""});
    CHECK(Sums(columns).columns().empty());
    CHECK(Sums({{"energy.total", "J", ""}}).columns().empty());
}
