// tenon demo: runs examples with every integrator and shows what each kept and lost.

#include "core/integrators/integrator_types.hpp"
#include "core/math/error.hpp"
#include "core/model/suggest.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/io/errors.hpp"
#include "tools/io/json.hpp"
#include "tools/io/model_reader.hpp"
#include "tools/io/text_file.hpp"
#include "tools/tenon/console.hpp"
#include "tools/tenon/failure.hpp"
#include "tools/tenon/interrupt.hpp"
#include "tools/tenon/outputs.hpp"
#include "tools/tenon/schedule.hpp"
#include "tools/tenon/settings.hpp"
#include "tools/tenon/verb.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Align = TextTable::Align;

struct Options {
    std::vector<std::string> names;
    std::string json;
    bool list = false;
    bool quiet = false;
    bool verbose = false;
};

/// What is shown when no name is given, where these examples are there: one of each kind of difficulty.
constexpr std::array<std::string_view, 6> showcase = {
    "double_pendulum", "slider_crank", "n_four_bar_10", "bricard", "heavy_top", "rolling_disc",
};

/// The whole demo takes about this long; a run that needs more of it than its share stops where it is, and says so.
constexpr double seconds_in_all = 18;

struct Outcome {
    std::string example;
    std::string integrator;
    double step = NAN, stop = NAN, end_time = NAN;
    double violation = NAN, energy_error = NAN, seconds_per_step = NAN;
    std::string note; ///< why it ended early; empty where it did not
};

/// examples/ beside or above the program (build/release/tenon of a clone, or bin/), or in the current folder.
fs::path examples_folder() {
    std::error_code error;
    std::vector<fs::path> candidates;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (int level = 0; level < 4 && !error && !folder.empty(); ++level, folder = folder.parent_path()) {
        candidates.push_back(folder / "examples");
        candidates.push_back(folder / "share" / "tenon" / "examples");
    }
    candidates.emplace_back("examples");
    for (const fs::path& candidate : candidates)
        if (fs::is_directory(candidate, error) && fs::exists(candidate / "double_pendulum.toml", error))
            return candidate;
    throw Failure(ExitCode::missing, "the folder examples/ is not found beside the program nor here; "
                                     "run 'tenon demo' in a clone of the repository");
}

/// Names without .toml, sorted.
std::vector<std::string> example_names(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

void print_list(const fs::path& folder, const std::vector<std::string>& names) {
    TextTable table({Align::left, Align::left, Align::left}, {"name", "shown by default", "what it is"});
    for (const std::string& name : names) {
        const bool shown = std::find(showcase.begin(), showcase.end(), name) != showcase.end();
        table.add({name, shown ? "yes" : "", read_model_file(folder / (name + ".toml")).model.description});
    }
    table.print(stdout);
}

std::vector<std::string> chosen_names(const Options& options, const std::vector<std::string>& known) {
    const auto is_known = [&](std::string_view name) {
        return std::find(known.begin(), known.end(), name) != known.end();
    };
    std::vector<std::string> names;
    if (options.names.empty())
        for (const std::string_view name : showcase)
            if (is_known(name))
                names.emplace_back(name);
    for (const std::string& name : options.names) {
        if (!is_known(name))
            throw Failure(ExitCode::usage,
                          fmt::format("there is no example '{}'; {}", name, suggestion(name, known)));
        names.push_back(name);
    }
    return names;
}

/// One example with one integrator, for at most `seconds`.
Outcome run_one(const ModelFile& file, const std::string& integrator, double seconds,
                const InterruptGuard& interrupt) {
    Model model = file.model;
    choose_integrator(model, integrator);
    Outcome outcome{
        file.model.name, integrator, model.solver.step, model.solver.stop, NAN, NAN, NAN, NAN, {}};
    std::optional<Simulation> simulation;
    Clock::time_point begun = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
    try {
        simulation.emplace(model);
        const Schedule schedule(simulation->time(), model.solver.step, model.solver.stop);
        begun = Clock::now();
        for (long i = 1; i <= schedule.steps() && outcome.note.empty(); ++i) {
            simulation->step(schedule.time(i) - simulation->time());
            if (interrupt.raised())
                outcome.note = "interrupted";
            else if (i < schedule.steps() && elapsed() > seconds)
                outcome.note = fmt::format("stopped after {}", duration(seconds));
        }
    } catch (const Error& error) {
        outcome.note = error.what();
    }
    if (!simulation)
        return outcome;
    const RunReport& report = simulation->report();
    outcome.end_time = simulation->time();
    outcome.violation = report.max_position_violation;
    outcome.energy_error = report.max_energy_error;
    if (report.steps > 0)
        outcome.seconds_per_step = elapsed() / static_cast<double>(report.steps);
    return outcome;
}

void print_outcomes(const ModelFile& file, const StartReport& start, const std::vector<Outcome>& outcomes) {
    fmt::print("\n{}  {}\n", styled(file.model.name, Style::bold, stdout),
               printable(file.model.description, 200));
    fmt::print("  bodies: {}, joints: {}, degrees of freedom: {}, redundant rows: {}, step: {} s\n",
               file.model.bodies.size(), file.model.joints.size(), start.degrees_of_freedom,
               start.rank_deficiency, file.model.solver.step);
    TextTable table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::left},
                    {"integrator", "end [s]", "joints open by", "energy lost by [J]", "time a step", ""});
    for (const Outcome& outcome : outcomes)
        table.add({outcome.integrator, short_number(outcome.end_time), short_number(outcome.violation),
                   short_number(outcome.energy_error), duration(outcome.seconds_per_step), outcome.note});
    table.print(stdout, 2);
}

