// Who steps the FMUs, and where, changes no digit.

#include "tests/glue/glued.hpp"
#include "tests/support/machine_run.hpp"

using namespace tenon;
using namespace tenon::tests;

namespace {

void check_same(const GluedRun& run, const GluedRun& expected) {
    CHECK(run.failure == "");
    REQUIRE(run.motion.size() == expected.motion.size());
    for (std::size_t i = 0; i < run.motion.size(); ++i)
        for (std::size_t b = 0; b < run.motion[i].size(); ++b) {
            REQUIRE(run.motion[i][b].r == expected.motion[i][b].r);
            REQUIRE(run.motion[i][b].R == expected.motion[i][b].R);
        }
    CHECK(run.energy == expected.energy);
    CHECK(run.report.dosteps == expected.report.dosteps);
}

} // namespace

TEST_CASE("any number of threads, and FMUs in processes of their own, glue to the same bit", "[slow]") {
    const std::string method = GENERATE("newton", "difference", "dead-beat");
    INFO(method);
    const GluedMachine glued(bricard(5));
    Outside outside{.method = method, .step = 0.005, .stop = 0.1};
    const GluedRun expected = glued.run(outside);
    REQUIRE(expected.failure == "");
    for (const int threads : {2, 3, 8}) {
        INFO("threads " << threads);
        outside.threads = threads;
        check_same(glued.run(outside), expected);
    }
    outside.isolate = true;
    check_same(glued.run(outside), expected);
    outside.threads = 1;
    check_same(glued.run(outside), expected);
}
