#pragma once
// What FMUs say while they run: all of it into a file, or only what matters on the screen.

#include "tools/import/slave.hpp"
#include "tools/io/output_file.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace tenon::cli {

/// May be called from several threads.
class FmuMessages {
  public:
    /// `file` may be empty. `before` is called before a line goes to the screen: it clears the progress bar. Throws OutputError.
    FmuMessages(const std::string& file, std::function<void()> before);

    void add(const std::string& fmu, fmi::Status status, const std::string& text);
    /// One warning where the file could not be written or lines were not shown.
    void finish();

  private:
    void to_file(const std::string& line);
    void to_screen(const std::string& line);

    std::function<void()> before_;
    std::mutex mutex_;
    std::optional<OutputFile> file_;
    std::string problem_; ///< of the file
    long shown_ = 0, left_out_ = 0;
};

} // namespace tenon::cli
