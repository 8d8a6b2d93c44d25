// tenon run SYSTEM: the master, on a system of FMUs.

#include "tools/files/output_file.hpp"
#include "tools/run/names.hpp"
#include "tools/system/methods.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/run_words.hpp"
#include "tools/verbs/summary_file.hpp"

#include <fmt/format.h>

namespace tenon::verbs {
namespace {

struct SystemWords {
    RunWords common;
    std::string system, method, step, stop, out, save, checkpoint, realtime;
    std::string every = "1";
    std::vector<std::string> set, vars;
    bool isolate = false, accept_divergence = false, overwrite = false, no_run = false;
};

/// Failure(usage) where an output is named like an input, Error(usage) where a number is none.
run::SystemRequest request_of(const SystemWords& words) {
    run::SystemRequest request;
    words.common.apply(request);
    refuse_input_names({{"--out", words.out},
                        {"--json", output_file(words.common.json)},
                        {"--log", output_file(words.common.log)},
                        {"--checkpoint", words.checkpoint}});
    results::RunSettings& settings = request.settings;
    settings.system = words.system;
    settings.method = words.method;
    settings.out = output_file(words.out);
    require_result_name(settings.out);
    if (!words.step.empty())
        settings.step = run::parse_positive(words.step, "--step");
    if (!words.stop.empty())
        settings.stop = run::parse_number(words.stop, "--stop");
    settings.set = words.set;
    settings.vars = words.vars;
    settings.every = run::parse_count(words.every, "--every");
    settings.isolate = words.isolate;
    settings.accept_divergence = words.accept_divergence;
    if (!words.realtime.empty())
        request.realtime = run::parse_positive(words.realtime, "--realtime");
    request.checkpoint = words.checkpoint;
    request.overwrite = words.overwrite;
    request.save = words.save;
    request.only_start = words.no_run;
    if (!words.save.empty() && request.save.extension() != ".ssp")
        throw Failure(ExitCode::usage,
                      fmt::format("--save wants a file that ends in .ssp (it is '{}')", words.save));
    if (words.checkpoint.empty() && !words.common.checkpoint_every.empty())
        throw Failure(ExitCode::usage, "--checkpoint-every needs --checkpoint FILE");
    if (!words.checkpoint.empty() && !settings.out.empty() && is_stream(settings.out))
        throw Failure(ExitCode::usage,
                      fmt::format("--checkpoint needs results that can be cut; --out {} is not a plain file",
                                  words.out));
    return request;
}

} // namespace

Verb run_verb() {
    auto words = std::make_shared<SystemWords>();
    std::vector<Option> options = {
        {"SYSTEM", &words->system, "The system: a .toml file, an .ssp archive or its folder", true},
        {"--method NAME", &words->method,
         "How the FMUs are stepped: auto, " + system::method_list(false) +
             "; how joints are glued: " + system::method_list(true)},
        {"--step H", &words->step, "Macro step in seconds: how often the FMUs exchange values"},
        {"--stop T", &words->stop, "Stop time in seconds"},
        {"-o,--out FILE", &words->out,
         "Write the results here: .csv, or .h5 or .hdf5 for HDF5; FILE.scene.json beside it for the viewer"},
        {"--every N", &words->every, "Only every Nth step becomes a row (events always do)"},
        {"--vars PATTERN", &words->vars,
         "Only variables like this become columns, of any kind: 'crank.*', '*.w,engine.torque' "
         "(repeatable); without it all outputs do"},
        {"--set FMU.VARIABLE=VALUE", &words->set,
         "Change a parameter or start value: the FMU's name in the system, a dot, the variable's, "
         "as in --set crank.arm.mass=2 --set motor.on=true (repeatable); 'tenon info FILE "
         "--verbose' of the FMU lists them"},
        {"--isolate", &words->isolate,
         "Each FMU in a process of its own: a crash ends one FMU, not the command"},
        {"--accept-divergence", &words->accept_divergence,
         "FMUs that Tenon has made go on where the energy or the velocities of a step cannot be believed; "
         "without it the run "
         "fails there"},
        {"--realtime", OptionalWord{&words->realtime, "1"},
         "Keep to the clock: each macro step waits for its time; --realtime=2 runs twice as fast"},
        {"--save FILE.ssp", &words->save, "Write the system as SSP, with the FMUs in it, and run it"},
        {"--no-run", &words->no_run,
         "Only start the FMUs, say how they would be run and glued, and write what --save asks for"},
        {"--checkpoint FILE", &words->checkpoint, "Write what 'tenon resume' needs here, again and again"},
        {"--overwrite", &words->overwrite,
         "Begin anew although the checkpoint is of a run that is not finished"}};
    for (Option& option : words->common.options())
        options.push_back(std::move(option));
    return {"run",
            "Run a system of FMUs",
            options,
            "Example: tenon run car.toml --step 1e-3 --stop 20 --out car.h5 --checkpoint car.ckpt\n"
            "After a kill: tenon resume car.ckpt",
            [words] {
                words->common.run([&] { return request_of(*words); },
                                  {words->system, words->out, words->checkpoint});
            },
            refuse_system};
}

} // namespace tenon::verbs
