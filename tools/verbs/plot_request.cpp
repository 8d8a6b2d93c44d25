#include "tools/verbs/plot_request.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/json.hpp"
#include "tools/files/output_file.hpp"
#include "tools/run/names.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/outputs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;

std::vector<PictureFile> pictures_of(const PlotWords& words) {
    if (words.out == "-" || (!words.out.empty() && is_stream(words.out)))
        throw Failure(
            ExitCode::usage,
            fmt::format("--output must be a file that ends in .png or .svg (it is '{}')", words.out));
    const fs::path given = words.out;
    const fs::path ending = given.extension();
    if (ending == ".png")
        return {{given, plot::Format::png}};
    if (ending == ".svg")
        return {{given, plot::Format::svg}};
    if (!ending.empty())
        throw Failure(ExitCode::usage,
                      fmt::format("--output {}: pictures are written as .png or .svg, not {}", words.out,
                                  ending.string()));
    const fs::path stem = words.out.empty() ? fs::path(words.results.front()).replace_extension() : given;
    return {{stem.string() + ".png", plot::Format::png}, {stem.string() + ".svg", plot::Format::svg}};
}

/// "1200x800".
plot::Size parse_size(const std::string& text) {
    const std::size_t cross = std::min(text.find_first_of("xX"), text.size());
    const auto side = [&](const std::string& number, int least, int most) {
        const long value =
            run::parse_count(number.empty() ? text : number, "--size must be WIDTHxHEIGHT in pixels; each");
        if (value < least || value > most)
            throw Failure(ExitCode::usage, fmt::format("--size must be from {}x{} to {}x{} (it is '{}')",
                                                       plot::least_size.width, plot::least_size.height,
                                                       plot::most_size.width, plot::most_size.height, text));
        return static_cast<int>(value);
    };
    const std::string height = cross < text.size() ? text.substr(cross + 1) : "";
    return {side(text.substr(0, cross), plot::least_size.width, plot::most_size.width),
            side(height, plot::least_size.height, plot::most_size.height)};
}

plot::Wishes wishes_of(const PlotWords& words) {
    plot::Wishes wishes;
    if (!words.from.empty())
        wishes.window.from = run::parse_number(words.from, "--from");
    if (!words.to.empty())
        wishes.window.to = run::parse_number(words.to, "--to");
    if (!(wishes.window.from < wishes.window.to))
        throw Failure(ExitCode::usage,
                      fmt::format("--from must be below --to (they are {} and {})", words.from, words.to));
    if (words.log)
        wishes.scale = plot::Scale::log;
    if (words.linear)
        wishes.scale = plot::Scale::linear;
    return wishes;
}

/// Short names of the results in the picture; whole ones where the short ones are the same.
std::vector<std::string> labels_of(const std::vector<std::string>& results) {
    std::vector<std::string> labels;
    for (const std::string& result : results)
        labels.push_back(fs::path(result).stem().string());
    std::vector<std::string> sorted = labels;
    std::sort(sorted.begin(), sorted.end());
    return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? labels : results;
}

/// The variables of all results, each once, with the first unit that any of them tells.
std::vector<plot::Variable> variables_of(const std::vector<std::unique_ptr<results::ResultReader>>& readers) {
    std::vector<plot::Variable> variables;
    std::map<std::string, std::size_t> known;
    for (const auto& reader : readers) {
        for (const results::ResultColumn& column : reader->heading().columns) {
            const std::string unit = column.unit == "1" ? "" : column.unit; // of a pure number
            const auto [place, is_new] = known.emplace(column.name, variables.size());
            if (is_new)
                variables.push_back({column.name, unit});
            else if (variables[place->second].unit.empty())
                variables[place->second].unit = unit;
        }
    }
    return variables;
}

std::vector<plot::Variable> chosen(const std::vector<plot::Variable>& variables,
                                   const std::vector<std::string>& patterns) {
    std::vector<std::string> names;
    for (const plot::Variable& variable : variables)
        names.push_back(variable.name);
    const std::vector<std::string> wanted = patterns.empty() ? plot::usual_variables(names) : patterns;
    std::vector<plot::Variable> found;
    if (patterns.empty()) { // names, which may have the stars of patterns in them
        for (const plot::Variable& variable : variables)
            if (std::find(wanted.begin(), wanted.end(), variable.name) != wanted.end())
                found.push_back(variable);
        return found;
    }
    for (const std::size_t i : run::select(wanted, names))
        found.push_back(variables[i]);
    return found;
}

