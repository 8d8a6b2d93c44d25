// tenon check FILE.fmu: whether an FMU, anybody's, keeps the rules of FMI and its own promises.

#include "core/model/suggest.hpp"
#include "tools/check/check_fmu.hpp"
#include "tools/check/runner.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/run/names.hpp"
#include "tools/system/system_file.hpp"
#include "tools/verbs/check_html.hpp"
#include "tools/verbs/check_report.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/interrupt.hpp"
#include "tools/verbs/outputs.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace tenon::verbs {
namespace {

/// The words as given; numbers are read by run() so that their errors are ours.
struct CheckWords {
    std::string file, timeout, budget, memory, json, html;
    std::vector<std::string> only;
    bool only_static = false;
    bool strict = false;
    bool quiet = false;
    bool verbose = false;
};

/// The name of the check under way, on standard error where that is a terminal.
class CheckProgress {
  public:
    explicit CheckProgress(bool wanted) : on_(wanted && is_terminal(stderr)) {}
    ~CheckProgress() {
        if (on_)
            fmt::print(stderr, "\r\x1b[K");
    }
    CheckProgress(const CheckProgress&) = delete;
    CheckProgress& operator=(const CheckProgress&) = delete;

    void show(std::string_view name, int number, int count) const {
        constexpr int width = 30;
        if (!on_)
            return;
        const int full = width * number / std::max(count, 1);
        fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {}/{} {}\x1b[K", "", full, "", width - full, number + 1, count,
                   name);
        std::fflush(stderr);
    }

  private:
    bool on_;
};

class CheckRun {
  public:
    explicit CheckRun(const CheckWords& options) : options_(options) {
        options_.json = output_file(options_.json);
        options_.html = output_file(options_.html);
    }

    void run() {
        const WriteSignalGuard guard;
        std::optional<Failure> failure;
        try {
            check();
        } catch (const check::Cancelled&) {
            failure = Failure(ExitCode::interrupted,
                              fmt::format("{}: interrupted; nothing is known", options_.file));
        } catch (...) {
            failure = as_failure(std::current_exception());
        }
        if (!failure && report_.count(fmi::Severity::error) > 0)
            failure = Failure(ExitCode::input, why_it_failed());
        if (checked_ && !options_.quiet && !is_stdout(options_.json) && !is_stdout(options_.html))
            print_check(report_, options_.file, options_.verbose, stdout);
        std::fflush(stdout); // before what goes to standard error
        if (checked_ && !options_.html.empty())
            write_text_file(options_.html, check_html(report_, options_.file));
        write_json(failure);
        if (failure)
            throw *failure;
    }

  private:
    void check() {
        refuse_same_files({{"the FMU", options_.file}, {"--json", options_.json}, {"--html", options_.html}});
        refuse_input_names({{"--json", options_.json}, {"--html", options_.html}});
        json_is_usable_ = true;
        refuse_other_kinds();
        check::CheckOptions options;
        options.dynamic = !options_.only_static;
        options.strict = options_.strict;
        options.only = known_checks(options_.only);
        if (!options_.timeout.empty())
            options.limits.seconds = run::parse_positive(options_.timeout, "--timeout");
        if (!options_.budget.empty())
            options.budget = run::parse_positive(options_.budget, "--budget");
        if (!options_.memory.empty())
            options.limits.memory = bytes_of(run::parse_positive(options_.memory, "--memory"));
        const InterruptGuard interrupt;
        const CheckProgress progress(!options_.quiet);
        options.progress = [&](std::string_view name, int number, int count) {
            progress.show(name, number, count);
        };
        options.cancelled = [&] { return interrupt.raised(); };
        report_ = check::check_fmu(options_.file, options);
        checked_ = true;
    }

    /// Models and systems have verbs of their own. What is broken or something else is for the checks to say.
    void refuse_other_kinds() const {
        const std::filesystem::path file = options_.file;
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored) || (file.extension() != ".toml" && !is_ssp(file)))
            return;
        const std::string name = printable(options_.file, 4096);
        if (system::file_kind(file) == system::FileKind::model)
            throw Failure(ExitCode::input,
                          fmt::format("{0}: a model, and 'check' is for FMUs; 'tenon info {0}' checks it, "
                                      "'tenon export {0}' makes an FMU of it",
                                      name));
        throw Failure(ExitCode::input,
                      fmt::format("{0}: a system, and 'check' is for FMUs; 'tenon info {0}' checks it, "
                                  "'tenon run {0} --no-run' starts its FMUs, too",
                                  name));
    }

    static bool is_ssp(const std::filesystem::path& file) {
        try {
            return system::file_kind(file) == system::FileKind::ssp && file.extension() != ".fmu";
        } catch (const InputError&) {
            return false;
        }
    }

    static const std::vector<std::string>& known_checks(const std::vector<std::string>& names) {
        const std::vector<std::string> known = check::dynamic_check_names();
        for (const std::string& name : names)
            if (std::find(known.begin(), known.end(), name) == known.end())
                throw Failure(ExitCode::usage, fmt::format("unknown check '{}'; {}", printable(name),
                                                           suggestion(name, known)));
        return names;
    }

    /// One line: the reason where the file is broken, a count where its content is wrong.
    std::string why_it_failed() const {
        for (const fmi::Finding& finding : report_.findings.all())
            if (finding.rule == check::unusable_rule)
                return finding.message;
        return fmt::format("{}: {} found", options_.file, finding_counts(report_));
    }

    static std::uint64_t bytes_of(double gigabytes) {
        constexpr double giga = 1 << 30, most = 1 << 20; // a petabyte is no limit any more
        return static_cast<std::uint64_t>(std::min(gigabytes, most) * giga);
    }

    void write_json(const std::optional<Failure>& failure) {
        if (options_.json.empty() || !json_is_usable_)
            return;
        write_summary_file(
            options_.json,
            check_json(report_, options_.file, status_of(failure), failure ? failure->what() : ""),
            failure.has_value());
    }

    CheckWords options_;
    check::CheckReport report_;
    bool checked_ = false;
    bool json_is_usable_ = false; ///< it names no other file of this run
};

} // namespace

Verb check_verb() {
    auto options = std::make_shared<CheckWords>();
    return {"check",
            "Check an FMU: its archive, its description and how it behaves",
            {{"FMU", &options->file, "The FMU, of FMI 2.0 or 3.0", true},
             {"--static", &options->only_static, "Only look at the file; run nothing that is in it"},
             {"--only NAME", &options->only,
              "Of the dynamic checks make only this one (repeatable); --verbose lists them"},
             {"--strict", &options->strict,
              "What is against the letter of FMI, although it does no harm, is an error"},
             {"--timeout T", &options->timeout, "Seconds that one check may take without an answer (20)"},
             {"--budget SECONDS", &options->budget,
              "Seconds for the whole check (30); what does not fit in is left out, and said"},
             {"--memory GB", &options->memory, "Gigabytes of address space that the FMU may use (4)"},
             {"--json FILE", &options->json, "Write all findings for programs, also when the check fails"},
             {"--html FILE", &options->html,
              "Write a report for whoever made the FMU: one page that needs nothing else"},
             {"--quiet", &options->quiet, "Say nothing but whether it failed"},
             {"--verbose", &options->verbose, "Show notes too, and what was checked", false, {"--quiet"}}},
            "The FMU runs in processes of its own: a crash or a hang is a finding.\n"
            "Example: tenon check crank.fmu --json crank.json",
            [options] { CheckRun(*options).run(); },
            refuse_model};
}

} // namespace tenon::verbs
