#pragma once
// The examples that `tenon demo` knows by name: glued ones, the systems of the papers, the benchmarks, and all others.

#include "tools/verbs/glue_showcase.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace tenon::verbs {

/// examples/ beside or above the program (build/release/tenon of a clone, or bin/), or in the current folder;
/// Failure(missing) where there is none.
std::filesystem::path examples_folder();
struct DemoNames {
    std::vector<std::string> glued;    ///< glue/four_bar
    std::vector<std::string> machines; ///< models, without .toml

    std::vector<std::string> all() const;
    bool has_glued(const std::string& name) const;
};

/// All that there are, sorted.
DemoNames demo_names(const std::filesystem::path& folder, const std::vector<GluedExample>& glued);

/// The examples that `words` name, each once; without words the first glued one, for "integrators" a selection of machines. Spaces
/// and hyphens are as good as underscores. Failure(usage) with a suggestion for an unknown one.
DemoNames chosen_examples(const std::vector<std::string>& words, const DemoNames& known);

/// In groups, with their descriptions.
void print_examples(const std::filesystem::path& folder, const DemoNames& known);

} // namespace tenon::verbs
