// tenon completion SHELL: the script by which a shell completes verbs, options, names and files; all of it follows from the verbs.

#include "core/integrators/integrator_types.hpp"
#include "tools/check/check_fmu.hpp"
#include "tools/run/names.hpp"
#include "tools/system/system_format.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/verb.hpp"

#include <fmt/ranges.h>
#include <map>
#include <memory>

namespace tenon::verbs {
namespace {

/// The cases come behind it. bash splits --out=x.csv into three words.
constexpr std::string_view bash_head = R"(# Completion of tenon. Use: source <(tenon completion bash)
_tenon_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_tenon_files() { # folders, and files with one of the endings
    local name; compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        [[ $1 == any || -d $name || " $1 " == *" ${name##*.} "* ]] && COMPREPLY+=("$name")
    done < <(compgen -f -- "$current")
}
_tenon() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
    COMPREPLY=()
    [[ $previous == "=" ]] && ((COMP_CWORD > 2)) && previous=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $current == "=" ]] && current=
    ((COMP_CWORD > 1)) || verb=
)";

/// What a shell offers for a value that the help calls `value`.
std::string offer(const std::string& option, const std::string& value) {
    static const std::map<std::string, std::string> endings = {
        {"MODEL", "toml"},         {"FMU", "fmu"},  {"SYSTEM", "toml ssp"},
        {"RESULT", "csv h5 hdf5"}, {"FILE", "any"}, {"FOLDER", "any"}};
    std::vector<std::string> words;
    if (option == "--integrator")
        for (const IntegratorType& type : integrator_types())
            words.push_back(type.name);
    else if (option == "--only")
        words = check::dynamic_check_names();
    else if (option == "--method")
        words = system::words_of("master", "method");
    else if (value.find('|') != value.npos)
        words = run::split_list(value, '|');
    if (!words.empty())
        return fmt::format("_tenon_words '{}'", fmt::join(words, " "));
    const auto known = endings.find(value.substr(0, value.find('.')));
    return known == endings.end() ? ":" : fmt::format("_tenon_files '{}'", known->second);
}

/// The cases of a verb: behind an option that wants a value, for options, for other words.
std::string cases(const Verb& verb) {
    std::string text, options = "--help", others = ":";
    for (const Option& option : verb.options) {
        const std::size_t blank = std::min(option.names.find(' '), option.names.size());
        const std::vector<std::string> names = run::split_list(option.names.substr(0, blank));
        const std::string value = blank < option.names.size() ? option.names.substr(blank + 1) : names[0];
        if (!names[0].starts_with('-')) {
            others = offer("", value);
            continue;
        }
        options += " " + names.back(); // the long one
        for (const std::string& name : names)
            if (!std::holds_alternative<bool*>(option.target) &&
                !std::holds_alternative<OptionalWord>(option.target))
                text += fmt::format("        {}:{}:*) {} ;;\n", verb.name, name, offer(names.back(), value));
    }
    return text + fmt::format("        {0}:*:-*) _tenon_words '{1}' ;;\n        {0}:*) {2} ;;\n", verb.name,
                              options, others);
}

void print_script(const std::string& shell) {
    if (shell != "bash")
        throw Failure(ExitCode::usage, fmt::format("unknown shell '{}'; there is a script for bash", shell));
    std::string names, table;
    for (const Verb& verb : all_verbs()) {
        names += verb.name + " ";
        table += cases(verb);
    }
    fmt::print("{}    case $verb:$previous:$current in\n        :*) _tenon_words '{}--help --version' ;;\n{}"
               "    esac\n}}\ncomplete -F _tenon tenon\n",
               bash_head, names, table);
}

} // namespace

Verb completion_verb() {
    auto shell = std::make_shared<std::string>();
    return {"completion",
            "Print a script that makes bash complete tenon's words",
            {{"SHELL", shell.get(), "bash", true}},
            "source <(tenon completion bash); in ~/.bashrc it lasts.",
            [shell] { print_script(*shell); }};
}

} // namespace tenon::verbs
