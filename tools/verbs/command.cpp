#include "tools/verbs/command.hpp"

#include "core/model/suggest.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/summary_file.hpp"
#include "tools/verbs/verb.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tenon::verbs {

// Each is defined in the file of its verb.
Verb simulate_verb(), info_verb(), new_verb(), demo_verb(), export_verb(), check_verb(), cut_verb(),
    run_verb(), resume_verb(), replay_verb(), view_verb(), plot_verb(), completion_verb(), equilibrium_verb(),
    modes_verb();

namespace {

constexpr std::array verbs = {simulate_verb, equilibrium_verb, modes_verb, info_verb, new_verb,
                              demo_verb,     export_verb,      check_verb, cut_verb,  run_verb,
                              resume_verb,   replay_verb,      view_verb,  plot_verb, completion_verb};

void add(const Option& option, CLI::App& command) {
    const std::size_t blank = std::min(option.names.find(' '), option.names.size());
    const std::string names = option.names.substr(0, blank);
    CLI::Option* added = nullptr;
    if (bool* const* flag = std::get_if<bool*>(&option.target))
        added = command.add_flag(names, **flag, option.help);
    else if (std::string* const* word = std::get_if<std::string*>(&option.target))
        added = command.add_option(names, **word, option.help);
    else
        added = command.add_option(names, *std::get<std::vector<std::string>*>(option.target), option.help);
    if (blank < option.names.size())
        added->type_name(option.names.substr(blank + 1));
    if (added->nonpositional() && std::holds_alternative<std::vector<std::string>*>(option.target))
        added->allow_extra_args(false);
    added->required(option.required);
    for (const std::string& other : option.excludes)
        added->excludes(command.get_option(other));
}

CLI::App* add(const Verb& verb, CLI::App& tenon) {
    CLI::App* command = tenon.add_subcommand(verb.name, verb.summary);
    for (const Option& option : verb.options)
        add(option, *command);
    command->footer(verb.footer);
    return command;
}

/// CLI11 stops at the first word it does not know; an unknown verb deserves better than "not expected".
void require_known_verb(const std::vector<std::string>& words) {
    if (words.empty())
        throw Failure(ExitCode::usage, "no verb given; 'tenon --help' lists them");
    const std::string& word = words.front();
    if (word.starts_with('-'))
        return;
    std::vector<std::string> names;
    for (const Verb& verb : all_verbs())
        names.push_back(verb.name);
    if (std::find(names.begin(), names.end(), word) != names.end())
        return;
    const std::string message =
        word == "help" ? "unknown verb 'help'; did you mean 'tenon --help', or 'tenon simulate --help'?"
                       : fmt::format("unknown verb '{}'; {}", word, suggestion(word, names));
    refuse_model(message, {words.begin() + 1, words.end()});
    throw Failure(ExitCode::usage, message);
}

/// An empty word is most likely a shell variable that was not set; no option means anything by it.
void refuse_empty_words(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options())
        for (const std::string& word : option->results())
            if (word.empty())
                throw CLI::ValidationError(option->get_name(), "must not be empty");
}

/// "-o" and "--out", not "-1", "-" and "--".
bool looks_like_option(const std::string& word) {
    const std::size_t letter = word.find_first_not_of('-');
    return letter != std::string::npos && (letter == 1 || letter == 2) &&
           std::isalpha(static_cast<unsigned char>(word[letter]));
}

/// The options that a name is the beginning of, or that begin it; else the nearest; else where they are listed. `names` are without dashes.
std::string meant_option(const std::string& name, const std::vector<std::string>& names,
                         const std::string& help) {
    const std::string given = name.substr(name.find_first_not_of('-'));
    std::vector<std::string> alike;
    for (const std::string& known : names)
        if (given.size() > 1 && (known.starts_with(given) || given.starts_with(known)))
            alike.push_back(fmt::format("'--{}'", known));
    if (const std::string nearest = nearest_name(given, names);
        alike.empty() && !nearest.empty() && given.size() > 1)
        alike.push_back(fmt::format("'--{}'", nearest));
    return alike.empty() ? help : fmt::format("did you mean {}?", fmt::join(alike, " or "));
}

/// What CLI11 found wrong, in one line; for an unknown option with the nearest one there is.
std::string usage_message(const CLI::ParseError& error, const CLI::App* command,
                          const std::vector<std::string>& words) {
    if (!command)
        return fmt::format(
            "unknown option '{}'; the verb comes first, its options behind it, and 'tenon --help' "
            "lists the verbs",
            words.front());
    const std::string help = fmt::format("'tenon {} --help' lists the options", command->get_name());
    std::vector<std::string> names; // without the dashes, which would make all of them alike
    for (const CLI::Option* option : command->get_options())
        if (option->nonpositional())
            names.push_back(option->get_lnames().front());
    if (dynamic_cast<const CLI::ExtrasError*>(&error))
        for (const std::string& word : words)
            if (const std::string name = word.substr(0, word.find('='));
                looks_like_option(name) && !command->get_option_no_throw(name))
                return fmt::format("unknown option '{}'; {}", name, meant_option(name, names, help));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        for (const CLI::Option* option : command->get_options())
            if (option->nonpositional() && option->get_items_expected_max() == 1 && option->count() > 1)
                return fmt::format("--{} is given {} times; give it once", option->get_lnames().front(),
                                   option->count());
    const std::string text = error.what();
    return fmt::format("{}; {}", text.substr(0, text.find('\n')), help);
}

} // namespace

std::vector<Verb> all_verbs() {
    std::vector<Verb> all;
    for (const auto verb : verbs)
        all.push_back(verb());
    return all;
}

void run_command(const std::vector<std::string>& words) {
    CLI::App app("Tenon simulates machines made of bodies and joints.", "tenon");
    app.set_version_flag("--version", "tenon " TENON_VERSION, "Print the version and leave");
    app.require_subcommand(1);
    app.footer("Each verb explains itself: tenon simulate --help. A first machine: tenon new pendulum.");
    require_known_verb(words);
    const std::vector<Verb> all = all_verbs();
    const Verb* chosen = nullptr;
    CLI::App* command = nullptr;
    for (const Verb& verb : all) {
        CLI::App* added = add(verb, app);
        if (verb.name == words.front()) {
            chosen = &verb;
            command = added;
        }
    }
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend())); // CLI11 takes them from the back
        if (chosen)
            refuse_empty_words(*command);
    } catch (const CLI::Success& asked) {
        app.exit(asked); // --help or --version
        return;
    } catch (const CLI::ParseError& error) {
        const std::string message = usage_message(error, command, words);
        if (chosen && chosen->refused)
            chosen->refused(message, {words.begin() + 1, words.end()});
        throw Failure(ExitCode::usage, message);
    }
    if (!chosen)
        throw Failure(ExitCode::usage,
                      "the verb comes first, its options behind it; 'tenon --help' shows how");
    chosen->run();
    if (std::fflush(stdout) != 0)
        throw Failure(ExitCode::output, "standard output cannot be written; is the disk full?");
}

} // namespace tenon::verbs
