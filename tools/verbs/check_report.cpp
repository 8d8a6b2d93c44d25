#include "tools/verbs/check_report.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/verbs/console.hpp"

#include <array>
#include <fmt/format.h>

namespace tenon::verbs {
namespace {

using check::CheckReport;
using check::CheckStage;
using fmi::Finding;
using fmi::Severity;

constexpr std::array severities = {Severity::error, Severity::warning, Severity::note};
constexpr std::size_t longest_text = 1000;

std::string_view name_of(Severity severity) {
    static constexpr std::array<std::string_view, 3> names = {"note", "warning", "error"};
    return names[static_cast<std::size_t>(severity)];
}

Style style_of(Severity severity) {
    return severity == Severity::error     ? Style::red
           : severity == Severity::warning ? Style::yellow
                                           : Style::dim;
}

std::size_t widest_rule(const std::vector<Finding>& findings, bool verbose) {
    std::size_t width = 0;
    for (const Finding& finding : findings)
        if (verbose || finding.severity != Severity::note)
            width = std::max(width, finding.rule.size());
    return width;
}

void print_finding(const Finding& finding, std::size_t rule_width, std::FILE* stream) {
    constexpr std::size_t severity_width = 7; // "warning"
    const std::string place = finding.place.empty() ? "" : printable(finding.place, longest_text) + ": ";
    fmt::print(stream, "{}  {:<{}}  {}{}\n",
               styled(fmt::format("{:<{}}", name_of(finding.severity), severity_width),
                      style_of(finding.severity), stream),
               printable(finding.rule), rule_width, place, printable(finding.message, longest_text));
    if (!finding.hint.empty())
        fmt::print(stream, "{:{}}{}\n", "", severity_width + 2 + rule_width + 2,
                   styled(printable(finding.hint, longest_text), Style::dim, stream));
}

void print_stages(const std::vector<CheckStage>& stages, std::FILE* stream) {
    TextTable table({Align::left, Align::right, Align::left});
    for (const CheckStage& stage : stages)
        table.add({stage.name, stage.skipped.empty() ? duration(stage.seconds) : "left out",
                   stage.skipped.empty() ? stage.what : stage.skipped});
    fmt::print(stream, "\n{}\n", styled("Checks", Style::bold, stream));
    table.print(stream, 2);
}

} // namespace

std::string finding_counts(const CheckReport& report) {
    return fmt::format("{}, {} and {}", counted(report.count(Severity::error), "error"),
                       counted(report.count(Severity::warning), "warning"),
                       counted(report.count(Severity::note), "note"));
}

void print_check(const CheckReport& report, const std::string& file, bool verbose, std::FILE* stream) {
    fmt::print(stream, "{}{}\n", styled(printable(file, longest_text), Style::bold, stream),
               report.fmi_version.empty()
                   ? std::string()
                   : fmt::format("  ({}, FMI {})", printable(report.model_name, 200), report.fmi_version));
    const std::vector<Finding>& findings = report.findings.all();
    const std::size_t width = widest_rule(findings, verbose);
    for (const Severity severity : severities)
        for (const Finding& finding : findings)
            if (finding.severity == severity && (verbose || severity != Severity::note))
                print_finding(finding, width, stream);
    if (verbose)
        print_stages(report.stages, stream);
    const auto left_out = std::count_if(report.stages.begin(), report.stages.end(),
                                        [](const CheckStage& stage) { return !stage.skipped.empty(); });
    const bool good = report.count(Severity::error) == 0;
    const std::string not_run =
        !good || report.not_run.empty()
            ? ""
            : fmt::format(", but nothing was run ({})", printable(report.not_run, longest_text));
    fmt::print(stream, "{}{}: {} in {}, {}{}{}\n",
               styled(good ? "passed" : "failed", good ? Style::green : Style::red, stream),
               styled(not_run, Style::yellow, stream), finding_counts(report), duration(report.seconds),
               counted(static_cast<long>(report.stages.size()) - left_out, "check"),
               left_out > 0 ? fmt::format(" ({} left out)", left_out) : "",
               !verbose && report.count(Severity::note) + left_out > 0 ? "; --verbose tells more" : "");
}

std::string check_json(const CheckReport& report, const std::string& file, const std::string& status,
                       const std::string& message) {
    JsonWriter json;
    json.object();
    json.member("status", status).member("message", message).member("version", TENON_VERSION);
    json.member("file", file).member("model", report.model_name).member("fmi_version", report.fmi_version);
    json.member("errors", report.count(Severity::error));
    json.member("warnings", report.count(Severity::warning));
    json.member("notes", report.count(Severity::note));
    json.member("wall_seconds", report.seconds);
    json.member("ran", report.not_run.empty()).member("not_run", report.not_run);
    json.key("findings").array();
    for (const Finding& finding : report.findings.all()) {
        json.object().member("severity", name_of(finding.severity)).member("rule", finding.rule);
        json.member("place", finding.place)
            .member("message", finding.message)
            .member("hint", finding.hint)
            .end();
    }
    json.end();
    json.key("checks").array();
    for (const CheckStage& stage : report.stages)
        json.object()
            .member("name", stage.name)
            .member("what", stage.what)
            .member("skipped", stage.skipped)
            .member("seconds", stage.seconds)
            .end();
    json.end().end();
    return json.text();
}

} // namespace tenon::verbs
