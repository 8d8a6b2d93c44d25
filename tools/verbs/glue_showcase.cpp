#include "tools/verbs/glue_showcase.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/model_file/toml.hpp"
#include "tools/results/result_reader.hpp"
#include "tools/system/system.hpp"
#include "tools/verbs/command.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/viewer/page.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// From here where the file is below, else in full.
std::string shown_path(const fs::path& path) {
    const std::string near = path.lexically_proximate(fs::current_path()).string();
    return near.starts_with("..") ? path.string() : near;
}

/// All rows of a result, by the names of its columns; the examples are small.
class Table {
  public:
    explicit Table(const fs::path& file) {
        const std::unique_ptr<results::ResultReader> reader = results::open_result(file);
        const std::vector<std::string> names = reader->heading().names();
        std::vector<double> times, values;
        while (reader->read(times, values)) {
            times_.insert(times_.end(), times.begin(), times.end());
            for (std::size_t row = 0; row < times.size(); ++row)
                for (std::size_t i = 0; i < names.size(); ++i)
                    columns_[names[i]].push_back(values[row * names.size() + i]);
        }
    }

    const std::vector<double>& times() const { return times_; }
    const std::map<std::string, std::vector<double>>& columns() const { return columns_; }
    /// Null where there is none.
    const std::vector<double>* find(const std::string& name) const {
        const auto found = columns_.find(name);
        return found == columns_.end() ? nullptr : &found->second;
    }

  private:
    std::vector<double> times_;
    std::map<std::string, std::vector<double>> columns_;
};

/// The column of the whole machine that is `<fmu>.<body>.r_0[i]` of the glued one: `<body>.r_0[i]`, or `<fmu>_<body>.r_0[i]` where
/// several FMUs come from one model.
const std::vector<double>* twin_of(const std::string& name, const Table& whole) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos || name.find(".r_0[", dot + 1) == std::string::npos)
        return nullptr;
    std::string joined = name;
    joined[dot] = '_';
    if (const std::vector<double>* column = whole.find(joined))
        return column;
    return whole.find(name.substr(dot + 1));
}

class Showcase {
  public:
    Showcase(const GluedExample& example, const fs::path& folder, Verbosity verbosity)
        : example_(example), folder_(folder / example_.system.parent_path().filename()),
          page_(fs::path(folder_).concat(".html")), quiet_(verbosity == Verbosity::quiet) {}

