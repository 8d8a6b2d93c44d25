#include "tools/verbs/run_words.hpp"

#include "core/math/error.hpp"
#include "tools/run/model_run.hpp"
#include "tools/run/names.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/supervisor.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

/// More than anybody has processors; a typing error rather than a wish.
constexpr long most_threads = 1024;

int parse_threads(const std::string& text) {
    const long threads = run::parse_count(text, "--threads");
    if (threads > most_threads)
        throw Failure(ExitCode::usage,
                      fmt::format("--threads must be at most {} (it is {})", most_threads, threads));
    return static_cast<int>(threads);
}

void check_names(const run::SystemRequest& request, const ReportOptions& options) {
    const auto refuse_with = [&](const NamedFile& checkpoint) {
        refuse_same_files({{"the system", request.settings.system},
                           {"--out", request.settings.out},
                           {"the scene file beside --out", run::scene_beside(request.settings.out)},
                           checkpoint,
                           {"--json", options.json},
                           {"--log", options.log},
                           {"--save", request.save}});
    };
    refuse_with({"--checkpoint", request.checkpoint});
    // Not with the first: a kill between two generations leaves one file with both names.
    if (!request.checkpoint.empty())
        refuse_with({"the older checkpoint", results::previous_checkpoint(request.checkpoint)});
}

} // namespace

std::vector<Option> RunWords::options() {
    return {{"--checkpoint-every SECONDS", &checkpoint_every,
             "Seconds between two checkpoints (10); 0: every step"},
            {"--threads N", &threads,
             "FMUs that may step at the same time (1), at most one a processor; the numbers do not change"},
            {"--deadline SECONDS", &deadline,
             "Seconds after which a call of an FMU counts as hung; without it isolated FMUs have 60 for the "
             "first "
             "calls, then 20 times their usual length, and others as long as they want"},
            {"--log FILE", &log,
             "Write all that the FMUs say here; without it, only warnings and errors are shown"},
            {"--trace FOLDER", &trace,
             "Write all calls of each FMU and their answers to FOLDER/<fmu>.calls, for reports of bugs; "
             "'tenon replay' makes them again"},
            {"--strict", &strict, "Refuse FMUs that are against the letter of FMI, although they can be run"},
            {"--json FILE", &json, "Write a machine-readable summary, also when the run fails"},
            {"--quiet", &quiet, "Say nothing but warnings and errors"},
            {"--verbose", &verbose, "Say more", false, {"--quiet"}}};
}

void RunWords::apply(run::SystemRequest& request) const {
    if (!checkpoint_every.empty())
        request.checkpoint_every = run::parse_nonnegative(checkpoint_every, "--checkpoint-every");
    if (!threads.empty())
        request.settings.threads = parse_threads(threads);
    request.trace = trace;
    request.letter = strict ? fmi::Letter::refused : fmi::Letter::noted;
    request.fmus_say_all = !log.empty();
    if (!deadline.empty())
        request.deadline = run::parse_positive(deadline, "--deadline");
}

void RunWords::run(const std::function<run::SystemRequest()>& make, std::vector<std::string> others) const {
    std::optional<run::SystemRequest> request;
    try {
        request = make();
    } catch (...) {
        const Failure failure = as_failure(std::current_exception());
        others.insert(others.end(), {"--json", json});
        if (!json.empty())
            refuse_system(failure.what(), others);
        throw failure;
    }
    ReportOptions options;
    options.json = output_file(json);
    options.log = output_file(log);
    options.verbosity = verbosity_of(quiet, verbose);
    options.only_start = request->only_start;
    options.goes_on = request->from.has_value();
    options.was_finished = request->from && request->from->finished;
    check_names(*request, options);
    if (!is_supervision_wanted())
        return run_and_report(std::make_unique<run::SystemRun>(std::move(*request)), options);
    const Supervision about{.system = request->settings.system,
                            .out = request->settings.out,
                            .checkpoint = request->checkpoint,
                            .json = options.json,
                            .deadline = request->deadline};
    supervised(about, [&](WatchedRun& watched) {
        options.watched = &watched;
        request->journal = &watched.journal;
        run_and_report(std::make_unique<run::SystemRun>(std::move(*request)), options);
    });
}

} // namespace tenon::verbs
