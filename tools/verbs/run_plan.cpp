#include "tools/verbs/run_plan.hpp"

#include "tools/files/errors.hpp"
#include "tools/results/checkpoint_file.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/names.hpp"
#include "tools/verbs/outputs.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

/// More than anybody has processors; a typing error rather than a wish.
constexpr long most_threads = 1024;

int parse_threads(const std::string& text) {
    const long threads = parse_count(text, "--threads");
    if (threads > most_threads)
        throw Failure(ExitCode::usage,
                      fmt::format("--threads must be at most {} (it is {})", most_threads, threads));
    return static_cast<int>(threads);
}

/// The whole of the path, so that `resume` finds it from wherever it is called; devices keep their names.
std::filesystem::path whole(const std::string& path) {
    if (path.empty() || is_stream(path))
        return path;
    return std::filesystem::absolute(path).lexically_normal();
}

} // namespace

std::string RunPlan::as_given(std::string text) const {
    for (const auto& [name, given] : given_names)
        for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + given.size()))
            text.replace(at, name.size(), given);
    return text;
}

void refuse_unfinished(const RunPlan& plan) {
    std::error_code ignored;
    if (plan.from || plan.overwrite || !std::filesystem::exists(plan.checkpoint, ignored))
        return;
    std::optional<results::ReadCheckpoint> there;
    try {
        there = results::read_checkpoint(plan.checkpoint);
    } catch (const InputError&) { // nobody could go on with it
        return;
    }
    if (!there->checkpoint.finished)
        throw Failure(ExitCode::usage,
                      fmt::format("--checkpoint {0} is of a run that has come to t = {1:.12g} s; go on with: "
                                  "tenon resume {0}, or begin anew with --overwrite",
                                  printable(plan.checkpoint.string(), 4096), there->checkpoint.time));
}

void CommonWords::add_to(CLI::App& command) {
    command
        .add_option("--checkpoint-every", checkpoint_every,
                    "Seconds between two checkpoints (10); 0: every step")
        ->type_name("SECONDS");
    command
        .add_option(
            "--threads", threads,
            "FMUs that may step at the same time (1), at most one a processor; the numbers do not change")
        ->type_name("N");
    command
        .add_option(
            "--deadline", deadline,
            "Seconds after which a call of an isolated FMU counts as hung; without it 60 for the first "
            "calls, then 20 times their usual length")
        ->type_name("SECONDS");
    command
        .add_option("--log", log,
                    "Write all that the FMUs say here; without it, only warnings and errors are shown")
        ->type_name("FILE");
    command
        .add_option(
            "--trace", trace,
            "Write all calls of each FMU and their answers to FOLDER/<fmu>.calls, for reports of bugs; "
            "'tenon replay' makes them again")
        ->type_name("FOLDER");
    command.add_option("--json", json, "Write a machine-readable summary, also when the run fails")
        ->type_name("FILE");
    CLI::Option* silent = command.add_flag("--quiet", quiet, "Say nothing but warnings and errors");
    command.add_flag("--verbose", verbose, "Say more")->excludes(silent);
}

void CommonWords::apply(RunPlan& plan) const {
    plan.json = output_file(json);
    plan.log = output_file(log);
    plan.verbosity = quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
    if (!checkpoint_every.empty())
        plan.checkpoint_every = parse_nonnegative(checkpoint_every, "--checkpoint-every");
    if (!threads.empty())
        plan.settings.threads = parse_threads(threads);
    plan.trace = trace;
    if (!deadline.empty())
        plan.deadline = parse_positive(deadline, "--deadline");
}