    GlueOutcome run() {
        outcome_.name = example_.name;
        say("{}  {}\n\n", styled(example_.name, Style::bold, stdout), example_.description);
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error)
            throw Failure(ExitCode::output,
                          fmt::format("{}: cannot be made ({})", shown_path(folder_), error.message()));
        const fs::path system = export_parts();
        run_both(system);
        compare();
        show();
        print();
        return outcome_;
    }

  private:
    template <class... Values> void say(fmt::format_string<Values...> format, Values&&... values) const {
        if (quiet_)
            return;
        fmt::print(format, std::forward<Values>(values)...);
        std::fflush(stdout);
    }

    /// The words are shown as one would type them; `json` and that the command itself says nothing are added.
    void command(std::vector<std::string> words, const fs::path& json = {}) const {
        say("  {} tenon {}\n", styled("$", Style::dim, stdout), fmt::join(words, " "));
        words.emplace_back("--quiet");
        if (!json.empty())
            words.insert(words.end(), {"--json", json.string()});
        run_command(words);
    }

    /// Every part becomes an FMU; the system file beside them names FMUs where the example names models.
    fs::path export_parts() {
        const system::System system = system::read_system(example_.system);
        std::string text = read_text_file(example_.system, toml_size_limit);
        std::set<fs::path> exported;
        for (const system::SystemFmu& part : system.fmus) {
            if (!exported.insert(part.file).second)
                continue;
            const fs::path fmu = (folder_ / part.file.filename()).replace_extension(".fmu");
            command({"export", shown_path(part.file), "-o", shown_path(fmu)});
            const std::string model = '"' + part.file.filename().string() + '"';
            const std::string file = '"' + fmu.filename().string() + '"';
            for (std::size_t at = text.find(model); at != std::string::npos;
                 at = text.find(model, at + file.size()))
                text.replace(at, model.size(), file);
        }
        outcome_.fmus = system.fmus.size();
        outcome_.glued.step = system.master.step;
        stop_ = system.master.stop;
        write_text_file(folder_ / "system.toml", text);
        return folder_ / "system.toml";
    }

    void run_both(const fs::path& system) {
        command({"run", shown_path(system), "--out", shown_path(folder_ / "glued.csv")},
                folder_ / "glued.json");
        outcome_.whole.step = read_model_file(example_.twin).model.solver.step;
        // A row of the whole machine at every time at which the FMUs meet.
        const long every = std::max(1l, std::lround(outcome_.glued.step / outcome_.whole.step));
        command({"simulate", shown_path(example_.twin), "--stop", fmt::format("{}", stop_), "--every",
                 std::to_string(every), "--out", shown_path(folder_ / "whole.csv")},
                folder_ / "whole.json");
        read_summary("glued.json", outcome_.glued);
        read_summary("whole.json", outcome_.whole);
    }

    void read_summary(const char* name, GlueOutcome::Side& side) const {
        const Json summary = Json::parse(read_text_file(folder_ / name, toml_size_limit));
        const auto number = [](const Json& from, const char* key) {
            return from.contains(key) && from[key].is_number() ? from[key].get<double>() : NAN;
        };
        side.seconds = number(summary, "wall_seconds");
        side.energy_error = number(summary, "max_energy_error");
        side.gap = number(summary, "max_position_violation");
        if (const auto joints = summary.find("joints"); joints != summary.end() && !joints->empty()) {
            side.gap = 0;
            for (const Json& joint : *joints)
                side.gap = std::max(side.gap, number(joint, "gap"));
        }
    }

    void compare() {
        const Table glued(folder_ / "glued.csv"), whole(folder_ / "whole.csv");
        std::vector<std::pair<std::size_t, std::size_t>> rows; // at equal times
        for (std::size_t i = 0, j = 0; i < glued.times().size() && j < whole.times().size();) {
            const double difference = glued.times()[i] - whole.times()[j];
            if (std::abs(difference) < 1e-6 * outcome_.glued.step)
                rows.emplace_back(i++, j++);
            else
                difference < 0 ? ++i : ++j;
        }
        for (const auto& [name, column] : glued.columns())
            if (const std::vector<double>* twin = twin_of(name, whole))
                for (const auto& [i, j] : rows) {
                    const double difference = std::abs(column[i] - (*twin)[j]);
                    if (std::isfinite(outcome_.difference) && difference <= outcome_.difference)
                        continue;
                    outcome_.difference = difference;
                    outcome_.where = fmt::format("{} at t = {} s", name, short_number(glued.times()[i]));
                }
    }

    void show() {
        if (viewer::built_page().empty()) {
            print_warning("this build has no page for the viewer, because npm could not get its packages");
            return;
        }
        command({"view", shown_path(folder_ / "glued.csv"), shown_path(folder_ / "whole.csv"), "-o",
                 shown_path(page_)});
        outcome_.page = shown_path(page_);
    }

    void print() const {
        if (quiet_)
            return;
        const auto with = [](double value, const char* unit) {
            return std::isfinite(value) ? fmt::format("{:.1e} {}", value, unit) : "-";
        };
        const auto &glued = outcome_.glued, &whole = outcome_.whole;
        TextTable table({Align::left, Align::right, Align::right},
                        {"", fmt::format("{} FMUs, glued", outcome_.fmus), "one model"});
        table.add({"step", short_number(glued.step) + " s", short_number(whole.step) + " s"});
        table.add({"joint gap", with(glued.gap, "m"), with(whole.gap, "m")});
        table.add({"energy error", with(glued.energy_error, "J"), with(whole.energy_error, "J")});
        table.add({"time", duration(glued.seconds), duration(whole.seconds)});
        fmt::print("\n");
        table.print(stdout, 2);
        fmt::print("\n  largest difference of positions: {} ({})\n", with(outcome_.difference, "m"),
                   outcome_.where);
        fmt::print("  FMUs, system file and results: {}\n", shown_path(folder_));
        if (!outcome_.page.empty())
            fmt::print("  the machine moving, both over each other: {}\n",
                       styled(outcome_.page, Style::bold, stdout));
    }

    const GluedExample& example_;
    fs::path folder_, page_;
    bool quiet_;
    double stop_ = 0;
    GlueOutcome outcome_;
};

void write(JsonWriter& json, const char* name, const GlueOutcome::Side& side) {
    json.key(name).object().member("step", side.step).member("joint_gap", side.gap);
    json.member("max_energy_error", side.energy_error).member("wall_seconds", side.seconds).end();
}

} // namespace

std::vector<GluedExample> glued_examples(const fs::path& examples) {
    std::vector<GluedExample> found;
    const auto add = [&](const char* name, const char* twin, const char* description) {
        GluedExample example{name, examples / name / "system.toml", examples / twin, description};
        std::error_code ignored;
        if (fs::exists(example.system, ignored) && fs::exists(example.twin, ignored))
            found.push_back(std::move(example));
    };
    add("glue/four_bar", "glue/four_bar/whole.toml",
        "crank, coupler and rocker as three FMUs, glued by two pins into a closed loop");
    add("glue/bricard", "bricard.toml",
        "Bricard's mechanism as three FMUs: a loop in space with a redundant row");
    add("glue/road_train", "glue/road_train/whole.toml",
        "a tractor and two trailers on rolling wheels, ball joints between them");
    add("glue/iltis", "glue/iltis/whole.toml",
        "the Iltis vehicle as three FMUs: chassis, front and rear axle");
    return found;
}

GlueOutcome show_glue(const GluedExample& example, const fs::path& folder, Verbosity verbosity) {
    return Showcase(example, folder, verbosity).run();
}

void write(JsonWriter& json, const GlueOutcome& outcome) {
    json.object().member("name", outcome.name).member("fmus", static_cast<long>(outcome.fmus));
    write(json, "glued", outcome.glued);
    write(json, "whole", outcome.whole);
    json.member("difference", outcome.difference)
        .member("where", outcome.where)
        .member("page", outcome.page)
        .end();
}

} // namespace tenon::verbs
