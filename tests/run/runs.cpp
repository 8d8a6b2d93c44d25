// Runs from a program: what the command shows comes from here.

#include "tools/run/model_run.hpp"
#include "tools/run/system_run.hpp"

#include "tests/files/scratch.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::run;

namespace {

const std::filesystem::path examples = TENON_SOURCE_DIR "/examples";

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
