#pragma once
// The file of `--json`, which is written whatever comes of a verb.

#include <string>
#include <vector>

namespace tenon::verbs {

/// After a failure the first error is the one to report, so that a second one here is only a warning.
void write_summary_file(const std::string& file, const std::string& json, bool failed);

/// The file that `--json FILE` or `--json=FILE` names among words that could not be understood; empty where there
/// is none, or where it is also another of the words or named like a model: never write over somebody's work.
std::string json_file_among(const std::vector<std::string>& words);

/// `json`, which says that the words could not be understood, into the file that they name; a warning where it cannot be written.
void write_refused(const std::string& json, const std::vector<std::string>& words);
/// The same with the summary of a run of a model, or of a system, that never began.
void refuse_model(const std::string& message, const std::vector<std::string>& words);
void refuse_system(const std::string& message, const std::vector<std::string>& words);

} // namespace tenon::verbs
