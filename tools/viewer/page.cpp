#include "tools/viewer/page.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/results/result_reader.hpp"
#include "tools/results/scene_writer.hpp"
#include "tools/viewer/run_data.hpp"
#include "tools/viewer/sums.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

// tools/viewer/page.S
extern "C" const char tenon_viewer_begin[], tenon_viewer_end[];

namespace tenon::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view data_mark = "<!--tenon-data-->";

/// run.csv and run.h5 -> run; the whole path where two of them would have the same label.
std::vector<std::string> labels(const std::vector<fs::path>& results) {
    std::vector<std::string> stems;
    for (const fs::path& result : results)
        stems.push_back(result.stem().string());
    std::vector<std::string> names = stems;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (std::count(stems.begin(), stems.end(), stems[i]) > 1)
            names[i] = results[i].string();
    return names;
}

/// Position and orientation of bodies: "crank.r_0[2]", "crank.q[4]".
bool moves(const std::string& column, const std::set<std::string>& bodies) {
    const std::size_t dot = column.rfind('.');
    if (dot == std::string::npos || !bodies.contains(column.substr(0, dot)))
        return false;
    const std::string_view quantity = std::string_view(column).substr(dot);
    return quantity.starts_with(".r_0[") || quantity.starts_with(".q[");
}

/// A scene that is not there is none: results of other programs have none. Otherwise it must be good.
std::optional<Scene> scene_beside(const fs::path& result, std::vector<std::string>& remarks) {
    const fs::path file = results::scene_path(result);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        remarks.push_back(fmt::format("there is no {}; the page has curves, but no machine", file.string()));
        return std::nullopt;
    }
    Scene scene = read_scene(file);
    if (scene.bodies.empty())
        remarks.push_back(
            fmt::format("{} has no bodies; the page has curves, but no machine", file.string()));
    remarks.insert(remarks.end(), scene.remarks.begin(), scene.remarks.end());
    return scene;
}

/// Reads all rows into run.result, with the columns that are computed from them.
void thin(results::ResultReader& reader, std::vector<bool> moving, std::size_t moved, RunData& run,
          const std::function<void()>& pulse) {
    const std::size_t columns = moving.size();
    std::vector<results::ResultColumn>& heading = run.heading.columns;
    const Sums sums(heading);
    heading.insert(heading.end(), sums.columns().begin(), sums.columns().end());
    moving.resize(heading.size(), false);
    Thinner thinner(choose_thinning(reader.rows(), moving.size(), moved), moving);
    std::vector<double> times, values, row;
    while (reader.read(times, values)) {
        pulse();
        for (std::size_t i = 0; i < times.size(); ++i) {
            const std::span<const double> read = std::span(values).subspan(i * columns, columns);
            row.assign(read.begin(), read.end());
            sums.append(row);
            thinner.add(times[i], row);
        }
    }
    run.result = thinner.finish();
}

RunData read_run(const fs::path& file, const std::string& label, std::vector<std::string>& remarks,
                 const std::function<void()>& pulse) {
    const std::unique_ptr<results::ResultReader> reader = results::open_result(file);
    if (reader->rows() == 0)
        throw bad_input(file.string(), 0, "there are no rows in it");
    RunData run{label, file.string(), reader->heading(), {}, scene_beside(file, remarks)};
    run.in_file = run.heading.columns.size();
    std::set<std::string> bodies;
    if (run.scene)
        bodies.insert(run.scene->bodies.begin(), run.scene->bodies.end());
    std::vector<bool> moving;
    for (const results::ResultColumn& column : run.heading.columns)
        moving.push_back(moves(column.name, bodies));
    const auto moved = static_cast<std::size_t>(std::count(moving.begin(), moving.end(), true));
    if (run.scene && !run.scene->bodies.empty() && moved == 0)
        remarks.push_back(
            fmt::format("{} has no positions of bodies; the machine stands still", file.string()));

    thin(*reader, moving, moved, run, pulse);
    return run;
}

} // namespace

std::string_view built_page() { return {tenon_viewer_begin, tenon_viewer_end}; }

Template split_template(std::string_view page) {
    const std::size_t at = page.find(data_mark);
    if (at == std::string_view::npos)
        throw std::logic_error("the viewer's page has no place for the data");
    return {page.substr(0, at), page.substr(at + data_mark.size())};
}

PageReport write_page(const std::vector<fs::path>& results, std::string_view page,
                      const std::function<void(std::string_view)>& write,
                      const std::function<void()>& pulse) {
    const Template parts = split_template(page);
    PageReport report;
    const auto put = [&](std::string_view text) {
        report.bytes += text.size();
        write(text);
    };
    const std::vector<std::string> names = labels(results);
    put(parts.before);
    put("<script type=\"application/json\" "
        "id=\"tenon-data\">{\"format\":\"tenon-view\",\"version\":1,\"runs\":[\n");
    for (std::size_t i = 0; i < results.size(); ++i) {
        const RunData run = read_run(results[i], names[i], report.remarks, pulse);
        put(i == 0 ? "" : ",\n");
        write_run(run, put);
        report.runs.push_back({run.label, run.result.rows, run.heading.columns.size(),
                               run.scene ? run.scene->bodies.size() : 0, run.result.frames.size(),
                               run.result.thinning.whole(), run.heading.names(),
                               run.heading.columns.size() - run.in_file});
    }
    put("\n]}</script>");
    put(parts.after);
    return report;
}

} // namespace tenon::viewer
