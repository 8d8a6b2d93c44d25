#include "tools/files/finding.hpp"

#include "tools/files/json.hpp"

#include <fmt/format.h>

namespace tenon {
namespace {

constexpr std::size_t kept_of_a_rule = 25;

} // namespace

std::string one_line(const Finding& finding) {
    return fmt::format("{}{}{}{}{}", finding.place, finding.place.empty() ? "" : ": ", finding.message,
                       finding.hint.empty() ? "" : "; ", finding.hint);
}

void FindingList::add(Finding finding) {
    ++total_;
    if (++counts_[finding.rule] <= kept_of_a_rule)
        kept_.push_back(std::move(finding));
}

void FindingList::add(std::string rule, std::string place, std::string message, std::string hint) {
    add({Severity::warning, std::move(rule), std::move(place), std::move(message), std::move(hint)});
}

void FindingList::add(const FindingList& more) {
    for (const Finding& finding : more.kept_)
        add(finding);
    for (const auto& [rule, count] : more.counts_) {
        const std::size_t beyond = count - std::min(count, kept_of_a_rule);
        counts_[rule] += beyond;
        total_ += beyond;
    }
}

std::size_t FindingList::count(const std::string& rule) const {
    const auto found = counts_.find(rule);
    return found == counts_.end() ? 0 : found->second;
}

std::vector<Finding> FindingList::all() const {
    std::vector<Finding> findings = kept_;
    for (const auto& [rule, count] : counts_)
        if (count > kept_of_a_rule)
            for (const Finding& one : kept_)
                if (one.rule == rule) {
                    findings.push_back({one.severity, rule, "",
                                        fmt::format("and {} more of these", count - kept_of_a_rule), ""});
                    break;
                }
    return findings;
}

void write_findings(JsonWriter& json, std::string_view key, const std::vector<Finding>& findings) {
    json.key(key).array();
    for (const Finding& finding : findings)
        json.object()
            .member("rule", finding.rule)
            .member("place", finding.place)
            .member("message", finding.message)
            .member("hint", finding.hint)
            .end();
    json.end();
}

} // namespace tenon
