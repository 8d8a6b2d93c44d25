#pragma once
// XML written straight into a string: one element a line, indented, the same bytes for the same calls.

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fmi {

/// open(), attributes, then children with open() and close(), then close().
class XmlWriter {
  public:
    XmlWriter() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

    /// `tag` must outlive the element: give a literal.
    void open(std::string_view tag);
    void close();

    /// Throws std::invalid_argument where XML cannot hold the text: broken UTF-8, control characters.
    void attribute(std::string_view key, std::string_view value);
    /// Only where it is not empty.
    void optional(std::string_view key, std::string_view value) {
        if (!value.empty())
            attribute(key, value);
    }
    /// Only where it is true.
    void flag(std::string_view key, bool value) {
        if (value)
            attribute(key, "true");
    }
    /// Throws std::invalid_argument where a number is not finite.
    template <typename T> void number(std::string_view key, T value) {
        begin(key);
        put(value);
        text_ += '"';
    }
    /// A list with blanks between the numbers.
    template <typename Values, typename Convert>
    void numbers(std::string_view key, const Values& values, Convert convert) {
        begin(key);
        const std::size_t first = text_.size();
        for (const auto& value : values) {
            if (text_.size() > first)
                text_ += ' ';
            put(convert(value));
        }
        text_ += '"';
    }

    /// When everything is closed.
    std::string take() { return std::move(text_); }

  private:
    void begin(std::string_view key);
    void put(double value);
    void put(float value);
    void put(bool value) { text_ += value ? "true" : "false"; }
    template <std::integral T> void put(T value) {
        char digits[24];
        text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }

    std::string text_;
    std::vector<std::string_view> open_;
    bool in_tag_ = false; ///< the last start tag is not closed yet
};

} // namespace tenon::fmi
