#include "tools/system/check_context.hpp"
#include "tools/system/joint_check.hpp"
#include "tools/system/master_settings.hpp"
#include "tools/system/parameter_connection.hpp"
#include "tools/system/setting_check.hpp"
#include "tools/system/terminal_connection.hpp"
#include "tools/system/wire_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace tenon::system {
namespace {

/// The most FMUs of a system: far more than the 64 that are promised to run, few enough to open.
constexpr std::size_t fmu_limit = 10'000;

void check_names(const System& system) {
    if (system.fmus.empty())
        throw bad_input(system.file.string(), 0, "the system has no FMUs");
    std::map<std::string, int> lines;
    for (const SystemFmu& fmu : system.fmus)
        if (const auto [place, is_new] = lines.emplace(fmu.name, fmu.line); !is_new)
            refuse(system, fmu,
                   fmt::format("the name '{}' is used twice (first in line {})", printable(fmu.name),
                               place->second));
    if (system.fmus.size() > fmu_limit)
        refuse(system, system.fmus.back(),
               fmt::format("the system has too many FMUs ({}, limit {})", system.fmus.size(), fmu_limit));
}

std::shared_ptr<const fmi::Fmu> open(const System& system, const SystemFmu& fmu) {
    std::shared_ptr<const fmi::Fmu> opened;
    try {
        opened = std::make_shared<const fmi::Fmu>(fmu.file, system.letter);
    } catch (const InputError& error) {
        const InputError place = bad_input(source_name(system, fmu.source), fmu.line,
                                           fmt::format("fmu '{}': ", printable(fmu.name)));
        throw InputError(error.fault(), place.what() + without_folder(system, error.what()));
    }
    if (!opened->description().has_co_simulation)
        refuse(system, fmu,
               fmt::format("fmu '{}': {} is not for Co-Simulation, which is what this master runs",
                           printable(fmu.name), printable(fmu.file.filename().string())));
    return opened;
}

/// Each file once, however often it is used.
void open_fmus(CheckedSystem& checked, CheckContext& context) {
    struct Opened {
        std::shared_ptr<const fmi::Fmu> fmu;
        std::shared_ptr<const VariableIndex> index;
    };
    std::map<std::filesystem::path, Opened> by_file;
    for (const SystemFmu& fmu : checked.system.fmus) {
        std::error_code ignored;
        const std::filesystem::path file = std::filesystem::weakly_canonical(fmu.file, ignored);
        Opened& opened = by_file[file.empty() ? fmu.file : file];
        if (!opened.fmu) {
            opened.fmu = open(checked.system, fmu);
            opened.index = std::make_shared<const VariableIndex>(opened.fmu->description());
            if (!opened.fmu->deviations().empty())
                checked.deviations.push_back(
                    {fmu.name, fmu.file.filename().string(), opened.fmu->deviations()});
        }
        checked.fmus.push_back(opened.fmu);
        context.indices.push_back(opened.index);
    }
}

void check_exposed(const CheckContext& context) {
    for (const Exposed& exposed : context.system.exposed) {
        const Endpoint& end = exposed.endpoint;
        const Selection found =
            context.indices[end.fmu]->find(end.variable, context.sizes[end.fmu], end.element);
        if (!found.problem.empty())
            throw bad_input(source_name(context.system, 0), 0,
                            fmt::format("connector '{}' of the system stands for {}: {}",
                                        printable(exposed.name), shown(context.system, end.fmu, end.variable),
                                        found.problem));
    }
}

/// Arrays whose size a setting has changed.
std::map<std::size_t, std::uint64_t> resized(const CheckContext& context, std::size_t fmu) {
    const VariableIndex& index = *context.indices[fmu];
    const Sizes& sizes = context.sizes[fmu];
    std::map<std::size_t, std::uint64_t> result;
    if (sizes.empty())
        return result;
    for (std::size_t i = 0; i < index.description().variables.size(); ++i) {
        const std::vector<fmi::Dimension>& dimensions = index.variable(i).dimensions;
        if (std::none_of(dimensions.begin(), dimensions.end(),
                         [&](const fmi::Dimension& d) { return d.variable && sizes.contains(*d.variable); }))
            continue;
        const std::vector<std::uint64_t> shape = index.shape(i, sizes);
        if (element_count(shape) > element_limit)
            refuse(context.system, context.system.fmus[fmu],
                   fmt::format("fmu '{}': array '{}' becomes too large ({}, limit {} elements)",
                               printable(context.system.fmus[fmu].name), printable(index.variable(i).name),
                               shape_text(shape), element_limit));
        result.emplace(i, element_count(shape));
    }
    return result;
}

/// A value that is set for a connected input is gone as soon as the first value comes through its wire.
void note_overruled(const CheckedSystem& checked, std::vector<std::string>& remarks) {
    std::set<std::pair<std::size_t, std::size_t>> said;
    for (const CheckedSystem::Wire& wire : checked.wires) {
        const std::vector<CheckedSystem::Assignment>& set = checked.assignments[wire.to_fmu];
        if (std::ranges::find(set, wire.to_variable, &CheckedSystem::Assignment::variable) == set.end() ||
            !said.emplace(wire.to_fmu, wire.to_variable).second)
            continue;
        const auto name = [&](std::size_t fmu, std::size_t variable) {
            return shown(checked.system, fmu, checked.fmus[fmu]->description().variables[variable].name);
        };
        remarks.push_back(fmt::format("{} is fed by {}: the value that is set is only its start",
                                      name(wire.to_fmu, wire.to_variable),
                                      name(wire.from_fmu, wire.from_variable)));
    }
}

} // namespace

