#include "tools/verbs/demo_examples.hpp"

#include "core/model/suggest.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/verbs/console.hpp"
#include "tools/verbs/exit_code.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace tenon::verbs {
namespace {

namespace fs = std::filesystem;

/// What is shown for this name, where these examples are there: one of each kind of difficulty. The largest comes last and
/// has the time that the others leave.
constexpr std::string_view selection_name = "integrators";
constexpr std::array<std::string_view, 6> selection = {
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

std::vector<std::string> DemoNames::all() const {
    std::vector<std::string> names = glued;
    names.insert(names.end(), machines.begin(), machines.end());
    return names;
}

bool DemoNames::has_glued(const std::string& name) const { return contains(glued, name); }

DemoNames demo_names(const fs::path& folder, const std::vector<GluedExample>& glued) {
    DemoNames names;
    for (const GluedExample& example : glued)
        names.glued.push_back(example.name);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".toml")
            names.machines.push_back(entry.path().stem().string());
    std::sort(names.machines.begin(), names.machines.end());
    return names;
}

DemoNames chosen_examples(const std::vector<std::string>& words, const DemoNames& known) {
    DemoNames chosen;
    const auto add = [](std::vector<std::string>& names, std::string name) {
        if (!contains(names, name))
            names.push_back(std::move(name));
    };
    if (words.empty()) {
        if (known.glued.empty())
            throw Failure(ExitCode::missing, "examples/glue is not there; 'tenon demo --list' shows what is");
        chosen.glued.push_back(known.glued.front());
    }
    for (const std::string& word : words) {
        const std::string name = example_of(word);
        if (known.has_glued(name)) {
            add(chosen.glued, name);
        } else if (name == selection_name) {
            for (const std::string_view machine : selection)
                if (contains(known.machines, machine))
                    add(chosen.machines, std::string(machine));
        } else if (contains(known.machines, name)) {
            add(chosen.machines, name);
        } else {
            const std::vector<std::string> all = known.all();
            throw Failure(ExitCode::usage,
                          fmt::format("there is no example '{}'; {} 'tenon demo --list' shows all", word,
                                      nearest_name(name, all).empty() ? "" : suggestion(name, all)));
        }
    }
    return chosen;
}

void print_examples(const fs::path& folder, const DemoNames& known) {
    // One table for all groups, so that the columns stand below each other.
    TextTable table({Align::left, Align::left, Align::left}, {"name", "or", "what it is"});
    const auto add = [&](const Known& k) {
        const std::string name(k.example);
        if (contains(known.machines, name))
            table.add({name + (contains(selection, name) ? " *" : ""), std::string(k.other_name),
                       read_model_file(folder / (name + ".toml")).model.description});
    };
    table.add({"FMUs glued, and in one piece:"});
    for (const GluedExample& example : glued_examples(folder))
        table.add({example.name, "", example.description});
    table.add({"Systems of the papers:"});
    std::for_each(papers.begin(), papers.end(), add);
    table.add({"Benchmarks:"});
    std::for_each(benchmarks.begin(), benchmarks.end(), add);
    table.add({"More examples:"});
    for (const std::string& name : known.machines)
        if (!holds(papers, name) && !holds(benchmarks, name))
            add({name, ""});
    table.print(stdout);
    fmt::print("\n'tenon demo' shows {}, 'tenon demo {}' those marked *, 'tenon demo NAME' any of them.\n",
               known.glued.empty() ? "nothing" : known.glued.front(), selection_name);
}

} // namespace tenon::verbs
