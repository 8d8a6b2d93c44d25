#pragma once
// The list that checks write into.

#include "modelDescription/checker.hpp"

#include <algorithm>
#include <utility>

namespace tenon::check {

/// Findings in the order in which they were made; the same one twice is there once.
class Findings {
  public:
    void add(fmi::Finding finding) {
        const bool known = std::any_of(all_.begin(), all_.end(), [&](const fmi::Finding& other) {
            return other.severity == finding.severity && other.rule == finding.rule &&
                   other.place == finding.place && other.message == finding.message;
        });
        if (!known)
            all_.push_back(std::move(finding));
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
    std::vector<fmi::Finding> all_;
};

} // namespace tenon::check
