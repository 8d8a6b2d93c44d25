#include "tools/verbs/command.hpp"

#include "core/model/suggest.hpp"
#include "tools/verbs/failure.hpp"
#include "tools/verbs/summary.hpp"
#include "tools/verbs/verb.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace tenon::verbs {
namespace {

constexpr std::array add_verbs = {add_simulate, add_info, add_new,       add_demo,   add_export,
                                  add_check,    add_cut,  add_run,       add_resume, add_replay,
                                  add_view,     add_plot, add_completion};

/// CLI11 stops at the first word it does not know; an unknown verb deserves better than "not expected".
void require_known_verb(const std::vector<Verb>& verbs, const std::vector<std::string>& words) {
    if (words.empty())
        throw Failure(ExitCode::usage, "no verb given; 'tenon --help' lists them");
    const std::string& word = words.front();
    if (word.starts_with('-'))
        return;
    std::vector<std::string> names;
    for (const Verb& verb : verbs)
        names.push_back(verb.command->get_name());
    if (std::find(names.begin(), names.end(), word) != names.end())
        return;
    const std::string message =
        word == "help" ? "unknown verb 'help'; did you mean 'tenon --help', or 'tenon simulate --help'?"
                       : fmt::format("unknown verb '{}'; {}", word, suggestion(word, names));
    write_refusal(message, {words.begin() + 1, words.end()});
    throw Failure(ExitCode::usage, message);
}

/// An empty word is most likely a shell variable that was not set; no option means anything by it.
void refuse_empty_words(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options())
        for (const std::string& word : option->results())
            if (word.empty())
                throw CLI::ValidationError(option->get_name(), "must not be empty");
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
                name.starts_with("--") && std::ranges::find(names, name.substr(2)) == names.end()) {
                const std::string nearest = nearest_name(name.substr(2), names);
                return fmt::format("unknown option '{}'; {}", name,
                                   nearest.empty() ? help : fmt::format("did you mean '--{}'?", nearest));
            }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error))
        for (const CLI::Option* option : command->get_options())
            if (option->nonpositional() && option->get_items_expected_max() == 1 && option->count() > 1)
                return fmt::format("--{} is given {} times; give it once", option->get_lnames().front(),
                                   option->count());
    const std::string text = error.what();
    return fmt::format("{}; {}", text.substr(0, text.find('\n')), help);
}

} // namespace

void run_command(const std::vector<std::string>& words) {
    CLI::App app("Tenon simulates machines made of bodies and joints.", "tenon");
    app.set_version_flag("--version", "tenon " TENON_VERSION, "Print the version and leave");
    app.require_subcommand(1);
    app.footer("Each verb explains itself: tenon simulate --help. A first machine: tenon new pendulum.");
    std::vector<Verb> verbs;
    for (const auto add : add_verbs)
        verbs.push_back(add(app));
    require_known_verb(verbs, words);

    const auto chosen = std::find_if(verbs.begin(), verbs.end(), [&](const Verb& verb) {
        return verb.command->get_name() == words.front();
    });
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend())); // CLI11 takes them from the back
        if (chosen != verbs.end())
            refuse_empty_words(*chosen->command);
    } catch (const CLI::Success& asked) {
        app.exit(asked); // --help or --version
        return;
    } catch (const CLI::ParseError& error) {
        const std::string message =
            usage_message(error, chosen == verbs.end() ? nullptr : chosen->command, words);
        if (chosen != verbs.end() && chosen->refused)
            chosen->refused(message, {words.begin() + 1, words.end()});
        throw Failure(ExitCode::usage, message);
    }
    if (chosen == verbs.end())
        throw Failure(ExitCode::usage,
                      "the verb comes first, its options behind it; 'tenon --help' shows how");
    chosen->run();
    if (std::fflush(stdout) != 0)
        throw Failure(ExitCode::output, "standard output cannot be written; is the disk full?");
}

} // namespace tenon::verbs
