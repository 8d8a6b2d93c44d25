// tenon simulate MODEL.toml: runs a model in the core.

#include "tools/run/model_run.hpp"
#include "tools/run/names.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/run_report.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>

namespace tenon::verbs {
namespace {

/// More are no bound.
constexpr long most_iterations = 1000;

struct SimulateWords {
    std::string model, integrator, step, stop, out, every = "1", json, realtime, iterations;
    std::vector<std::string> set, vars;
    bool refine = false, accept_divergence = false, quiet = false, verbose = false;
};

run::ModelRequest request_of(const SimulateWords& words) {
    run::ModelRequest request;
    request.model = words.model;
    request.out = output_file(words.out);
    request.vars = words.vars;
    require_result_name(request.out);
    request.every = run::parse_count(words.every, "--every");
    request.changes.integrator = words.integrator;
    request.changes.set = words.set;
    request.changes.accept_divergence = words.accept_divergence;
    request.refine = words.refine;
    if (!words.realtime.empty())
        request.realtime = run::parse_positive(words.realtime, "--realtime");
    if (!words.iterations.empty()) {
        if (!request.realtime)
            throw Failure(ExitCode::usage,
                          "--iterations needs --realtime: without a clock to keep up with, a "
                          "step that does not converge is halved");
        request.iterations =
            static_cast<int>(std::min(run::parse_count(words.iterations, "--iterations"), most_iterations));
    }
    if (!words.step.empty())
        request.changes.step = run::parse_positive(words.step, "--step");
    if (!words.stop.empty())
        request.changes.stop = run::parse_nonnegative(words.stop, "--stop");
    return request;
}

void simulate(const SimulateWords& words) {
    ReportOptions options;
    const std::string out = output_file(words.out);
    options.json = output_file(words.json);
    options.verbosity = verbosity_of(words.quiet, words.verbose);
    refuse_same_files({{"the model", words.model},
                       {"--out", out},
                       {"the scene file beside --out", run::scene_beside(out)},
                       {"--json", options.json}});
    refuse_input_names({{"--out", out}, {"--json", options.json}});
    run::ModelRequest request;
    try {
        request = request_of(words);
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        run::Summary summary;
        summary.message = failure.what();
        summary.file = words.model;
        summary.name = summary.file.stem().string();
        if (!options.json.empty())
            write_summary_file(options.json, to_json(summary), true);
        throw failure;
    }
    run_and_report(std::make_unique<run::ModelRun>(std::move(request)), options);
}

} // namespace

Verb simulate_verb() {
    auto words = std::make_shared<SimulateWords>();
    return {
        "simulate",
        "Run a model and show how well it went",
        {{"MODEL", &words->model, "The model file (TOML)", true},
         {"--integrator NAME", &words->integrator, "The method; 'tenon info --integrators' lists them"},
         {"--step H", &words->step, "Step size in seconds"},
         {"--stop T", &words->stop, "Stop time in seconds"},
         {"-o,--out FILE", &words->out,
          "Write the results here: .csv, or .h5 or .hdf5 for HDF5; FILE.scene.json beside it"},
         {"--every N", &words->every, "Only every Nth step becomes a row"},
         {"--vars PATTERN", &words->vars,
          "Only variables like this become columns: 'crank.*', '*.angle,energy.*' (repeatable); some, "
          "as 'crank.a_0*' and 'crank.R*', only in this way"},
         {"--set NAME=VALUE", &words->set,
          "Change a parameter, an option of the solver or an input: --set crank.mass=2 --set "
          "solver.step=1e-4 (repeatable); 'tenon info MODEL --verbose' lists them"},
         {"--refine", &words->refine,
          "Run with half the step as well, and say how far positions differ at most"},
         {"--accept-divergence", &words->accept_divergence,
          "Go on where the energy or the velocities of a step cannot be believed; without it the run "
          "fails there"},
         {"--realtime", OptionalWord{&words->realtime, "1"},
          "Keep to the clock: each step waits for its time; --realtime=2 runs twice as fast"},
         {"--iterations N", &words->iterations,
          "With --realtime: at most N iterations a step; a step that has not converged by then is accepted "
          "and counted"},
         {"--json FILE", &words->json, "Write a machine-readable summary, also when the run fails"},
         {"--quiet", &words->quiet, "Say nothing but warnings and errors"},
         {"--verbose", &words->verbose, "Say more", false, {"--quiet"}}},
        "Example: tenon simulate crank.toml --step 1e-4 --stop 2 --set crank.mass=3 --out crank.csv",
        [words] { simulate(*words); },
        refuse_model};
}

} // namespace tenon::verbs