void require_rows(const std::string& file, const plot::FileCurves& curves, const plot::TimeWindow& window) {
    if (curves.rows == 0)
        throw bad_input(file, 0, "there are no rows in it, only names; was the run stopped at once?");
    if (curves.last_time < window.from || curves.first_time > window.to)
        throw Failure(ExitCode::usage,
                      fmt::format("{} has rows from {} to {} s, none of them within --from and --to", file,
                                  curves.first_time, curves.last_time));
}

void add_remarks(const plot::Groups& groups, const plot::Composed& composed,
                 std::vector<std::string>& remarks) {
    if (groups.left_out > 0)
        remarks.push_back(fmt::format(
            "{} left out: a picture has at most {} variables of a unit and {} panels; "
            "choose with --vars",
            counted(static_cast<long>(groups.left_out), "variable"), plot::most_colours, plot::most_panels));
    if (composed.not_logarithmic > 0)
        remarks.push_back(fmt::format("--log: {} no value above 0 and stays linear",
                                      composed.not_logarithmic == 1
                                          ? std::string("a panel has")
                                          : fmt::format("{} panels have", composed.not_logarithmic)));
    if (composed.cut > 0)
        remarks.push_back(
            "--log: values of 0 and below have no place on a logarithmic axis and lie below it");
}

} // namespace

PlotRequest plot_request(const PlotWords& words) {
    if (words.results.size() > plot::most_dashes)
        throw Failure(ExitCode::usage, fmt::format("at most {} results fit into one picture (there are {})",
                                                   plot::most_dashes, words.results.size()));
    PlotRequest request;
    request.results = words.results;
    request.vars = words.vars;
    request.pictures = pictures_of(words);
    request.wishes = wishes_of(words);
    if (!words.size.empty())
        request.size = parse_size(words.size);
    request.dark = words.dark;
    return request;
}

DrawnPlot compose_plot(const PlotRequest& request, const std::function<void()>& between) {
    std::vector<std::unique_ptr<results::ResultReader>> readers;
    for (const std::string& result : request.results)
        readers.push_back(results::open_result(result));
    const std::vector<plot::Variable> variables = chosen(variables_of(readers), request.vars);
    if (variables.empty())
        throw bad_input(request.results.front(), 0, "there is no variable in it besides time");
    const plot::Groups groups = plot::grouped(variables);
    DrawnPlot drawn;
    drawn.chosen_for_you = request.vars.empty();
    for (const plot::Group& group : groups.panels)
        for (const plot::Variable& variable : group)
            drawn.names.push_back(variable.name);
    std::vector<plot::FileCurves> curves;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        curves.push_back(plot::read_curves(*readers[i], drawn.names, request.wishes.window, between));
        require_rows(request.results[i], curves.back(), request.wishes.window);
        drawn.rows.push_back(curves.back().rows);
    }
    plot::Composed composed = plot::composed(groups, labels_of(request.results), curves, request.wishes);
    add_remarks(groups, composed, drawn.remarks);
    drawn.figure = std::move(composed.figure);
    return drawn;
}

plot::Size size_of(const PlotRequest& request, const plot::Figure& figure) {
    return request.size ? *request.size : plot::usual_size(figure);
}

std::string plot_json(const PlotRequest& request, const DrawnPlot& drawn, const std::string& status,
                      const std::string& message) {
    JsonWriter json;
    json.object().member("status", status).member("message", message).member("version", TENON_VERSION);
    json.key("files").array();
    for (const PictureFile& picture : request.pictures)
        json.value(picture.path.string());
    json.end().key("results").array();
    for (std::size_t i = 0; i < drawn.rows.size(); ++i)
        json.object().member("file", request.results[i]).member("rows", drawn.rows[i]).end();
    json.end().key("panels").array();
    for (const plot::Panel& panel : drawn.figure.panels) {
        json.object().member("label", panel.label);
        json.member("scale", panel.axis.scale == plot::Scale::log ? "log" : "linear");
        json.member("low", panel.axis.low).member("high", panel.axis.high).key("variables").array();
        for (std::size_t i = 0; i < panel.curves.size(); ++i)
            if (i == 0 || panel.curves[i].name != panel.curves[i - 1].name)
                json.value(panel.curves[i].name);
        json.end().end();
    }
    json.end().key("remarks").array();
    for (const std::string& remark : drawn.remarks)
        json.value(remark);
    json.end().end();
    return json.text();
}

} // namespace tenon::verbs
