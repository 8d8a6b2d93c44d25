// tenon resume FILE: goes on with a run from its checkpoint.

#include "tools/files/errors.hpp"
#include "tools/results/checkpoint_file.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/system_run.hpp"
#include "tools/verbs/system_summary.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

struct ResumeWords {
    CommonWords common;
    std::string file;
};

RunPlan plan(const ResumeWords& words) {
    const std::filesystem::path file = std::filesystem::absolute(words.file).lexically_normal();
    results::ReadCheckpoint read = results::read_checkpoint(file);
    if (read.checkpoint.program != TENON_VERSION)
        throw Failure(ExitCode::input,
                      fmt::format("{}: the checkpoint is from version {}, and this is {}; continue it with "
                                  "the version that wrote it",
                                  words.file, printable(read.checkpoint.program), TENON_VERSION));
    RunPlan plan;
    plan.settings = read.checkpoint.settings;
    plan.checkpoint = file;
    plan.older_generation = !read.remark.empty();
    plan.from = std::move(read.checkpoint);
    words.common.apply(plan);
    if (plan.older_generation)
        print_warning(read.remark);
    return plan;
}

} // namespace

Verb add_resume(CLI::App& tenon) {
    auto words = std::make_shared<ResumeWords>();
    CLI::App* command =
        tenon.add_subcommand("resume", "Go on with a run from its checkpoint, as if it had never stopped");
    command->add_option("FILE", words->file, "The checkpoint that 'tenon run --checkpoint FILE' has written")
        ->required();
    words->common.add_to(*command);
    command->footer("Example: tenon resume car.ckpt\n"
                    "Results behind the checkpoint are computed again; the finished file is that of a run "
                    "without a stop.");
    const auto run = [words] {
        run_planned([&] { return plan(*words); }, words->common.json, {words->file});
    };
    return {command, run, write_system_refusal};
}

} // namespace tenon::verbs
