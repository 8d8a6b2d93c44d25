#pragma once
// A small JSON writer (RFC 8259): summaries, scenes, the schema of model files.

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// `text` in quotes, with everything escaped that JSON wants escaped; broken UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);
/// The fewest digits that read back exactly; "null" for what is not finite, which JSON cannot say.
std::string json_number(double value);

/// Builds an indented text call by call:
///
///     JsonWriter json;
///     json.object().member("name", "crank").key("at").numbers(at).end();
///
/// Calls that cannot become JSON (a value without key in an object, an end too many) throw std::logic_error.
class JsonWriter {
  public:
    JsonWriter& object() { return open('{'); }
    JsonWriter& array() { return open('['); }
    /// Closes the innermost object or array.
    JsonWriter& end();
    JsonWriter& key(std::string_view name);

    JsonWriter& value(double number) { return put(json_number(number)); }
    JsonWriter& value(bool on) { return put(on ? "true" : "false"); }
    JsonWriter& value(std::string_view text) { return put(json_string(text)); }
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
    template <std::integral Integer> JsonWriter& value(Integer number) { return put(std::to_string(number)); }
    JsonWriter& null() { return put("null"); }
    /// An array on one line.
    JsonWriter& numbers(std::span<const double> values);

    template <class Value> JsonWriter& member(std::string_view name, const Value& content) {
        return key(name).value(content);
    }

    /// The finished text with a line break at its end.
    std::string text() const;

  private:
    struct Level {
        char closing;
        bool empty = true;
    };
    JsonWriter& open(char opening);
    JsonWriter& put(std::string_view token);
    void before_value();
    void new_line();

    std::string text_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

} // namespace tenon
