#include "tools/verbs/summary_text.hpp"

#include "tools/files/errors.hpp"
#include "tools/verbs/console.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::verbs {
namespace {

using run::Summary;

// ---- a model -------------------------------------------------------------------------------------------------------

/// Start states corrected by less than this are as they were given, but for rounding.
constexpr double least_correction = 1e-9;

void add_pace(const Summary& s, TextTable& table) {
    if (!std::isfinite(s.pace.factor))
        return;
    table.add({"real time", fmt::format("times {}: {} late, {} at most; {:.1f} % of a processor",
                                        s.pace.factor, counted(s.pace.overruns, "step"),
                                        duration(s.pace.worst_lateness), 100 * s.pace.processor)});
}

void add_details(const Summary& s, TextTable& table) {
    const StartReport& start = s.start;
    table.add({"degrees of freedom",
               fmt::format("{}, {}", start.degrees_of_freedom, counted(start.rows, "constraint row"))});
    table.add({"redundant rows",
               start.redundant_joints.empty()
                   ? std::to_string(start.rank_deficiency)
                   : fmt::format("{} ({})", start.rank_deficiency, fmt::join(start.redundant_joints, ", "))});
    table.add({"tolerance", fmt::format("{}", s.tolerance)});
}

void print_model(const Summary& s, bool verbose, std::FILE* stream) {
    TextTable table({Align::left, Align::left});
    table.add({"model", s.name});
    table.add({"integrator", fmt::format("{}, step {} s", s.method, s.step)});
    table.add({"end time", fmt::format("{:.12g} s", s.end_time)});
    table.add({"steps", fmt::format("{}, {} ({:.3g} per step)", s.steps, counted(s.iterations, "iteration"),
                                    s.steps ? static_cast<double>(s.iterations) / static_cast<double>(s.steps)
                                            : 0.0)});
    if (s.halvings > 0)
        table.add({"halved", counted(s.halvings, "step")});
    table.add({"joint violation",
               fmt::format("{} m or rad, {} m/s or rad/s", short_number(s.max_position_violation),
                           short_number(s.max_velocity_violation))});
    table.add({"energy", fmt::format("{} J at the start, {} J at the end", short_number(s.energy_start),
                                     short_number(s.energy_end))});
    table.add({"energy error", fmt::format("{} J", short_number(s.max_energy_error))});
    if (s.max_energy_correction > 0)
        table.add({"energy corrected",
                   fmt::format("{} J, by the method itself; without that the error would be of this size",
                               short_number(s.max_energy_correction))});
    if (std::isfinite(s.position_error.metres))
        table.add(
            {"position error", fmt::format("about {} m (body '{}'), estimated from single steps",
                                           short_number(s.position_error.metres), s.position_error.body)});
    else if (s.steps > 0)
        table.add({"position error", "not known: no step could be made in parts half as long"});
    if (std::isfinite(s.refined_difference.metres))
        table.add(
            {"against half the step",
             fmt::format("{} m at most (body '{}', t = {:.6g} s)", short_number(s.refined_difference.metres),
                         s.refined_difference.body, s.refined_difference.time)});
    table.add({"wall time",
               fmt::format("{}{}", duration(s.wall_seconds),
                           s.steps ? fmt::format(", {} per step",
                                                 duration(s.wall_seconds / static_cast<double>(s.steps)))
                                   : std::string())});
    add_pace(s, table);
    if (s.unconverged > 0)
        table.add({"unconverged steps", fmt::format("{}, last increments up to {} m or rad", s.unconverged,
                                                    short_number(s.largest_unconverged))});
    if (std::max(s.start.position_correction, s.start.velocity_correction) > least_correction)
        table.add({"start corrected by",
                   fmt::format("{} m or rad, {} m/s or rad/s, most at '{}'",
                               short_number(s.start.position_correction),
                               short_number(s.start.velocity_correction), s.start.corrected_joint)});
    if (s.diverged)
        table.add({"warning", "diverged: these results are meaningless"});
    if (verbose)
        add_details(s, table);
    if (s.rows > 0)
        table.add({"results", fmt::format("{} ({}, {})", s.out.string(), counted(s.rows, "row"),
                                          counted(s.columns + 1, "column"))});
    table.print(stream);
}

// ---- a system ------------------------------------------------------------------------------------------------------

/// The longest first.
std::vector<master::FmuReport> by_time(std::vector<master::FmuReport> fmus) {
    std::ranges::stable_sort(fmus, std::ranges::greater(), &master::FmuReport::seconds);
    return fmus;
}

std::string percent(double part, double whole) {
    return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

void print_fmus(const Summary& s, bool verbose, std::FILE* stream) {
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

/// Gap, works and what is left of their sum, joint by joint.
void print_joints(const Summary& s, bool verbose, std::FILE* stream) {
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

void print_system(const Summary& s, bool verbose, std::FILE* stream) {
    TextTable table({Align::left, Align::left});
    const master::MasterReport& r = s.report;
    table.add({"system", fmt::format("{}, {}", s.name, counted(static_cast<long>(r.fmus.size()), "FMU"))});
    table.add({"master", fmt::format("{}{}, step {} s", s.automatic ? "auto: " : "", s.method, s.step)});
    table.add({"end time", fmt::format("{:.12g} s", s.end_time)});
    table.add({"steps", fmt::format("{}, {} of the FMUs", r.steps, counted(r.dosteps, "step"))});
    if (r.iterations > 0)
        table.add({"iterations", fmt::format("{} ({:.3g} per step)", r.iterations,
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
    add_pace(s, table);
    if (!s.out.empty() && s.rows > 0)
        table.add({"results", fmt::format("{} ({}, {})", s.out.string(), counted(s.rows, "row"),
                                          counted(s.columns + 1, "column"))});
    if (!s.checkpoint.empty())
        table.add({"checkpoint", s.checkpoint.string()});
    if (!s.saved.empty())
        table.add({"saved", fmt::format("{} (the system with its FMUs, as SSP)", s.saved.string())});
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
        if (std::isfinite(s.position_error.metres))
            table.add({"position error",
                       fmt::format("about {} m ('{}'), estimated from single steps",
                                   short_number(s.position_error.metres), s.position_error.body)});
    }
    table.print(stream);
    constexpr std::size_t most_joints = 12;
    if (!r.joints.empty() && (verbose || r.joints.size() <= most_joints))
        print_joints(s, verbose, stream);
    print_fmus(s, verbose, stream);
    for (const master::JointReport& joint : r.joints)
        if (joint.creates_energy || joint.loses_energy)
            print_warning(fmt::format(
                "joint '{}' has {} {} J {} the machine, which an ideal joint does not; take smaller steps",
                printable(joint.name), joint.creates_energy ? "put" : "taken",
                short_number(std::abs(joint.residual)), joint.creates_energy ? "into" : "out of"));
}

} // namespace

void print_summary(const Summary& summary, bool verbose, std::FILE* stream) {
    summary.of == Summary::Of::model ? print_model(summary, verbose, stream)
                                     : print_system(summary, verbose, stream);
}

void print_glue(const Summary& s, std::FILE* stream) {
    if (s.report.joints.empty())
        return;
    TextTable table({Align::left, Align::left, Align::right, Align::right},
                    {"joint", "method", "rows", "redundant"});
    for (const master::JointReport& joint : s.report.joints)
        table.add({joint.name, joint.method, std::to_string(joint.rows), std::to_string(joint.redundant)});
    table.print(stream);
    fmt::print(stream, "\n");
}

} // namespace tenon::verbs