void RunWords::add_to(CLI::App& command) {
    command.add_option("SYSTEM", system, "The system: a .toml file, an .ssp archive or its folder")
        ->required();
    command
        .add_option(
            "--method", method,
            "How the FMUs are stepped: auto, jacobi, gauss-seidel, iterate; how joints are glued: newton, "
            "difference, dead-beat, compliant")
        ->type_name("NAME");
    command.add_option("--step", step, "Macro step in seconds: how often the FMUs exchange values")
        ->type_name("H");
    command.add_option("--stop", stop, "Stop time in seconds")->type_name("T");
    command
        .add_option("--out", out,
                    "Write the results here: .csv, or .h5 or .hdf5 for HDF5; FILE.scene.json beside it for "
                    "the viewer")
        ->type_name("FILE");
    command.add_option("--every", every, "Only every Nth step becomes a row (events always do)")
        ->type_name("N");
    command
        .add_option("--vars", vars,
                    "Only variables like this become columns, of any kind: 'crank.*', '*.w,engine.torque' "
                    "(repeatable); without it all outputs do")
        ->type_name("PATTERN")
        ->allow_extra_args(false);
    command
        .add_option("--set", set,
                    "Change a parameter or start value: the FMU's name in the system, a dot, the variable's, "
                    "as in --set crank.arm.mass=2 --set motor.on=true (repeatable); 'tenon info FILE "
                    "--verbose' of the FMU lists them")
        ->type_name("FMU.VARIABLE=VALUE")
        ->allow_extra_args(false);
    command.add_flag("--isolate", isolate,
                     "Each FMU in a process of its own: a crash ends one FMU, not the command");
    command.add_option("--save", save, "Write the system as SSP, with the FMUs in it, and run it")
        ->type_name("FILE.ssp");
    command.add_flag(
        "--no-run", no_run,
        "Only start the FMUs, say how they would be run and glued, and write what --save asks for");
    command.add_option("--checkpoint", checkpoint, "Write what 'tenon resume' needs here, again and again")
        ->type_name("FILE");
    command.add_flag("--overwrite", overwrite,
                     "Begin anew although the checkpoint is of a run that is not finished");
    common.add_to(command);
}

RunPlan RunWords::plan() const {
    RunPlan plan;
    common.apply(plan);
    refuse_input_names(
        {{"--out", out}, {"--json", plan.json}, {"--log", plan.log}, {"--checkpoint", checkpoint}});
    require_result_name(output_file(out));
    results::RunSettings& settings = plan.settings;
    settings.system = whole(system);
    settings.method = method;
    if (!step.empty())
        settings.step = parse_positive(step, "--step");
    if (!stop.empty())
        settings.stop = parse_number(stop, "--stop");
    settings.set = set;
    settings.vars = vars;
    settings.out = whole(output_file(out));
    settings.every = parse_count(every, "--every");
    settings.isolate = isolate;
    plan.checkpoint = whole(checkpoint);
    plan.overwrite = overwrite;
    plan.save = save;
    plan.only_save = no_run;
    for (const auto& [name, given] : {std::pair(settings.system, system), std::pair(settings.out, out),
                                      std::pair(plan.checkpoint, checkpoint)})
        if (!name.empty() && name != given)
            plan.given_names.emplace_back(name.string(), given);
    if (const std::filesystem::path folder = std::filesystem::path(system).parent_path(); !system.empty())
        plan.given_names.emplace_back((settings.system.parent_path() / "").string(),
                                      folder.empty() ? "" : (folder / "").string());
    if (!save.empty() && std::filesystem::path(save).extension() != ".ssp")
        throw Failure(ExitCode::usage,
                      fmt::format("--save wants a file that ends in .ssp (it is '{}')", save));
    if (plan.checkpoint.empty() && !common.checkpoint_every.empty())
        throw Failure(ExitCode::usage, "--checkpoint-every needs --checkpoint FILE");
    if (!plan.checkpoint.empty() && !settings.out.empty() && is_stream(settings.out))
        throw Failure(
            ExitCode::usage,
            fmt::format("--checkpoint needs results that can be cut; --out {} is no plain file", out));
    return plan;
}

} // namespace tenon::verbs
