// The script for bash. It has a case for every option with a value and for every verb; what is in them follows from the verbs.

#include "tools/verbs/completion_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::verbs {
namespace {

/// bash splits words at '=', so that --out=x.csv arrives as three words. Names of files may have blanks: a line each.
constexpr std::string_view head = R"(# Completion of tenon for bash. Use: source <(tenon completion bash)

_tenon_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

# _tenon_files ENDING...: folders, and files with one of the endings; without any, all files.
_tenon_files() {
    local name ending
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        if [[ $# == 0 || -d $name ]]; then
            COMPREPLY+=("$name")
            continue
        fi
        for ending in "$@"; do
            [[ $name == *."$ending" ]] && COMPREPLY+=("$name")
        done
    done < <(compgen -f -- "$current")
}

_tenon() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
    COMPREPLY=()
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" ]] && ((COMP_CWORD > 2)); then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
)";

constexpr std::string_view tail = R"(}
complete -F _tenon tenon
)";

std::string command_for(const Completion& completion) {
    switch (completion.kind) {
    case Completion::Kind::words:
        return fmt::format("_tenon_words '{}'", fmt::join(completion.words, " "));
    case Completion::Kind::files:
        return fmt::format("_tenon_files {}", fmt::join(completion.endings, " "));
    case Completion::Kind::nothing:
        break;
    }
    return ":";
}

std::string verb_names(const std::vector<CompletedVerb>& verbs) {
    std::string names;
    for (const CompletedVerb& verb : verbs)
        names += verb.name + " ";
    return names + "--help --version";
}

std::string option_names(const CompletedVerb& verb) {
    std::string names;
    for (const CompletedOption& option : verb.options)
        names += (names.empty() ? "" : " ") + option.names.front();
    return names;
}

/// What follows an option that wants a value.
std::string value_cases(const CompletedVerb& verb) {
    std::string cases;
    for (const CompletedOption& option : verb.options)
        for (const std::string& name : option.names)
            if (option.takes_value)
                cases +=
                    fmt::format("        {}:{}) {}; return ;;\n", verb.name, name, command_for(option.value));
    return cases;
}

} // namespace

std::string bash_completion(const std::vector<CompletedVerb>& verbs) {
    std::string script(head);
    script +=
        fmt::format("    if ((COMP_CWORD == 1)); then\n        _tenon_words '{}'\n        return\n    fi\n",
                    verb_names(verbs));
    script += "    case $verb:$previous in\n";
    for (const CompletedVerb& verb : verbs)
        script += value_cases(verb);
    script += "    esac\n    case $verb:$current in\n";
    for (const CompletedVerb& verb : verbs) {
        script += fmt::format("        {}:-*) _tenon_words '{}' ;;\n", verb.name, option_names(verb));
        script += fmt::format("        {}:*) {} ;;\n", verb.name, command_for(verb.positional));
    }
    return script + "    esac\n" + std::string(tail);
}

} // namespace tenon::verbs
