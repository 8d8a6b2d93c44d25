#include "tools/check/runner.hpp"

#include "tools/check/host_state.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unistd.h>

namespace tenon::check {
namespace {

using End = host::ChildReport::End;

/// After so many crashes in one list there is nothing more to learn from it.
constexpr int most_crashes = 5;

constexpr std::size_t shown_text = 120;

/// In the child: somewhere to write that is gone afterwards, and cannot be mistaken for the user's folder.
void move_to(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "work");
    std::filesystem::create_directories(folder / "tmp");
    std::filesystem::current_path(folder / "work");
    ::setenv("TMPDIR", (folder / "tmp").c_str(), 1);
}

void work_in_child(Probe& probe, const std::function<void(Probe&)>& work) {
    const HostState before = HostState::now();
    try {
        work(probe);
    } catch (const CallFailed& failure) {
        probe.error("call-failed", failure.what(),
                    "the call is legal here, and nothing was wrong with its arguments");
    } catch (const fmi::LoadError& failure) {
        probe.error("instantiate", failure.what());
    }
    Findings changes;
    before.compare(changes);
    for (const fmi::Finding& finding : changes.all())
        probe.report(finding);
}

std::string rule_of(End end) {
    switch (end) {
    case End::silent:
        return "hang";
    case End::exited:
        return "exit";
    case End::threw:
        return "exception";
    default:
        return "crash";
    }
}

std::string hint_of(End end) {
    switch (end) {
    case End::silent:
        return "a longer limit can be given with --timeout";
    case End::exited:
        return "an FMU must never end the process of its host";
    case End::threw:
        return "no exception may leave a function with C linkage: catch everything and return an error";
    default:
        return "run the FMU in a debugger or under the address sanitizer";
    }
}

} // namespace

/// How far a child came.
struct Runner::Outcome {
    host::ChildLimits limits;
    host::ChildReport report;
    std::vector<std::string> answers;
    std::optional<std::size_t> item; ///< the last one begun
};

Runner::Runner(Target target, RunnerOptions options, Findings& findings)
    : target_(std::move(target)), options_(std::move(options)), findings_(findings) {}

double Runner::seconds_left() const {
    return std::chrono::duration<double>(options_.end - std::chrono::steady_clock::now()).count();
}

Runner::Outcome Runner::run(const std::function<void(Probe&)>& work) {
    const double left = seconds_left();
    if (!(left > 0))
        throw OutOfTime();
    Outcome outcome;
    host::ChildLimits& limits = outcome.limits = options_.limits;
    limits.seconds = std::min({limits.seconds, patience_, left});
    const std::filesystem::path folder = target_.scratch / fmt::format("child-{}", ++children_);
    trace_.clear();
    outcome.report = run_in_child(
        [&](const host::ChildChannel& channel) {
            move_to(folder);
            Probe probe(target_, check_, trace_, channel);
            work_in_child(probe, work);
        },
        limits, options_.cancelled);
    if (outcome.report.end == End::cancelled)
        throw Cancelled();
    // With less time than a check may have, silence says nothing about the FMU.
    const bool out_of_time =
        outcome.report.end == End::silent && limits.seconds < std::min(options_.limits.seconds, patience_);
    for (const std::string& message : outcome.report.messages) {
        Unpacker content(std::string_view(message).substr(message.empty() ? 0 : 1));
        switch (message.empty() ? ProbeMessage{} : static_cast<ProbeMessage>(message.front())) {
        case ProbeMessage::finding:
            findings_.add(content.get<fmi::Finding>());
            break;
        case ProbeMessage::answer:
            outcome.answers.push_back(message.substr(1));
            break;
        case ProbeMessage::item:
            outcome.item = content.get<std::size_t>();
            break;
        }
    }
    judge_traces(outcome.report, folder);
    std::error_code ignored; // it is inside a temporary folder that is removed in any case
    std::filesystem::remove_all(folder, ignored);
    if (out_of_time)
        throw OutOfTime();
    return outcome;
}

Runner::Answer Runner::in_child(const std::function<void(Probe&)>& work) {
    Outcome outcome = run(work);
    if (!outcome.report.finished())
        judge_end(outcome, {});
    return {outcome.report.finished(), std::move(outcome.answers)};
}

std::vector<std::string> Runner::each(std::size_t items, const std::function<bool(Probe&, std::size_t)>& work,
                                      const std::function<std::string(std::size_t)>& name) {
    std::vector<std::string> answers;
    std::size_t next = 0;
    int crashes = 0;
    const bool one_each = description().capabilities.only_once_per_process;
    while (next < items && crashes <= most_crashes) {
        const Outcome outcome = run([&](Probe& probe) {
            bool good = true;
            for (std::size_t item = next; item < items && good; ++item) {
                probe.begin_item(item);
                good = work(probe, item) && !one_each;
            }
        });
        answers.insert(answers.end(), outcome.answers.begin(), outcome.answers.end());
        if (!outcome.report.finished()) {
            ++crashes;
            judge_end(outcome, outcome.item ? name(*outcome.item) : std::string());
        }
        if (!outcome.item)
            return answers;
        next = *outcome.item + 1;
    }
    if (next < items)
        findings_.note("skipped", check_,
                       fmt::format("{} of {} cases were left out after {} that ended their process",
                                   items - next, items, crashes));
    return answers;
}

void Runner::judge_end(const Outcome& outcome, const std::string& item) {
    const host::ChildReport& report = outcome.report;
    findings_.error(
        rule_of(report.end), check_,
        fmt::format("{}{}, {}", item.empty() ? item : item + ": ",
                    printable(describe_end(report, outcome.limits), shown_text), trace_.describe()),
        report.end == End::silent && patience_ < options_.limits.seconds ? "" : hint_of(report.end));
}

/// What the child leaves behind: printed text, files in its working directory.
void Runner::judge_traces(const host::ChildReport& report, const std::filesystem::path& folder) {
    if (!report.printed.empty() && !prints_) {
        prints_ = true; // once is enough: it will do so in every check
        findings_.warning(
            "prints", check_,
            fmt::format("prints on standard output or error: '{}'", printable(report.printed, shown_text)),
            "send messages to the logger of the host");
    }
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "work", none))
        findings_.warning("writes-files", {},
                          fmt::format("writes '{}' into the working directory",
                                      printable(entry.path().filename().string())),
                          "only files that the user asked for, in places that the user chose");
}

} // namespace tenon::check
