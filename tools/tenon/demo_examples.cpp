#include "tools/tenon/demo_examples.hpp"

#include "core/model/suggest.hpp"
#include "tools/io/model_reader.hpp"
#include "tools/tenon/console.hpp"
#include "tools/tenon/exit_code.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;
using Align = TextTable::Align;

/// What is shown when no name is given, where these examples are there: one of each kind of difficulty. The largest
/// comes last and has the time that the others leave.
constexpr std::array<std::string_view, 6> showcase = {
    "double_pendulum", "slider_crank", "bricard", "heavy_top", "rolling_disc", "n_four_bar_10",
};

/// An example, and what else it is called.
struct Known {
    std::string_view example, other_name;
};
constexpr std::array<Known, 8> papers = {{
    {"spherical_pendulum", "compound_pendulum"},
    {"free_body", "free_rigid_body"},
    {"universal_shaft", "universal_joint"},
    {"rolling_disc", "rolling_disk"},
    {"parallel_four_bar", "four_bar"},
    {"slider_crank", ""},
    {"double_four_bar", ""},
    {"satellite", "dual_spin_satellite"},
}};
constexpr std::array<Known, 9> benchmarks = {{
    {"simple_pendulum", "a01"},
    {"n_four_bar_1", ""},
    {"n_four_bar_2", ""},
    {"n_four_bar_10", "a02"},
    {"n_four_bar_40", ""},
    {"andrews_squeezer", "a03"},
    {"bricard", "a04"},
    {"heavy_top", ""},
    {"double_pendulum", ""},
}};

template <class List> bool contains(const List& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

template <class List> bool holds(const List& list, std::string_view example) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Known& known) { return known.example == example; });
}

/// Underscores for spaces and hyphens, and the example for another name of it.
std::string example_of(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '_');
    std::replace(name.begin(), name.end(), '-', '_');
    if (name.ends_with(".toml"))
        name = fs::path(name).stem().string();
    const auto called = [&](const Known& known) {
        return !known.other_name.empty() && known.other_name == name;
    };
    if (const auto found = std::find_if(papers.begin(), papers.end(), called); found != papers.end())
        return std::string(found->example);
    if (const auto found = std::find_if(benchmarks.begin(), benchmarks.end(), called);
        found != benchmarks.end())
        return std::string(found->example);
    return name;
}

} // namespace

fs::path examples_folder() {
    std::error_code error;
    std::vector<fs::path> candidates;
    fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    for (int level = 0; level < 4 && !error && !folder.empty(); ++level, folder = folder.parent_path()) {
        candidates.push_back(folder / "examples");
        candidates.push_back(folder / "share" / "tenon" / "examples");
    }
    candidates.emplace_back("examples");
    for (const fs::path& candidate : candidates)
        if (fs::is_directory(candidate, error) && fs::exists(candidate / "double_pendulum.toml", error))
            return candidate;
    throw Failure(ExitCode::missing, "the folder examples/ is not found beside the program nor here; "
                                     "run 'tenon demo' in a clone of the repository");
}

std::vector<std::string> example_names(const fs::path& folder) {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> chosen_examples(const std::vector<std::string>& words,
                                         const std::vector<std::string>& known) {
    std::vector<std::string> names;
    if (words.empty())
        for (const std::string_view name : showcase)
            if (contains(known, name))
                names.emplace_back(name);
    for (const std::string& word : words) {
        const std::string name = example_of(word);
        if (!contains(known, name))
            throw Failure(ExitCode::usage,
                          fmt::format("there is no example '{}'; {} 'tenon demo --list' shows all", word,
                                      nearest_name(name, known).empty() ? "" : suggestion(name, known)));
        if (!contains(names, name))
            names.push_back(name);
    }
    return names;
}

void print_examples(const fs::path& folder, const std::vector<std::string>& known) {
    // One table for all groups, so that the columns stand below each other.
    TextTable table({Align::left, Align::left, Align::left}, {"name", "or", "what it is"});
    const auto add = [&](const Known& k) {
        const std::string name(k.example);
        if (contains(known, name))
            table.add({name + (contains(showcase, name) ? " *" : ""), std::string(k.other_name),
                       read_model_file(folder / (name + ".toml")).model.description});
    };
    table.add({"Systems of the papers:"});
    std::for_each(papers.begin(), papers.end(), add);
    table.add({"Benchmarks:"});
    std::for_each(benchmarks.begin(), benchmarks.end(), add);
    table.add({"More examples:"});
    for (const std::string& name : known)
        if (!holds(papers, name) && !holds(benchmarks, name))
            add({name, ""});
    table.print(stdout);
    fmt::print("\n'tenon demo' runs those marked *, 'tenon demo NAME' any of them.\n");
}

} // namespace tenon::cli
