#pragma once
// The list that checks write into.

#include "tools/check/severity.hpp"

#include <algorithm>
#include <utility>

namespace tenon::check {

/// Findings in the order in which they were made, with the severity that they have for a run; the same one twice is there once.
class Findings {
  public:
    void add(fmi::Finding finding) {
        finding.severity = weighed(finding);
        keep(std::move(finding));
    }
    /// As an error, whatever it means for a run.
    void refuse(fmi::Finding finding) {
        finding.severity = fmi::Severity::error;
        keep(std::move(finding));
    }
    void error(std::string rule, std::string place, std::string message, std::string hint = {}) {
        add({fmi::Severity::error, std::move(rule), std::move(place), std::move(message), std::move(hint)});
    }
    void warning(std::string rule, std::string place, std::string message, std::string hint = {}) {
        add({fmi::Severity::warning, std::move(rule), std::move(place), std::move(message), std::move(hint)});
    }
    void note(std::string rule, std::string place, std::string message, std::string hint = {}) {
        add({fmi::Severity::note, std::move(rule), std::move(place), std::move(message), std::move(hint)});
    }

    const std::vector<fmi::Finding>& all() const { return all_; }

  private:
    void keep(fmi::Finding finding) {
        const bool known = std::any_of(all_.begin(), all_.end(), [&](const fmi::Finding& other) {
            return other.severity == finding.severity && other.rule == finding.rule &&
                   other.place == finding.place && other.message == finding.message;
        });
        if (!known)
            all_.push_back(std::move(finding));
    }

    std::vector<fmi::Finding> all_;
};

} // namespace tenon::check
