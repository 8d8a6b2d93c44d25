#include "tools/verbs/system_summary.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/text_file.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/summary.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tenon::verbs {
namespace {

/// The longest first.
std::vector<master::FmuReport> by_time(std::vector<master::FmuReport> fmus) {
    std::ranges::stable_sort(fmus, std::ranges::greater(), &master::FmuReport::seconds);
    return fmus;
}

std::string percent(double part, double whole) {
    return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

void print_fmus(const SystemSummary& s, bool verbose, std::FILE* stream) {
    using Align = TextTable::Align;
    TextTable table({Align::left, Align::right, Align::right, Align::right},
                    {"fmu", "time", "of the wall time", verbose ? "steps" : ""});
    const double whole = s.earlier_seconds + s.wall_seconds; // times of FMUs are kept in checkpoints, too
    double rest = whole;
    for (const master::FmuReport& fmu : by_time(s.report.fmus)) {
        rest -= fmu.seconds;
        table.add({fmu.name, duration(fmu.seconds), percent(fmu.seconds, whole),
                   verbose ? std::to_string(fmu.dosteps) : ""});
    }
    if (rest > 0) // with several threads the FMUs take more than the clock
        table.add({"(master, results)", duration(rest), percent(rest, whole), ""});
    fmt::print(stream, "\n");
    table.print(stream);
}

} // namespace

namespace {

void joint_json(JsonWriter& json, const master::JointReport& joint) {
    json.object().member("name", joint.name).member("method", joint.method).member("gap", joint.gap);
    json.member("work_a", joint.work_a).member("work_b", joint.work_b);
    // Beyond the contract:
    json.member("driver_work", joint.driver_work).member("residual", joint.residual);
    json.member("largest_residual", joint.largest_residual);
    json.member("work_a_from", joint.measured_a ? "fmu" : "quadrature");
    json.member("work_b_from", joint.measured_b ? "fmu" : "quadrature");
    json.member("rows", joint.rows).member("redundant", joint.redundant).end();
}

/// Gap, works and what is left of their sum, joint by joint.
void print_joints(const SystemSummary& s, bool verbose, std::FILE* stream) {
    using Align = TextTable::Align;
    std::vector<Align> align(verbose ? 8 : 6, Align::right);
    align[0] = align[1] = Align::left;
    std::vector<std::string> head = {"joint", "method", "largest gap", "work on a", "work on b", "left over"};
    if (verbose)
        head.insert(head.end(), {"in one step", "redundant rows"});
    TextTable table(align, head);
    const auto joules = [](double work, bool measured) {
        return fmt::format("{} J{}", short_number(work), measured ? "" : " (by quadrature)");
    };
    for (const master::JointReport& joint : s.report.joints) {
        std::vector<std::string> row = {joint.name,
                                        joint.method,
                                        short_number(joint.gap),
                                        joules(joint.work_a, joint.measured_a),
                                        joules(joint.work_b, joint.measured_b),
                                        fmt::format("{} J", short_number(joint.residual))};
        if (verbose)
            row.insert(row.end(), {fmt::format("{} J", short_number(joint.largest_residual)),
                                   fmt::format("{} of {}", joint.redundant, joint.rows)});
        table.add(row);
    }
    fmt::print(stream, "\n");
    table.print(stream);
}

} // namespace

std::string to_json(const SystemSummary& s) {
    JsonWriter json;
    json.object();
    json.member("status", s.status).member("message", s.message).member("version", TENON_VERSION);
    json.member("model", s.system).member("master", s.method);
    json.member("step", s.step).member("stop", s.stop).member("end_time", s.end_time);
    json.member("steps", s.report.steps).member("iterations", s.report.iterations);
    json.member("wall_seconds", s.wall_seconds);
    // Of joints between FMUs and of the machines in them; a system of signals has neither.
    const bool glued = !s.report.joints.empty();
    json.member("max_position_violation", glued ? s.report.max_gap : NAN);
    json.member("max_velocity_violation", glued ? s.report.max_gap_rate : NAN);
    json.member("energy_start", s.report.energy_start).member("energy_end", s.report.energy_end);
    json.member("max_energy_error", s.report.max_energy_error);
    if (glued)
        json.member("rank_deficiency", s.report.rank_deficiency);
    else
        json.key("rank_deficiency").null();
    json.member("dosteps", s.report.dosteps).member("rollbacks", s.report.rollbacks);
    json.key("joints").array();
    for (const master::JointReport& joint : s.report.joints)
        joint_json(json, joint);
    json.end();
    json.key("fmus").array();
    for (const master::FmuReport& fmu : s.report.fmus)
        json.object()
            .member("name", fmu.name)
            .member("seconds", fmu.seconds)
            .member("dosteps", fmu.dosteps)
            .end();
    json.end();
    // Beyond the contract:
    json.member("file", s.file).member("halvings", s.report.halvings);
    json.member("smallest_step", s.report.steps > 0 ? s.report.smallest_step : NAN);
    json.member("earlier_wall_seconds", s.earlier_seconds);
    json.member("results", s.out).member("rows", s.rows).member("checkpoint", s.checkpoint);
    json.member("saved", s.saved);
    json.key("remarks").array();
    for (const std::string& remark : s.report.remarks)
        json.value(remark);
    json.end().end();
    return json.text();
}

void print_summary(const SystemSummary& s, bool verbose, std::FILE* stream) {
    using Align = TextTable::Align;
    TextTable table({Align::left, Align::left});
    const master::MasterReport& r = s.report;
    table.add({"system", fmt::format("{}, {}", s.system, counted(static_cast<long>(r.fmus.size()), "FMU"))});
    table.add({"master", fmt::format("{}{}, step {} s", s.automatic ? "auto: " : "", s.method, s.step)});
    table.add({"end time", fmt::format("{:.12g} s", s.end_time)});
    table.add({"steps", fmt::format("{}, {} of the FMUs", r.steps, counted(r.dosteps, "step"))});
    if (r.iterations > 0)
        table.add({"iterations", fmt::format("{} ({:.3g} a step)", r.iterations,
                                             static_cast<double>(r.iterations) /
                                                 static_cast<double>(std::max(r.steps, 1l)))});
    table.add({"rollbacks", std::to_string(r.rollbacks)});
    if (r.halvings > 0)
        table.add({"halved", fmt::format("{}, the smallest was {} s", counted(r.halvings, "step"),
                                         short_number(r.smallest_step))});
    table.add({"wall time",
               fmt::format("{}{}", duration(s.wall_seconds),
                           s.earlier_seconds > 0 ? fmt::format(", and {} before", duration(s.earlier_seconds))
                                                 : "")});
    if (!s.out.empty() && s.rows > 0)
        table.add({"results", fmt::format("{} ({}, {})", s.out, counted(s.rows, "row"),
                                          counted(s.columns + 1, "column"))});
    if (!s.checkpoint.empty())
        table.add({"checkpoint", s.checkpoint});
    if (!s.saved.empty())
        table.add({"saved", fmt::format("{} (the system with its FMUs, as SSP)", s.saved)});
    if (!r.joints.empty()) {
        table.add(
            {"joints", fmt::format("largest gap {} m or rad, {} m/s or rad/s{}", short_number(r.max_gap),
                                   short_number(r.max_gap_rate),
                                   r.rank_deficiency > 0
                                       ? fmt::format("; {} redundant", counted(r.rank_deficiency, "row"))
                                       : "")});
        if (std::isfinite(r.max_energy_error))
            table.add({"energy", fmt::format("{} J at the start, {} J at the end, error {} J",
                                             short_number(r.energy_start), short_number(r.energy_end),
                                             short_number(r.max_energy_error))});
    }
    table.print(stream);
    constexpr std::size_t most_joints = 12;
    if (!r.joints.empty() && (verbose || r.joints.size() <= most_joints))
        print_joints(s, verbose, stream);
    print_fmus(s, verbose, stream);
    for (const master::JointReport& joint : r.joints)
        if (joint.creates_energy)
            print_warning(fmt::format(
                "joint '{}' has put {} J into the machine, which an ideal joint does not; take smaller steps",
                printable(joint.name), short_number(joint.residual)));
}

void print_glue(const SystemSummary& s, std::FILE* stream) {
    using Align = TextTable::Align;
    TextTable table({Align::left, Align::left, Align::right, Align::right},
                    {"joint", "method", "rows", "redundant"});
    for (const master::JointReport& joint : s.report.joints)
        table.add({joint.name, joint.method, std::to_string(joint.rows), std::to_string(joint.redundant)});
    table.print(stream);
    fmt::print(stream, "\n");
}

void write_system_refusal(const std::string& message, const std::vector<std::string>& words) {
    const std::string file = json_file_among(words);
    if (file.empty())
        return;
    SystemSummary summary;
    summary.message = message;
    try {
        write_text_file(file, to_json(summary));
    } catch (const OutputError& error) {
        print_warning(error.what());
    }
}

} // namespace tenon::verbs
