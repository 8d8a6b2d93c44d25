#include "tools/verbs/completion_words.hpp"

#include "core/integrators/integrator_types.hpp"
#include "tools/check/check_fmu.hpp"
#include "tools/system/system_format.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <map>

namespace tenon::verbs {
namespace {

/// Endings of the files that a word is meant to be, by the name that the help gives it.
const std::map<std::string, std::vector<std::string>>& endings_by_name() {
    static const std::map<std::string, std::vector<std::string>> endings = {
        {"MODEL", {"toml"}},
        {"FMU", {"fmu"}},
        {"SYSTEM", {"toml", "ssp"}},
        {"RESULT", {"csv", "h5", "hdf5"}},
    };
    return endings;
}

std::vector<std::string> integrator_names() {
    std::vector<std::string> names;
    for (const IntegratorType& type : integrator_types())
        names.push_back(type.name);
    return names;
}

/// "2|3" -> 2, 3.
std::vector<std::string> alternatives(const std::string& text) { return CLI::detail::split(text, '|'); }

/// Options whose values are names of something that a registry knows.
std::vector<std::string> known_values(const std::string& option) {
    if (option == "--integrator")
        return integrator_names();
    if (option == "--only")
        return check::dynamic_check_names();
    if (option == "--method")
        return system::words_of("master", "method");
    return {};
}

/// `type` is what the help shows as the value: FILE.csv, FILE, 2|3, NAME.
Completion completion_of(const std::string& option, const std::string& type) {
    if (const std::vector<std::string> values = known_values(option); !values.empty())
        return {Completion::Kind::words, values, {}};
    if (type.find('|') != std::string::npos)
        return {Completion::Kind::words, alternatives(type), {}};
    if (type == "FILE" || type == "FOLDER")
        return {Completion::Kind::files, {}, {}};
    if (type.starts_with("FILE."))
        return {Completion::Kind::files, {}, {type.substr(5)}};
    if (const auto known = endings_by_name().find(type); known != endings_by_name().end())
        return {Completion::Kind::files, {}, known->second};
    return {};
}

bool takes_several(const CLI::Option& option) { return option.get_expected_max() > 1; }

CompletedOption completed(const CLI::Option& option) {
    CompletedOption words;
    for (const std::string& name : option.get_lnames())
        words.names.push_back("--" + name);
    for (const std::string& name : option.get_snames())
        words.names.push_back("-" + name);
    words.description = option.get_description();
    words.takes_value = option.get_items_expected_max() > 0;
    if (words.takes_value) {
        words.value_name = option.get_type_name();
        words.repeatable = takes_several(option);
        words.value = completion_of(words.names.front(), words.value_name);
    }
    return words;
}

CompletedVerb completed(const CLI::App& command) {
    CompletedVerb verb;
    verb.name = command.get_name();
    verb.description = command.get_description();
    for (const CLI::Option* option : command.get_options()) {
        if (option->nonpositional()) {
            verb.options.push_back(completed(*option));
            continue;
        }
        verb.positional_name = option->get_name(true);
        verb.several = takes_several(*option);
        // A word such as "bash|zsh" where the type is its own name for the values, else the name tells what it is.
        verb.positional = completion_of("", option->get_type_name());
        if (verb.positional.kind == Completion::Kind::nothing)
            verb.positional = completion_of("", verb.positional_name);
    }
    return verb;
}

} // namespace

std::vector<CompletedVerb> completed_verbs(const CLI::App& tenon) {
    std::vector<CompletedVerb> verbs;
    for (const CLI::App* command : tenon.get_subcommands([](const CLI::App*) { return true; }))
        verbs.push_back(completed(*command));
    return verbs;
}

} // namespace tenon::verbs
