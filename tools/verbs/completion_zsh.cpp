// The script for zsh: one call of its _arguments a verb, which also shows what options mean.

#include "tools/verbs/completion_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::verbs {
namespace {

/// Works both when it is sourced and as a file _tenon in fpath, where zsh calls it as a function.
constexpr std::string_view tail = R"(
if [[ ${funcstack[1]} == _tenon ]]; then
    _tenon "$@"
else
    compdef _tenon tenon
fi
)";

/// `text` for a specification within single quotes: colons and brackets have a meaning there.
std::string plain(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\'')
            escaped += "'\\''";
        else if (c == ':' || c == '[' || c == ']' || c == '\\')
            (escaped += '\\') += c;
        else
            escaped += c;
    }
    return escaped;
}

std::string action(const Completion& completion) {
    switch (completion.kind) {
    case Completion::Kind::words:
        return fmt::format("({})", fmt::join(completion.words, " "));
    case Completion::Kind::files:
        if (completion.endings.empty())
            return "_files";
        return fmt::format("_files -g \"*.({})\"", fmt::join(completion.endings, "|"));
    case Completion::Kind::nothing:
        break;
    }
    return " ";
}

/// '*--set[Change a parameter]:NAME=VALUE: '.
std::string specification(const CompletedOption& option, const std::string& name) {
    const std::string value =
        option.takes_value ? fmt::format(":{}:{}", plain(option.value_name), action(option.value)) : "";
    return fmt::format("'{}{}{}[{}]{}'", option.repeatable ? "*" : "", name,
                       option.takes_value && name.starts_with("--") ? "=" : "", plain(option.description),
                       value);
}

std::string arguments(const CompletedVerb& verb) {
    std::string text = "_arguments";
    for (const CompletedOption& option : verb.options)
        for (const std::string& name : option.names)
            text += " \\\n                " + specification(option, name);
    if (!verb.positional_name.empty())
        text += fmt::format(" \\\n                '{}:{}:{}'", verb.several ? "*" : "1",
                            plain(verb.positional_name), action(verb.positional));
    return text;
}

} // namespace

std::string zsh_completion(const std::vector<CompletedVerb>& verbs) {
    std::string script =
        "#compdef tenon\n# Completion of tenon for zsh. Use: source <(tenon completion zsh)\n\n"
        "_tenon() {\n    local -a verbs\n    verbs=(\n";
    for (const CompletedVerb& verb : verbs)
        script += fmt::format("        '{}:{}'\n", verb.name, plain(verb.description));
    script += "    )\n    if ((CURRENT == 2)); then\n        _describe verb verbs\n        return\n    fi\n"
              "    shift words\n    ((CURRENT--))\n    case $words[1] in\n";
    for (const CompletedVerb& verb : verbs)
        script += fmt::format("        {})\n            {}\n            ;;\n", verb.name, arguments(verb));
    return script + "    esac\n}\n" + std::string(tail);
}

} // namespace tenon::verbs
