#pragma once
// A verb of the command as data: its words, what it does, and how it answers when they cannot be understood.
// A new verb is one file with one function of this shape, and one line in command.cpp, which alone knows CLI11.

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace tenon::verbs {

/// An option that may stand alone, "--realtime", or with a value behind an equals sign, "--realtime=2".
struct OptionalWord {
    std::string* word;     ///< stays empty where the option is not there
    const char* by_itself; ///< its value where it stands alone
};

struct Option {
    /// "-o,--output FILE": names, then what the help calls the value. Without dashes it is a word of the verb itself: "MODEL".
    std::string names;
    /// Where it goes: one word, several, or whether it is there at all. Numbers are read later, so that their errors are ours.
    std::variant<std::string*, std::vector<std::string>*, bool*, OptionalWord> target;
    std::string help;
    bool required = false;
    std::vector<std::string> excludes = {}; ///< options that cannot stand beside it
};

struct Verb {
    std::string name, summary;
    std::vector<Option> options;
    std::string footer;
    /// Does it; ends early by an exception: Failure, InputError, OutputError or Error.
    std::function<void()> run;
    /// The words behind the verb could not be understood: `--json` is to be written all the same. May be empty.
    std::function<void(const std::string& message, const std::vector<std::string>& words)> refused = {};
};

/// All of them, in the order of the help.
std::vector<Verb> all_verbs();

} // namespace tenon::verbs
