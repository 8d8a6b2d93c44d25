#include "tools/results/recorder.hpp"

#include "tools/results/csv_recorder.hpp"
#include "tools/results/hdf5_recorder.hpp"
#include "tools/results/row_journal.hpp"
#include "tools/results/timely_recorder.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>

namespace tenon::results {
namespace {

/// Somebody who watches a run sees it move; far less often than a disk minds.
constexpr std::chrono::milliseconds longest_delay(250);

std::unique_ptr<Recorder> plain(const std::filesystem::path& file, const ResultHeading& heading) {
    if (is_hdf5_name(file))
        return std::make_unique<Hdf5Recorder>(file, heading);
    return std::make_unique<CsvRecorder>(file, heading);
}

std::unique_ptr<Recorder> plain(const std::filesystem::path& file, const ResultHeading& heading,
                                const ResultMark& mark) {
    if (is_hdf5_name(file))
        return std::make_unique<Hdf5Recorder>(file, heading, mark);
    return std::make_unique<CsvRecorder>(file, heading, mark);
}

std::unique_ptr<Recorder> complete(std::unique_ptr<Recorder> recorder, const std::filesystem::path& file,
                                   const ResultHeading& heading, RowJournal* journal, bool is_new) {
    if (journal) {
        journal->open(file, heading, recorder->in_file(), is_new);
        recorder = journaled(std::move(recorder), *journal);
    }
    return std::make_unique<TimelyRecorder>(std::move(recorder), longest_delay);
}

} // namespace

std::vector<std::string> ResultHeading::names() const {
    std::vector<std::string> result;
    for (const ResultColumn& column : columns)
        result.push_back(column.name);
    return result;
}

bool is_hdf5_name(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending == ".h5" || ending == ".hdf5";
}

std::unique_ptr<Recorder> new_recorder(const std::filesystem::path& file, const ResultHeading& heading,
                                       RowJournal* journal) {
    std::error_code ignored;
    const bool is_new = !std::filesystem::exists(std::filesystem::symlink_status(file, ignored));
    return complete(plain(file, heading), file, heading, journal, is_new);
}

std::unique_ptr<Recorder> continued_recorder(const std::filesystem::path& file, const ResultHeading& heading,
                                             const ResultMark& mark, RowJournal* journal) {
    return complete(plain(file, heading, mark), file, heading, journal, false);
}

} // namespace tenon::results
