#include "tools/verbs/check_html.hpp"

#include "tools/files/errors.hpp"
#include "tools/verbs/check_report.hpp"
#include "tools/verbs/console.hpp"

#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace tenon::verbs {
namespace {

using check::CheckReport;
using check::CheckStage;
using fmi::Finding;
using fmi::Severity;

constexpr std::size_t longest_line = 4000;

/// Control characters and bytes that are no UTF-8 go first, then what HTML has a meaning for.
std::string text(const std::string& raw) {
    std::string result;
    for (const char c : printable(raw, longest_line))
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '\'':
            result += "&#39;";
            break;
        default:
            result += c;
        }
    return result;
}

struct Kind {
    Severity severity;
    const char *word, *plural, *meaning;
};
constexpr std::array kinds = {
    Kind{Severity::error, "error", "Errors", "These break a run or make its numbers wrong."},
    Kind{Severity::warning, "warning", "Warnings", "Other tools or machines will have trouble with these."},
    Kind{Severity::note, "note", "Notes",
         "Worth knowing: robustness against wrong use, and what was measured."}};

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #1c1c1c; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.sum { color: #555; } .means { color: #555; margin-top: -.6rem; }
.finding { border-left: 4px solid #999; padding: .3rem .8rem; margin: .7rem 0; background: #f7f7f7; overflow-wrap: anywhere; }
.error { border-color: #c0262d; } .warning { border-color: #c77f00; } .note { border-color: #4a7ab0; }
.rule { font-family: ui-monospace, monospace; font-weight: 600; } .place { color: #555; }
.hint { color: #333; font-style: italic; margin-top: .2rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #ddd; }
td.time { text-align: right; white-space: nowrap; }
</style>
)";

std::string finding_text(const Finding& finding, const Kind& kind) {
    std::string html = fmt::format("<div class=\"finding {}\"><span class=\"rule\">{}</span>", kind.word,
                                   text(finding.rule));
    if (!finding.place.empty())
        html += fmt::format(" <span class=\"place\">{}</span>", text(finding.place));
    html += fmt::format("<div>{}</div>", text(finding.message));
    if (!finding.hint.empty())
        html += fmt::format("<div class=\"hint\">{}</div>", text(finding.hint));
    return html + "</div>\n";
}

std::string section(const CheckReport& report, const Kind& kind) {
    if (report.count(kind.severity) == 0)
        return {};
    std::string html = fmt::format("<h2>{} ({})</h2>\n<p class=\"means\">{}</p>\n", kind.plural,
                                   report.count(kind.severity), kind.meaning);
    for (const Finding& finding : report.findings.all())
        if (finding.severity == kind.severity)
            html += finding_text(finding, kind);
    return html;
}

std::string stage_rows(const std::vector<CheckStage>& stages) {
    std::string html;
    for (const CheckStage& stage : stages)
        html += fmt::format(
            "<tr><td>{}</td><td>{}</td><td class=\"time\">{}</td></tr>\n", text(stage.name), text(stage.what),
            stage.skipped.empty() ? text(duration(stage.seconds)) : "left out: " + text(stage.skipped));
    return html;
}

} // namespace

std::string check_html(const CheckReport& report, const std::string& file) {
    const std::string name = text(std::filesystem::path(file).filename().string());
    std::string html(head);
    html += fmt::format(
        "<title>Check of {0}</title>\n</head>\n<body>\n<h1>Check of {0}</h1>\n<p class=\"sum\">", name);
    if (!report.fmi_version.empty())
        html += fmt::format("{}, FMI {}. ", text(report.model_name), text(report.fmi_version));
    html +=
        fmt::format("{}: {}, by Tenon {} in {}.", report.count(Severity::error) == 0 ? "Passed" : "Failed",
                    finding_counts(report), TENON_VERSION, text(duration(report.seconds)));
    if (!report.not_run.empty())
        html += fmt::format(" Nothing of the FMU was run: {}.", text(report.not_run));
    html += "</p>\n";
    for (const Kind& kind : kinds)
        html += section(report, kind);
    return html +
           "<h2>What was checked</h2>\n<table>\n<tr><th>Check</th><th>Sentence</th><th>Time</th></tr>\n" +
           stage_rows(report.stages) + "</table>\n</body>\n</html>\n";
}

} // namespace tenon::verbs
