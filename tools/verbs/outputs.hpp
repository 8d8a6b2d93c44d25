#pragma once
// Where results may be written: checked before anything is computed.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::verbs {

/// A file of this run and what it is for, as in `--out`.
struct NamedFile {
    std::string what;
    std::filesystem::path path;
};

/// The same file under two names, links included. Devices such as /dev/null may be named twice.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);
/// Failure(usage) where two of them are the same file; those with an empty path are passed over.
void refuse_same_files(const std::vector<NamedFile>& files);

/// Failure(usage) for an output that is named like a model, an FMU or a system: most likely an option stands before
/// the wrong word, and somebody's work would be written over.
void refuse_input_names(const std::vector<NamedFile>& files);
bool is_input_name(const std::filesystem::path& path);

/// Failure(usage) for results whose name ends in neither .csv, .h5 nor .hdf5: some other format is expected by the name.
/// Streams, and names without an ending, are CSV.
void require_result_name(const std::filesystem::path& path);

/// The file that a word names: "-" is standard output, as in other programs.
std::string output_file(const std::string& word);
/// Standard output: nothing else may be said there then.
bool is_stdout(const std::string& path);

/// OutputError where the file cannot be opened for writing. Changes nothing.
void require_writable(const std::filesystem::path& path);
/// Writes a file that does not exist yet; Failure(output) where it does or cannot be written.
void write_new_file(const std::filesystem::path& path, std::string_view text);

} // namespace tenon::verbs