std::string deviations_line(const FindingList& found) {
    constexpr std::size_t longest = 160;
    const bool one = found.count() == 1;
    return fmt::format("{} against the letter of FMI: {}{}; 'tenon check' tells more, --strict refuses it",
                       one ? "1 thing is" : fmt::format("{} things are", found.count()),
                       printable(one_line(found.kept().front()), longest), one ? "" : ", ...");
}

std::string without_folder(const System& system, std::string message) {
    if (!system.unpacked)
        return message;
    const std::string folder = system.unpacked->path().string() + "/";
    if (const std::size_t at = message.find(folder); at != message.npos) {
        const std::size_t end = message.find('/', at + folder.size());
        if (end != message.npos)
            message.replace(at, end - at, system.file.string());
    }
    return message;
}

std::string shown(const System& system, std::size_t fmu, const std::string& variable) {
    return "'" + printable(system.fmus[fmu].name + "." + variable, 120) + "'";
}

std::uint64_t CheckedSystem::elements(std::size_t fmu, std::size_t variable) const {
    const auto place = resized[fmu].find(variable);
    return place == resized[fmu].end() ? fmus[fmu]->description().variables[variable].elements()
                                       : place->second;
}

CheckedSystem check_system(System system) {
    CheckedSystem checked;
    checked.system = std::move(system);
    CheckContext context{checked.system, {}, std::vector<Sizes>(checked.system.fmus.size())};
    check_names(checked.system);
    if (const std::string problem = master_problem(checked.system.master); !problem.empty())
        throw bad_input(source_name(checked.system, 0), 0, "master: " + problem);
    open_fmus(checked, context);
    std::vector<std::string> remarks;
    for (std::size_t i = 0; i < checked.system.fmus.size(); ++i)
        checked.assignments.push_back(check_settings(context, i, remarks));
    apply_parameter_connections(context, checked);
    for (std::size_t i = 0; i < checked.system.fmus.size(); ++i)
        checked.resized.push_back(resized(context, i));
    connect_terminals(context, checked.system, remarks);
    checked.wires = check_connections(context);
    check_joints(context, checked.wires);
    check_exposed(context);
    note_overruled(checked, remarks);
    checked.system.remarks.insert(checked.system.remarks.end(), remarks.begin(), remarks.end());
    return checked;
}

} // namespace tenon::system
