// Runs from a program: what the command shows comes from here.

#include "tools/run/model_run.hpp"
#include "tools/run/system_run.hpp"

#include "tests/files/scratch.hpp"
#include "tests/support/folders.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace tenon;
using namespace tenon::run;

namespace {

const std::filesystem::path examples = tests::source_folder() + "/examples";

struct Notes : Watcher {
    long steps = 0, most = 1000000;
    std::vector<std::string> warnings;

    void warn(const std::string& text) override { warnings.push_back(text); }
    void stepped(double) override { ++steps; }
    bool stops() override { return steps + 1 >= most; }
};

} // namespace

TEST_CASE("a model runs from a program, with results and a summary") {
    const Scratch scratch;
    ModelRequest request;
    request.model = examples / "slider_crank.toml";
    request.changes.stop = 0.1;
    request.out = scratch / "crank.csv";
    ModelRun run(request);
    Notes notes;
    CHECK(run.run(notes) == Ending::done);
    const Summary& summary = run.summary();
    CHECK(summary.status == "done");
    CHECK(summary.end_time == 0.1);
    CHECK(summary.steps == notes.steps);
    CHECK(summary.rows == notes.steps + 1);
    CHECK_FALSE(summary.diverged);
    CHECK(std::filesystem::exists(scratch / "crank.scene.json"));
}

TEST_CASE("a watcher ends a run, which keeps what it has") {
    const Scratch scratch;
    ModelRequest request;
    request.model = examples / "slider_crank.toml";
    request.out = scratch / "crank.csv";
    ModelRun run(request);
    Notes notes;
    notes.most = 7;
    CHECK(run.run(notes) == Ending::interrupted);
    CHECK(run.summary().status == "interrupted");
    CHECK(run.summary().steps == 7);
    CHECK_THAT(run.kept(), Catch::StartsWith("; 8 rows up to t = "));
}

TEST_CASE("an input is set in the unit of its name") {
    // A cart of 2 kg for 1 s: 2 N move it by 0.5 m.
    const std::string cart =
        "[[body]]\nname = \"cart\"\nmass = 2\ninertia = [1, 1, 1]\n"
        "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nbodies = [\"world\", \"cart\"]\n"
        "at = [0, 0, 0]\naxis = [1, 0, 0]\n"
        "[[force]]\nname = \"push\"\ntype = \"force\"\nbody = \"cart\"\nat = [0, 0, 0]\ninput = true\n"
        "[[flange]]\nname = \"cylinder\"\njoint = \"slide\"\n[solver]\nstop = 1\nstep = 0.01\n";
    const Scratch scratch;
    const auto way = [&](const std::string& inputs, const std::vector<std::string>& set) {
        std::ofstream(scratch / "cart.toml") << cart << inputs;
        ModelRequest request;
        request.model = scratch / "cart.toml";
        request.out = scratch / "cart.csv";
        request.vars = {"slide.distance"};
        request.changes.set = set;
        ModelRun run(request);
        Notes notes;
        run.run(notes);
        CHECK(notes.warnings.empty());
        std::ifstream results(scratch / "cart.csv");
        std::string line, last;
        while (std::getline(results, line))
            last = line;
        return std::stod(last.substr(last.find(',') + 1));
    };
    const auto input = [](const char* to, const std::string& unit) {
        return "[[input]]\nname = \"pull\"\nto = \"" + std::string(to) + "\"\n" +
               (unit.empty() ? "" : "unit = \"" + unit + "\"\n");
    };
    struct InUnit {
        const char *unit, *value;
    };
    for (const auto& [unit, value] : {InUnit{"", "2"},
                                      {"N", "2"},
                                      {"kN", "0.002"},
                                      {"mN", "2000"},
                                      {"MN", "2e-6"},
                                      {"GN", "2e-9"},
                                      {"uN", "2e6"},
                                      {"nN", "2e9"},
                                      {"cN", "200"},
                                      {"g.m/s2", "2000"},
                                      {"t.mm/s2", "2"},
                                      {"kg.m/min2", "7200"},
                                      {"J/m", "2"},
                                      {"bar.m2", "2e-5"},
                                      {"kg.m/h2", "25920000"}})
        for (const char* to : {"push.f[1]", "cylinder.f"}) {
            CAPTURE(unit, to);
            CHECK(way(input(to, unit), {std::string("pull=") + value}) == Approx(0.5));
        }
    CHECK(way(input("push.f[1]", "kN"), {"push.f[1]=2"}) == Approx(0.5));
    CHECK_THROWS_WITH(way(input("push.f[1]", "kN"), {"push.f[1]=2", "pull=1"}),
                      Catch::Contains("same input"));
    CHECK_THROWS_WITH(way(input("push.f[1]", "deg"), {"pull=1"}),
                      Catch::Contains("does not measure the same"));
}

TEST_CASE("a name that the model does not have is refused") {
    Notes notes;
    ModelRequest request;
    request.model = examples / "slider_crank.toml";
    request.changes.set = {"nobody.mass=1"};
    CHECK_THROWS_WITH(ModelRun(request).run(notes), Catch::Contains("unknown name in --set 'nobody.mass=1'"));
}

TEST_CASE("a system whose FMUs are model files runs from a program") {
    const Scratch scratch;
    SystemRequest request;
    request.settings.system = examples / "glue/four_bar/system.toml";
    request.settings.stop = 0.02;
    request.settings.out = scratch / "bar.csv";
    Notes notes;
    SystemRun run(request);
    CHECK(run.run(notes) == Ending::done);
    const Summary& summary = run.summary();
    CHECK(summary.status == "done");
    CHECK(summary.report.fmus.size() == 3);
    CHECK(summary.max_position_violation < 1e-9);
    CHECK(summary.rows == summary.steps + 1);
    CHECK(notes.steps == summary.steps);
    CHECK_THAT(to_json(summary),
               Catch::Contains("\"master\": \"") && Catch::Contains("\"rank_deficiency\": "));
}
