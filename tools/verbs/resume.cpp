// tenon resume FILE: goes on with a run from its checkpoint.

#include "tools/files/errors.hpp"
#include "tools/results/checkpoint_file.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/run_words.hpp"
#include "tools/verbs/summary_file.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

struct Words {
    RunWords common;
    std::string file;
};

run::SystemRequest request_of(const Words& words) {
    const std::filesystem::path file = run::whole_path(words.file);
    results::ReadCheckpoint read = results::read_checkpoint(file);
    if (read.checkpoint.program != TENON_VERSION)
        throw Failure(ExitCode::input,
                      fmt::format("{}: the checkpoint is from version {}, and this is {}; continue it with "
                                  "the version that wrote it",
                                  words.file, printable(read.checkpoint.program), TENON_VERSION));
    run::SystemRequest request;
    request.settings = read.checkpoint.settings;
    request.checkpoint = file;
    request.older_generation = !read.remark.empty();
    request.from = std::move(read.checkpoint);
    words.common.apply(request);
    if (request.older_generation)
        print_warning(read.remark);
    return request;
}

} // namespace

Verb resume_verb() {
    auto words = std::make_shared<Words>();
    std::vector<Option> options = {
        {"FILE", &words->file, "The checkpoint that 'tenon run --checkpoint FILE' has written", true}};
    for (Option& option : words->common.options())
        options.push_back(std::move(option));
    return {"resume",
            "Go on with a run from its checkpoint, as if it had never stopped",
            options,
            "Example: tenon resume car.ckpt\n"
            "Results behind the checkpoint are computed again; the finished file is that of a run "
            "without a stop.",
            [words] { words->common.run([&] { return request_of(*words); }, {words->file}); },
            refuse_system};
}

} // namespace tenon::verbs
