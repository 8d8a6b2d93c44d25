#include "tools/run/system_changes.hpp"

#include "core/math/error.hpp"
#include "tools/files/errors.hpp"
#include "tools/run/model_parts.hpp"
#include "tools/run/names.hpp"
#include "tools/system/endpoint_names.hpp"
#include "tools/system/master_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace tenon::run {
namespace {

/// The whole of `text` as a number, if it is one.
template <class Number> std::optional<Number> number_in(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty())
        return {};
    return value;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "[1, 2, 3]" as numbers, if it is a list of them.
std::optional<std::vector<double>> list_in(std::string_view text) {
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return {};
    std::vector<double> values;
    for (text = text.substr(1, text.size() - 2); !text.empty();) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::optional<double> value = number_in<double>(trimmed(text.substr(0, comma)));
        if (!value)
            return {};
        values.push_back(*value);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return values;
}

/// Messages about it begin with the option, so that it can be told from what the file says.
constexpr std::string_view option = "--set ";

[[noreturn]] void refuse_name(const std::string& name, const system::FmuNames& names) {
    const std::string bare = name.ends_with('.') ? name.substr(0, name.size() - 1) : name;
    const std::optional<system::SplitName> with_more = names.split(bare + ".x", '.');
    const bool is_fmu = with_more && with_more->rest == "x";
    throw Error(ErrorKind::usage,
                fmt::format("--set wants <fmu>.<variable>=value, and '{}' {}", printable(name),
                            is_fmu ? "is an FMU without a variable"
                                   : "begins with no FMU; " + names.suggest(name, '.')));
}

void apply_setting(const std::string& text, system::System& system) {
    const Assignment assignment = parse_assignment(text);
    const system::FmuNames names(system);
    const std::optional<system::SplitName> place = names.split(assignment.name, '.');
    if (!place)
        refuse_name(assignment.name, names);
    system::Setting setting;
    setting.variable = place->rest;
    setting.value = parse_setting(assignment.value);
    setting.source = system.sources.size();
    system.sources.push_back(std::string(option) + printable(text));
    system.fmus[place->fmu].set.push_back(std::move(setting));
}

void apply(const results::RunSettings& settings, system::System& system) {
    if (!settings.method.empty())
        system.master.method = settings.method;
    system.master.step = settings.step.value_or(system.master.step);
    system.master.stop = settings.stop.value_or(system.master.stop);
    if (const std::string problem = system::master_problem(system.master); !problem.empty())
        throw Error(ErrorKind::usage, "--" + problem); // the file was in order: its reader has seen to it
    for (const std::string& text : settings.set)
        apply_setting(text, system);
}

/// In the glue, and in all FMUs that have this parameter, which are those of this program; which they are is known when the system is checked.
void accept_divergence(system::System& system) {
    const std::string parameter = "solver.accept_divergence";
    system.master.accept_divergence = true;
    const system::CheckedSystem checked = system::check_system(system);
    for (std::size_t i = 0; i < system.fmus.size(); ++i) {
        const auto& variables = checked.fmus[i]->description().variables;
        if (std::ranges::find(variables, parameter, &fmi::Variable::name) == variables.end())
            continue;
        system::Setting setting;
        setting.variable = parameter;
        setting.value = true;
        setting.source = system.sources.size();
        system.sources.emplace_back("--accept-divergence");
        system.fmus[i].set.push_back(std::move(setting));
    }
}

} // namespace

system::SettingValue parse_setting(const std::string& text) {
    constexpr std::int64_t exact = std::int64_t(1) << 53;
    if (text == "true" || text == "false")
        return text == "true";
    if (const std::optional<std::int64_t> whole = number_in<std::int64_t>(text);
        whole && std::abs(*whole) > exact)
        return *whole;
    if (const std::optional<double> value = number_in<double>(text))
        return *value;
    if (std::optional<std::vector<double>> list = list_in(text))
        return std::move(*list);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        return text.substr(1, text.size() - 2);
    return text;
}

system::CheckedSystem checked_system(const results::RunSettings& settings, fmi::Letter letter,
                                     std::vector<std::string>& warnings) {
    SystemOfParts parts = read_system_of_parts(settings.system);
    system::System system = std::move(parts.system);
    system.letter = letter;
    warnings = std::move(parts.warnings);
    apply(settings, system);
    try {
        if (settings.accept_divergence)
            accept_divergence(system);
        return system::check_system(std::move(system));
    } catch (const InputError& error) {
        if (std::string_view(error.what()).starts_with(option))
            throw Error(ErrorKind::usage, error.what());
        throw;
    }
}

} // namespace tenon::run
