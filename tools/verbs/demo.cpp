// tenon demo: a machine of glued FMUs against the same machine in one piece, and machines with every integrator.

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/verbs/demo_examples.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/glue_showcase.hpp"
#include "tools/verbs/integrator_comparison.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <fmt/format.h>
#include <optional>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::vector<std::string> names;
    std::string out, json;
    bool list = false;
    bool quiet = false;
    bool verbose = false;

    Verbosity verbosity() const { return verbosity_of(quiet, verbose); }
};

/// What there is so far; a failure leaves it.
struct Shown {
    std::vector<GlueOutcome> glued;
    std::vector<Outcome> runs;
    std::vector<std::string> listed;
};

std::string to_json(const std::string& status, const std::string& message, const Shown& shown) {
    JsonWriter json;
    json.object().member("status", status).member("message", message).member("version", TENON_VERSION);
    json.key("glued").array();
    for (const GlueOutcome& outcome : shown.glued)
        write(json, outcome);
    json.end().key("runs").array();
    for (const Outcome& outcome : shown.runs)
        write(json, outcome);
    json.end().key("examples").array(); // of --list
    for (const std::string& name : shown.listed)
        json.value(name);
    return json.end().end().text();
}

/// Always below the current folder: build/demo in the clone that the examples are in, tenon-demo elsewhere.
fs::path folder_for(const Options& options, const fs::path& examples) {
    if (!options.out.empty())
        return options.out;
    std::error_code ignored;
    const bool in_clone = fs::equivalent(examples.parent_path(), ".", ignored);
    return in_clone && fs::is_directory("build", ignored) ? fs::path("build/demo") : fs::path("tenon-demo");
}

void list(const Options& options, const fs::path& examples, const DemoNames& all, Shown& shown) {
    if (!options.names.empty())
        throw Failure(ExitCode::usage, "--list shows all examples; leave out the names");
    shown.listed = all.all();
    if (!options.quiet)
        print_examples(examples, all);
}

void show(const Options& options, Shown& shown) {
    refuse_input_names({{"--json", options.json}});
    const fs::path examples = examples_folder();
    const std::vector<GluedExample> glued = glued_examples(examples);
    const DemoNames all = demo_names(examples, glued);
    if (options.list)
        return list(options, examples, all, shown);
    const DemoNames names = chosen_examples(options.names, all);
    if (!options.json.empty())
        require_writable(options.json);
    for (const GluedExample& example : glued)
        if (names.has_glued(example.name))
            shown.glued.push_back(show_glue(example, folder_for(options, examples), options.verbosity()));
    if (!names.machines.empty())
        compare_integrators(examples, names.machines, options.verbosity(), shown.runs);
    if (!options.quiet)
        fmt::print("\nMachines with every integrator: tenon demo integrators; all that there is: tenon demo "
                   "--list\n");
}

void run(const Options& options) {
    Shown shown;
    std::optional<Failure> failure;
    try {
        show(options, shown);
    } catch (...) {
        failure = as_failure(std::current_exception());
    }
    const std::string status = status_of(failure);
    if (!options.json.empty() && !is_input_name(options.json) &&
        !(failure && failure->code() == ExitCode::output))
        write_text_file(options.json, to_json(status, failure ? failure->what() : "", shown));
    if (failure)
        throw *failure;
}

} // namespace

Verb demo_verb() {
    auto options = std::make_shared<Options>();
    return {"demo",
            "Glue three FMUs into a machine and compare it with the machine in one piece (seconds)",
            {{"NAME", &options->names,
              "Other examples by name: slider_crank with every integrator, glue/road_train, "
              "'integrators' for a selection (20 s)"},
             {"--list", &options->list,
              "List the examples: glued ones, the papers' systems, the benchmarks, others"},
             {"-o,--output FOLDER", &options->out,
              "Where FMUs, results and the page of a glued example go; without it tenon-demo here, or "
              "build/demo in a clone"},
             {"--json FILE", &options->json, "Write the tables machine-readable"},
             {"--quiet", &options->quiet, "Say nothing but errors"},
             {"--verbose", &options->verbose, "Also say why a method gave up", false, {"--quiet"}}},
            "Examples: tenon demo\n          tenon demo slider_crank heavy_top",
            [options] {
                options->json = output_file(options->json);
                options->quiet = options->quiet || is_stdout(options->json);
                run(*options);
            },
            [](const std::string& message, const std::vector<std::string>& words) {
                write_refused(to_json("failed", message, {}), words);
            }};
}

} // namespace tenon::verbs
