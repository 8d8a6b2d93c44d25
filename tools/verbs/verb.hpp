#pragma once
// A verb of the command: its options, what it does, and how it answers when they cannot be understood.
// A new verb is one file with one function of this shape, and one line in command.cpp.

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tenon::verbs {

struct Verb {
    CLI::App* command = nullptr;
    /// Does it; ends early by an exception: Failure, InputError, OutputError or Error.
    std::function<void()> run;
    /// The words behind the verb could not be understood: `--json` is to be written all the same. May be empty.
    std::function<void(const std::string& message, const std::vector<std::string>& words)> refused;
};

Verb add_simulate(CLI::App& tenon);
Verb add_info(CLI::App& tenon);
Verb add_new(CLI::App& tenon);
Verb add_demo(CLI::App& tenon);
Verb add_export(CLI::App& tenon);
Verb add_check(CLI::App& tenon);
Verb add_cut(CLI::App& tenon);
Verb add_run(CLI::App& tenon);
Verb add_resume(CLI::App& tenon);
Verb add_replay(CLI::App& tenon);
Verb add_view(CLI::App& tenon);
Verb add_plot(CLI::App& tenon);
Verb add_completion(CLI::App& tenon);

} // namespace tenon::verbs
