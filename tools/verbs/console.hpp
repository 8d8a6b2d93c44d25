#pragma once
// What people see: one-line messages, aligned tables, a progress bar. Nothing here knows mechanics.

#include "tools/run/number_text.hpp"

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::verbs {

/// How much a verb says on standard output; errors and warnings are always said.
enum class Verbosity { quiet, normal, verbose };
constexpr Verbosity verbosity_of(bool quiet, bool verbose) {
    return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
}

bool is_terminal(std::FILE* stream);
/// On a terminal, unless NO_COLOR is set (no-color.org) or the terminal is "dumb".
bool has_colours(std::FILE* stream);

enum class Style { plain, bold, dim, red, yellow, green };
/// `text` in that style where `stream` has colours, unchanged elsewhere.
std::string styled(std::string_view text, Style style, std::FILE* stream);

/// `tenon: message` on standard error.
void print_error(std::string_view message);
void print_warning(std::string_view message);

using run::counted;
using run::short_number;
/// 950 us, 12.3 ms, 4.56 s, 3 min 20 s.
std::string duration(double seconds);

/// A table with aligned columns; numbers to the right.
class TextTable {
  public:
    enum class Align { left, right };
    explicit TextTable(std::vector<Align> columns, std::vector<std::string> heading = {});
    void add(std::vector<std::string> row);
    bool empty() const { return rows_.empty(); }
    void print(std::FILE* stream, int indent = 0) const;

  private:
    std::vector<Align> columns_;
    std::vector<std::string> heading_;
    std::vector<std::vector<std::string>> rows_;
};

/// A bar with rate and time left on standard error: only where that is a terminal, at most ten times a second.
class Progress {
  public:
    Progress(double start, double stop, bool wanted);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(double time);
    void clear();

  private:
    using Clock = std::chrono::steady_clock;
    double start_, stop_;
    bool on_;
    bool drawn_ = false;
    Clock::time_point begun_, last_;
};

} // namespace tenon::verbs
