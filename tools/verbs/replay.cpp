// tenon replay CALLS FMU: makes the calls again that 'tenon run --trace' has written, and compares the answers.

#include "tools/files/errors.hpp"
#include "tools/host/isolated_slave.hpp"
#include "tools/import/fmu.hpp"
#include "tools/import/replayed_calls.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/verb.hpp"

#include <fmt/format.h>

#include <memory>

namespace tenon::verbs {
namespace {

struct ReplayWords {
    std::string calls, fmu;
    bool in_process = false, quiet = false;
};

void replay(const ReplayWords& words) {
    const fmi::Fmu fmu(words.fmu);
    const auto make = [&](const fmi::InstanceOptions& options) {
        return words.in_process ? fmu.instantiate(options) : host::instantiate_isolated(fmu, options);
    };
    std::string said; // last, of what matters
    const auto log = [&](fmi::Status status, const std::string&, const std::string& message) {
        if (status > fmi::Status::warning)
            said = "; it says: " + printable(message, 4096);
    };
    const fmi::ReplayResult result = fmi::replay_calls(words.calls, make, log);
    if (!result.difference.empty())
        throw Failure(ExitCode::computation,
                      fmt::format("{}:{}: {}{}", shown(words.calls), result.line, result.difference, said));
    if (!words.quiet)
        fmt::print("{} calls, all answered as in the record.\n", result.calls);
}

} // namespace

Verb replay_verb() {
    auto words = std::make_shared<ReplayWords>();
    return {"replay",
            "Make recorded calls of an FMU again and compare the answers",
            {{"CALLS", &words->calls, "The record: FOLDER/<fmu>.calls of 'tenon run --trace FOLDER'", true},
             {"FMU", &words->fmu, "The FMU", true},
             {"--in-process", &words->in_process,
              "In this process, for a debugger; without it a crash is an answer like others"},
             {"--quiet", &words->quiet, "Say nothing but what is different"}},
            "Example: tenon run car.toml --trace calls; tenon replay calls/engine.calls engine.fmu",
            [words] { replay(*words); }};
}

} // namespace tenon::verbs
