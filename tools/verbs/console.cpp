#include "tools/verbs/console.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tenon::verbs {
namespace {

/// More than this of a message helps nobody; a name in a junk file can be megabytes long.
constexpr std::size_t longest_message = 1000;

/// Columns that a UTF-8 text takes, all characters counted as one wide.
std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// On standard error; where that cannot be written there is nobody left to tell.
void say(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

int terminal_columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

} // namespace

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

bool has_colours(std::FILE* stream) {
    if (const char* none = std::getenv("NO_COLOR"); none && *none)
        return false;
    const char* terminal = std::getenv("TERM");
    return is_terminal(stream) && terminal && std::string_view(terminal) != "dumb";
}

std::string styled(std::string_view text, Style style, std::FILE* stream) {
    if (style == Style::plain || !has_colours(stream))
        return std::string(text);
    static constexpr const char* codes[] = {"0", "1", "2", "31", "33", "32"};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(style)], text);
}

void print_error(std::string_view message) {
    say(fmt::format("{} {}\n", styled("tenon:", Style::red, stderr), printable(message, longest_message)));
}

void print_warning(std::string_view message) {
    say(fmt::format("{} {}\n", styled("tenon: warning:", Style::yellow, stderr),
                    printable(message, longest_message)));
}

std::string duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return "-";
    if (seconds < 1e-3)
        return fmt::format("{:.3g} us", seconds * 1e6);
    if (seconds < 1)
        return fmt::format("{:.3g} ms", seconds * 1e3);
    if (seconds < 60)
        return fmt::format("{:.3g} s", seconds);
    if (seconds < 3600)
        return fmt::format("{:.0f} min {:.0f} s", std::floor(seconds / 60),
                           std::floor(std::fmod(seconds, 60)));
    return fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / 3600),
                       std::floor(std::fmod(seconds, 3600) / 60));
}

TextTable::TextTable(std::vector<Align> columns, std::vector<std::string> heading)
    : columns_(std::move(columns)), heading_(std::move(heading)) {}

void TextTable::add(std::vector<std::string> row) {
    row.resize(columns_.size());
    for (std::string& cell : row)
        cell = printable(cell, longest_message);
    rows_.push_back(std::move(row));
}

void TextTable::print(std::FILE* stream, int indent) const {
    std::vector<std::size_t> widths(columns_.size(), 0);
    const auto widen = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], width(row[i]));
    };
    widen(heading_);
    for (const auto& row : rows_)
        widen(row);

    const auto print_row = [&](const std::vector<std::string>& row, Style style) {
        std::string line(static_cast<std::size_t>(indent), ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - width(row[i]), ' ');
            line += columns_[i] == Align::right ? padding + row[i] : row[i] + padding;
            if (i + 1 < row.size())
                line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        fmt::print(stream, "{}\n", styled(line, style, stream));
    };
    if (!heading_.empty())
        print_row(heading_, Style::bold);
    for (const auto& row : rows_)
        print_row(row, Style::plain);
}

Progress::Progress(double start, double stop, bool wanted)
    : start_(start), stop_(stop), on_(wanted && is_terminal(stderr)), begun_(Clock::now()), last_(begun_) {}

void Progress::show(double time) {
    if (!on_)
        return;
    const Clock::time_point now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(100))
        return;
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - begun_).count();
    const double part = stop_ > start_ ? std::clamp((time - start_) / (stop_ - start_), 0.0, 1.0) : 1.0;
    const std::string text = fmt::format(
        " {:3.0f} %  t = {} of {} s  {} s/s  {} left ", 100 * part, short_number(time), short_number(stop_),
        short_number((time - start_) / seconds), duration(part > 0 ? seconds * (1 - part) / part : INFINITY));
    const auto room = std::clamp<long>(terminal_columns() - static_cast<long>(text.size()) - 3, 0, 40);
    const auto full = std::lround(part * static_cast<double>(room));
    const std::string bar = room < 5 ? std::string()
                                     : '[' + std::string(static_cast<std::size_t>(full), '#') +
                                           std::string(static_cast<std::size_t>(room - full), '.') + ']';
    say(fmt::format("\r{}{}\x1b[K", bar, text));
    drawn_ = true;
}

void Progress::clear() {
    if (drawn_)
        say("\r\x1b[K");
    drawn_ = false;
}

} // namespace tenon::verbs
