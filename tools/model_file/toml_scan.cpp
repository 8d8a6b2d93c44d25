#include "tools/model_file/toml_scan.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/utf8.hpp"
#include "tools/model_file/toml.hpp"

#include <algorithm>
#include <set>

namespace tenon {
namespace {

/// A model has ten tables and a few more inside them.
constexpr std::size_t heading_limit = 1000;
constexpr std::size_t dotted_limit = 20'000;

int line_of(std::string_view text, std::size_t place) {
    return 1 + static_cast<int>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
}

/// Files that lie beside models and systems: better said than what is wrong with them as TOML.
void refuse_other_formats(std::string_view text, const std::string& file) {
    if (text.starts_with("time,") || text.starts_with("\x89HDF\r\n"))
        throw bad_input(file, 0, "this is a result; 'tenon plot' and 'tenon view' show it");
    if (text.starts_with("{\n") || text.starts_with("{\""))
        throw bad_input(file, 0, "this is JSON, such as a summary or the scene beside a result, not TOML");
}

void check_characters(std::string_view text, const std::string& file) {
    const std::size_t valid = utf8_valid_prefix(text);
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw bad_input(file, 1, "the file is UTF-16; save it as UTF-8");
    const auto control = [](char c) {
        const auto u = static_cast<unsigned char>(c);
        return (u < 0x20 && c != '\t' && c != '\n' && c != '\r') || u == 0x7f;
    };
    const auto found = std::find_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(valid), control);
    const auto place = static_cast<std::size_t>(found - text.begin());
    if (place < valid)
        throw bad_input(file, line_of(text, place),
                        "control character " + printable(text.substr(place, 1)) +
                            " in a text file; is it the right file?");
    if (const std::size_t alone = text.find('\r'); alone != std::string_view::npos &&
                                                   alone + 1 < text.size() &&
                                                   text.find('\n') == std::string_view::npos)
        throw bad_input(file, 1, "lines end with a carriage return alone; save the file with line feeds");
    if (valid < text.size())
        throw bad_input(file, line_of(text, valid),
                        "invalid UTF-8 (byte " + printable(text.substr(valid, 1)) +
                            "); save the file as UTF-8");
}

/// Walks over the text as TOML's grammar does, as far as strings, comments, brackets and dots are concerned.
///
/// toml++ searches lists of the tables that dotted keys and headings have made, one comparison after the other, so
/// their numbers are limited as well. Whatever this walk does not understand is left for the parser to refuse.
class Scan {
  public:
    Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    std::optional<OpenQuote> run() {
        while (place_ < text_.size()) {
            const char c = text_[place_];
            if (c == '[' && in_key_ && brackets_.empty())
                enter_heading();
            else if (c == '"' || c == '\'')
                skip_string(c);
            else if (c == '#')
                place_ = std::min(text_.find('\n', place_), text_.size());
            else
                step(c);
        }
        return std::move(open_);
    }

  private:
    /// After a line's first bracket: [name] or [[name]].
    void enter_heading() {
        const std::size_t end = std::min(text_.find('\n', place_), text_.size());
        if (headings_.insert(text_.substr(place_, end - place_)).second && headings_.size() > heading_limit)
            refuse("the file has too many different tables (limit " + std::to_string(heading_limit) + ")");
        step('[');
        const bool array = place_ < text_.size() && text_[place_] == '[';
        if (array)
            step('[');
        in_key_ = true;
        free_dots_ = array ? 0 : 1;
        const std::size_t first = text_.find_first_not_of(" \t", place_);
        const char c = first < text_.size() ? text_[first] : ']';
        const bool key = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                         c == '_' || c == '-' || c == '"' || c == '\'';
        if (!key)
            refuse(
                "not valid TOML: a table needs a name; write [name], or [[name]] where there can be several");
    }

