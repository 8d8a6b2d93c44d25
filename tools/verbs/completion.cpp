// tenon completion SHELL: the script by which a shell completes verbs, options, names and files.

#include "tools/verbs/completion_words.hpp"
#include "tools/verbs/exit_code.hpp"
#include "tools/verbs/verb.hpp"

#include <fmt/format.h>

namespace tenon::verbs {

Verb add_completion(CLI::App& tenon) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command =
        tenon.add_subcommand("completion", "Print a script that makes bash or zsh complete tenon's words");
    command->add_option("SHELL", *shell, "bash or zsh")->type_name("bash|zsh")->required();
    command->footer("For bash: source <(tenon completion bash)\n"
                    "For zsh:  source <(tenon completion zsh), behind compinit\n"
                    "In ~/.bashrc or ~/.zshrc it lasts.");
    return {command,
            [&tenon, shell] {
                if (*shell != "bash" && *shell != "zsh")
                    throw Failure(
                        ExitCode::usage,
                        fmt::format("unknown shell '{}'; there are scripts for bash and zsh", *shell));
                const std::vector<CompletedVerb> verbs = completed_verbs(tenon);
                fmt::print("{}", *shell == "bash" ? bash_completion(verbs) : zsh_completion(verbs));
            },
            {}};
}

} // namespace tenon::verbs
