#include "tools/check/check_fmu.hpp"

#include "tools/check/binary_checks.hpp"
#include "tools/check/content_checks.hpp"
#include "tools/check/dynamic_checks.hpp"
#include "tools/check/severity.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/import/platform.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace tenon::check {
namespace {

/// A year: no limit any more.
constexpr double longest_budget = 365 * 24 * 3600.0;

/// An FMU that does not answer a call that no master makes is waited for so many times as long as its ordinary run took.
constexpr double patience_in_runs = 20, least_patience = 2;

class Checker {
  public:
    Checker(const std::filesystem::path& file, const CheckOptions& options)
        : file_(file), options_(options),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(std::min(options.budget, longest_budget)))) {}

    CheckReport run() {
        const Clock::time_point begun = Clock::now();
        const auto fmu = check_static();
        if (!options_.dynamic)
            report_.not_run = "only the file was looked at";
        else if (!fmu)
            report_.not_run = "the file is broken";
        else
            check_dynamic(*fmu);
        report_.seconds = seconds_since(begun);
        return std::move(report_);
    }

  private:
    Findings& findings() { return report_.findings; }

    /// Makes one stage, and notes how long it took.
    template <class Work> auto stage(std::string_view name, std::string_view what, const Work& work) {
        const Clock::time_point begun = Clock::now();
        const auto result = work();
        report_.stages.push_back({std::string(name), std::string(what), {}, seconds_since(begun)});
        return result;
    }

    /// The same where the FMU runs: false, with a note, where the time of the whole check ends first.
    template <class Work> bool in_time(std::string_view name, std::string_view what, const Work& work) {
        try {
            return stage(name, what, work);
        } catch (const OutOfTime&) {
            const std::string why =
                fmt::format("the time was used up ({} s); --budget gives more", options_.budget);
            if (!out_of_time_)
                findings().note("left-out", std::string(name), why);
            out_of_time_ = true;
            skip(name, what, why);
            return false;
        }
    }

    void skip(std::string_view name, std::string_view what, const std::string& why) {
        report_.stages.push_back({std::string(name), std::string(what), why, 0});
    }

    /// Nothing where the file is too broken to go on.
    std::optional<fmi::Fmu> check_static() {
        try {
            const bool complete = stage("archive", "the archive is packed as the standard says", [&] {
                const Archive archive(file_);
                check_entries(archive, findings());
                return archive.has("modelDescription.xml");
            });
            if (!complete)
                return {};
            std::optional<fmi::Fmu> fmu;
            stage("description", "the description keeps the rules beyond the schema", [&] {
                fmu.emplace(file_);
                take_deviations(fmu->deviations());
                for (const Finding& finding : fmi::findings_of(fmu->description()).advice.all())
                    findings().add(finding);
                check_content(fmu->archive(), fmu->description(), findings());
                return true;
            });
            report_.model_name = fmu->description().model_name;
            report_.fmi_version = fmu->description().version == fmi::Version::fmi2 ? "2.0" : "3.0";
            stage("binaries", "the libraries export what they must and need what every system has", [&] {
                check_binaries(fmu->archive(), fmu->description(), findings());
                return true;
            });
            return fmu;
        } catch (const InputError& error) {
            if (error.fault() == InputFault::unreadable)
                throw;
            findings().error(unusable_rule, {}, error.what());
            return {};
        }
    }

    void take_deviations(const FindingList& deviations) {
        for (Finding& finding : deviations.all()) {
            if (finding.rule == "symbol-missing") // check_binaries() looks at all functions
                continue;
            if (options_.strict)
                findings().refuse(std::move(finding));
            else
                findings().add(std::move(finding));
        }
    }

    /// Why the FMU cannot be run here; empty where it can.
    std::string cannot_run(const fmi::Fmu& fmu) const {
        if (!fmu.description().has_co_simulation)
            return "the FMU has no Co-Simulation";
        if (fmu.binary().empty())
            return missing_library(fmu.archive(), fmu.description());
        return {};
    }

    void check_dynamic(const fmi::Fmu& fmu) {
        if (const std::string why = cannot_run(fmu); !why.empty()) {
            findings().note("dynamic-skipped", {}, why);
            skip("dynamic", "how the FMU behaves", why);
            report_.not_run = why;
            return;
        }
        const TemporaryFolder folder;
        Runner runner(unpack(fmu, std::filesystem::absolute(folder.path())),
                      {options_.limits, end_, options_.cancelled}, findings());
        tell("load");
        if (!in_time("load", "the library can be loaded", [&] { return check_loading(runner); }))
            return;
        tell("run");
        const bool runs = in_time("run", "an ordinary run succeeds", [&] { return check_run(runner); });
        patience_ = std::max(patience_in_runs * report_.stages.back().seconds, least_patience);
        for (const DynamicCheck& check : dynamic_checks())
            if (wanted(check))
                make(check, runner, runs);
        stage("resources", "the FMU does not write into its resources", [&] {
            check_resources(runner);
            return true;
        });
    }

    bool wanted(const DynamicCheck& check) const {
        return options_.only.empty() ||
               std::find(options_.only.begin(), options_.only.end(), check.name) != options_.only.end();
    }

    static Target unpack(const fmi::Fmu& fmu, const std::filesystem::path& folder) {
        const std::string entry = fmu.binary();
        fmu.archive().unpack(folder, entry.substr(0, entry.rfind('/')));
        fmu.archive().unpack(folder, "resources");
        std::filesystem::create_directories(folder / "resources");
        const bool has_resources = !std::filesystem::is_empty(folder / "resources");
        return {fmu,           folder / entry,      folder / "resources",
                has_resources, folder / "children", choose_experiment(fmu.description())};
    }

    void make(const DynamicCheck& check, Runner& runner, bool runs) {
        const std::string why =
            check.needs_run && !runs ? "the ordinary run failed" : check.unfit(runner.description());
        if (!why.empty()) {
            skip(check.name, check.what, why);
            return;
        }
        tell(check.name);
        runner.begin(check.name, is_of_robustness(check.name) ? patience_ : options_.limits.seconds);
        in_time(check.name, check.what, [&] {
            check.run(runner);
            return true;
        });
    }

    void tell(std::string_view name) {
        if (options_.progress)
            options_.progress(
                name, told_,
                static_cast<int>(options_.only.empty() ? dynamic_checks().size() : options_.only.size()) + 2);
        ++told_;
    }

    const std::filesystem::path& file_;
    const CheckOptions& options_;
    CheckReport report_;
    Clock::time_point end_;
    double patience_ = least_patience; ///< seconds without an answer in checks of robustness
    bool out_of_time_ = false;
    int told_ = 0;
};

} // namespace

long CheckReport::count(fmi::Severity severity) const {
    return std::count_if(findings.all().begin(), findings.all().end(),
                         [&](const fmi::Finding& finding) { return finding.severity == severity; });
}

std::vector<std::string> dynamic_check_names() {
    std::vector<std::string> names;
    for (const DynamicCheck& check : dynamic_checks())
        names.emplace_back(check.name);
    return names;
}

CheckReport check_fmu(const std::filesystem::path& file, const CheckOptions& options) {
    return Checker(file, options).run();
}

} // namespace tenon::check
