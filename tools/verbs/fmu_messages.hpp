#pragma once
// What FMUs say while they run: all of it into a file, or only what matters on the screen, each thing once.

#include "tools/files/output_file.hpp"
#include "tools/import/slave.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace tenon::verbs {

/// May be called from several threads.
class FmuMessages {
  public:
    /// `file` may be empty. `before` is called before a line goes to the screen: it clears the progress bar. Throws OutputError.
    FmuMessages(const std::string& file, std::function<void()> before);

    void add(const std::string& fmu, fmi::Status status, const std::string& text);
    /// What is still held back, unless `failure`, the line that ends the run, says it too; how often repeated lines came;
    /// one warning where the file could not be written or lines were not shown.
    void finish(const std::string& failure);

  private:
    struct Held {
        std::string line;
        std::string text; ///< the FMU's own words in it
    };

    void to_file(const std::string& line);
    void to_screen(const std::string& line, const std::string& text, bool may_end_the_run);
    void show(const std::string& line);
    void release();

    std::function<void()> before_;
    std::mutex mutex_;
    std::optional<OutputFile> file_;
    std::string problem_;                ///< of the file
    std::map<std::string, long> counts_; ///< of lines that were shown or are held back
    Held held_;                          ///< the last one, where the run may end by it
    long left_out_ = 0;
};

} // namespace tenon::verbs
