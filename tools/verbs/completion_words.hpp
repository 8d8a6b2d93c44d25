#pragma once
// What a shell may offer while a command is typed: all of it taken from the verbs and options that CLI11 was told of, so that it
// never lags behind them.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tenon::verbs {

/// What may stand in one place.
struct Completion {
    enum class Kind { nothing, words, files };
    Kind kind = Kind::nothing;
    std::vector<std::string> words;
    std::vector<std::string> endings; ///< of files, without the dot; none: any file. Folders always.
};

struct CompletedOption {
    std::vector<std::string> names; ///< "--output", "-o"
    std::string description;
    std::string value_name; ///< "FILE.csv"
    bool takes_value = false;
    bool repeatable = false;
    Completion value;
};

struct CompletedVerb {
    std::string name, description;
    std::vector<CompletedOption> options;
    std::string positional_name;
    Completion positional; ///< for all words that belong to no option
    bool several = false;  ///< of them
};

std::vector<CompletedVerb> completed_verbs(const CLI::App& tenon);

/// Scripts that make a shell complete `tenon`.
std::string bash_completion(const std::vector<CompletedVerb>& verbs);
std::string zsh_completion(const std::vector<CompletedVerb>& verbs);

} // namespace tenon::verbs
