#pragma once
// The whole check of an FMU: its archive, its description, its libraries, and how it behaves.

#include "tools/check/findings.hpp"
#include "tools/host/child.hpp"

#include <filesystem>

namespace tenon::check {

/// The rule of a file that is too broken to be looked into: the only finding then that says why the check ended.
constexpr const char* unusable_rule = "unusable";

struct CheckOptions {
    bool dynamic = true;
    bool strict = false;           ///< what is against the letter of FMI is an error
    std::vector<std::string> only; ///< names of dynamic checks; empty: all of them
    host::ChildLimits limits;      ///< of one check, or of one case of it
    double budget = 30;            ///< seconds for everything; what comes later is left out
    /// Told before each dynamic check: its name, its number from 0, and how many there are.
    std::function<void(std::string_view name, int number, int count)> progress;
    std::function<bool()> cancelled;
};

/// A part of the check that was made or left out.
struct CheckStage {
    std::string name, what;
    std::string skipped; ///< why; empty: it was made
    double seconds = 0;
};

struct CheckReport {
    Findings findings;
    std::vector<CheckStage> stages;
    std::string model_name, fmi_version; ///< empty where there is no description
    std::string not_run;                 ///< why nothing of the FMU was run; empty: it was
    double seconds = 0;

    long count(fmi::Severity severity) const;
};

/// The names that CheckOptions::only knows.
std::vector<std::string> dynamic_check_names();

/// Never throws for what is wrong inside the file: that is a finding. Throws InputError(unreadable) where it cannot be read, and
/// Cancelled (tools/check/runner.hpp).
CheckReport check_fmu(const std::filesystem::path& file, const CheckOptions& options);

} // namespace tenon::check
