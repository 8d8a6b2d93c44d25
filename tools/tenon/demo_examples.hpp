#pragma once
// The examples that `tenon demo` knows by name: the systems of the papers, the benchmarks, and all others.

#include <filesystem>
#include <string>
#include <vector>

namespace tenon::cli {

/// examples/ beside or above the program (build/release/tenon of a clone, or bin/), or in the current folder;
/// Failure(missing) where there is none.
std::filesystem::path examples_folder();
/// Names without .toml, sorted.
std::vector<std::string> example_names(const std::filesystem::path& folder);

/// The examples that `words` name, each once; a selection where there are no words. Spaces and hyphens are as good as
/// underscores. Failure(usage) with a suggestion for an unknown one.
std::vector<std::string> chosen_examples(const std::vector<std::string>& words,
                                         const std::vector<std::string>& known);

/// In groups, with their descriptions.
void print_examples(const std::filesystem::path& folder, const std::vector<std::string>& known);

} // namespace tenon::cli
