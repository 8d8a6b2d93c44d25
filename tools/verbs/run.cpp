// tenon run SYSTEM: the master, on a system of FMUs.

#include "tools/verbs/system_run.hpp"
#include "tools/verbs/system_summary.hpp"

namespace tenon::verbs {

Verb add_run(CLI::App& tenon) {
    auto words = std::make_shared<RunWords>();
    CLI::App* command = tenon.add_subcommand("run", "Run a system of FMUs");
    words->add_to(*command);
    command->footer("Example: tenon run car.toml --step 1e-3 --stop 20 --out car.h5 --checkpoint car.ckpt\n"
                    "After a kill: tenon resume car.ckpt");
    const auto run = [words] {
        run_planned([&] { return words->plan(); }, words->common.json,
                    {words->system, words->out, words->checkpoint});
    };
    return {command, run, write_system_refusal};
}

} // namespace tenon::verbs