    void step(char c) {
        ++place_;
        switch (c) {
        case '\n':
            ++line_;
            if (brackets_.empty() || is_heading())
                new_key();
            return;
        case '.':
            return count_dot();
        case '=':
            in_key_ = false;
            return count_value();
        case ',':
            in_key_ = !brackets_.empty() && brackets_.back() == '{';
            dots_ = 0;
            return count_value();
        case '[':
        case '{':
            brackets_ += c;
            if (brackets_.size() > static_cast<std::size_t>(toml_depth_limit))
                refuse("brackets are nested too deeply (limit " + std::to_string(toml_depth_limit) +
                       "); is it the right file?");
            in_key_ = c == '{';
            dots_ = 0;
            return count_value();
        case ']':
        case '}':
            if (!brackets_.empty())
                brackets_.pop_back();
            in_key_ = false;
            return;
        default:
            return;
        }
    }

    /// A heading ends with its line, closed or not.
    bool is_heading() const { return in_key_ && brackets_.back() == '['; }

    void new_key() {
        brackets_.clear();
        in_key_ = true;
        dots_ = free_dots_ = 0;
    }

    void count_dot() {
        if (!in_key_)
            return;
        if (++dots_ > toml_depth_limit)
            refuse("a key has too many parts (limit " + std::to_string(toml_depth_limit) +
                   "); is it the right file?");
        if (dots_ > free_dots_ && ++dotted_ > dotted_limit)
            refuse("the file has too many dotted keys (limit " + std::to_string(dotted_limit) +
                   "); use { key = value }");
    }

    void count_value() {
        if (++values_ > toml_value_limit)
            refuse("the file has too many values (limit " + std::to_string(toml_value_limit) + ")");
    }

    [[noreturn]] void refuse(const std::string& what) const { throw bad_input(file_, line_, what); }

    void skip_string(char quote) {
        const std::string triple(3, quote);
        const bool long_one = text_.substr(place_, 3) == triple;
        const std::size_t begin = place_;
        const int line = line_;
        place_ += long_one ? 3 : 1;
        while (place_ < text_.size()) {
            const char c = text_[place_];
            if (c == '\n' && !long_one)
                break; // unfinished: the parser will say so
            if (c == '\n')
                ++line_;
            if (c == '\\' && quote == '"' && place_ + 1 < text_.size() && text_[place_ + 1] != '\n') {
                place_ += 2;
            } else if (c == quote && (!long_one || text_.substr(place_, 3) == triple)) {
                place_ += long_one ? 3 : 1;
                // Up to two quotes may stand before the closing three.
                for (int extra = 0; long_one && extra < 2 && place_ < text_.size() && text_[place_] == quote;
                     ++extra)
                    ++place_;
                return;
            } else {
                ++place_;
            }
        }
        if (!open_)
            open_ = {line, long_one ? "the text that begins with " + triple +
                                          " here is never closed; it ends with " + triple
                                    : open_quote(begin, quote)};
    }

    /// Of a quote that its line does not close. Where something stands before it, it may be that text's last one.
    std::string open_quote(std::size_t begin, char quote) const {
        const std::size_t end = std::min(text_.find_first_of("\r\n", begin), text_.size());
        const std::size_t before = text_.find_last_not_of(" \t", begin == 0 ? 0 : begin - 1);
        const bool first = begin == 0 || before == std::string_view::npos ||
                           std::string_view("=,[{.\n").find(text_[before]) != std::string_view::npos;
        const std::string sign = quote == '"' ? "\"" : "'";
        return first ? "the closing quote is missing: " + printable(text_.substr(begin, end - begin), 40) +
                           " begins with " + sign + " and must end with it in the same line"
                     : "a quote is missing: an odd number of " + sign + " stands in this line";
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t place_ = 0, values_ = 0, dotted_ = 0;
    int line_ = 1;
    std::string brackets_;         ///< those that are open
    bool in_key_ = true;           ///< left of an equals sign, or in a heading
    int dots_ = 0, free_dots_ = 0; ///< in this key, and those that cost nothing
    std::set<std::string_view> headings_;
    std::optional<OpenQuote> open_; ///< the first
};

} // namespace

std::optional<OpenQuote> check_toml_text(std::string_view text, const std::string& file) {
    if (text.size() > toml_size_limit)
        throw bad_input(file, 0,
                        "the file is too large (" + std::to_string(text.size()) + " bytes, limit " +
                            std::to_string(toml_size_limit) + "); is it the right file?");
    refuse_other_formats(text, file);
    check_characters(text, file);
    return Scan(text, file).run();
}

} // namespace tenon