std::string to_json(const std::string& status, const std::string& message,
                    const std::vector<Outcome>& outcomes) {
    JsonWriter json;
    json.object().member("status", status).member("message", message).member("version", TENON_VERSION);
    json.key("runs").array();
    for (const Outcome& outcome : outcomes) {
        json.object().member("example", outcome.example).member("integrator", outcome.integrator);
        json.member("step", outcome.step).member("stop", outcome.stop).member("end_time", outcome.end_time);
        json.member("max_position_violation", outcome.violation)
            .member("max_energy_error", outcome.energy_error);
        json.member("seconds_per_step", outcome.seconds_per_step).member("note", outcome.note).end();
    }
    return json.end().end().text();
}

/// Fills `all` as it goes, so that a failure leaves what there was before it.
void run_examples(const Options& options, const fs::path& folder, const std::vector<std::string>& names,
                  std::vector<Outcome>& all) {
    const InterruptGuard interrupt;
    const double share = seconds_in_all / static_cast<double>(names.size() * integrator_types().size());
    for (const std::string& name : names) {
        const ModelFile file = read_model_file(folder / (name + ".toml"));
        std::vector<Outcome> outcomes;
        for (const IntegratorType& type : integrator_types())
            if (!interrupt.raised())
                outcomes.push_back(run_one(file, type.name, share, interrupt));
        all.insert(all.end(), outcomes.begin(), outcomes.end());
        if (!options.quiet) {
            print_outcomes(file, Simulation(file.model).start(), outcomes);
            std::fflush(stdout);
        }
        if (interrupt.raised())
            throw Failure(ExitCode::interrupted, "interrupted");
    }
}

void compare(const Options& options, std::vector<Outcome>& all) {
    const fs::path folder = examples_folder();
    const std::vector<std::string> known = example_names(folder);
    if (options.list)
        return print_list(folder, known);
    const std::vector<std::string> names = chosen_names(options, known);
    if (!options.json.empty())
        require_writable(options.json);
    if (!options.quiet)
        fmt::print("Every example with every integrator: what it kept of the joints and of the energy.\n");
    run_examples(options, folder, names, all);
    if (!options.quiet)
        fmt::print("\nOne of them on your own: tenon simulate {} --out result.csv\n",
                   (folder / (names.front() + ".toml")).lexically_proximate(fs::current_path()).string());
}

void run(const Options& options) {
    std::vector<Outcome> all;
    std::optional<Failure> failure;
    try {
        compare(options, all);
    } catch (...) {
        failure = as_failure(std::current_exception());
    }
    const std::string status = !failure                                   ? "done"
                               : failure->code() == ExitCode::interrupted ? "interrupted"
                                                                          : "failed";
    if (!options.json.empty() && !(failure && failure->code() == ExitCode::output))
        write_text_file(options.json, to_json(status, failure ? failure->what() : "", all));
    if (failure)
        throw *failure;
}

} // namespace

Verb add_demo(CLI::App& tenon) {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        tenon.add_subcommand("demo", "Run examples with every integrator and compare (about 20 s)");
    command->add_option("NAME", options->names, "Examples; without any, a selection");
    command->add_flag("--list", options->list, "List the examples");
    command->add_option("--json", options->json, "Write the table machine-readable")->type_name("FILE");
    CLI::Option* quiet = command->add_flag("--quiet", options->quiet, "Say nothing but errors");
    command->add_flag("--verbose", options->verbose, "Say more")->excludes(quiet);
    command->footer("Example: tenon demo slider_crank heavy_top");
    return {command, [options] { run(*options); }, {}};
}

} // namespace tenon::cli
