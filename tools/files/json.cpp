#include "tools/files/json.hpp"

#include "core/math/digits.hpp"
#include "tools/files/utf8.hpp"

#include <cmath>
#include <stdexcept>

namespace tenon {

std::string json_string(std::string_view text) {
    constexpr char hex[] = "0123456789abcdef";
    std::string result = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto c = static_cast<unsigned char>(text.front());
        if (length == 0)
            result += "\\ufffd";
        else if (c == '"' || c == '\\')
            result += {'\\', text.front()};
        else if (c == '\n')
            result += "\\n";
        else if (c == '\t')
            result += "\\t";
        else if (c < 0x20 || c == 0x7f)
            result += {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
        else
            result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? digits(value) : "null"; }

JsonWriter& JsonWriter::open(char opening) {
    before_value();
    text_ += opening;
    levels_.push_back({opening == '{' ? '}' : ']'});
    return *this;
}

JsonWriter& JsonWriter::end() {
    if (levels_.empty() || after_key_)
        throw std::logic_error("JSON: nothing to end here");
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty)
        new_line();
    text_ += level.closing;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    if (levels_.empty() || levels_.back().closing != '}' || after_key_)
        throw std::logic_error("JSON: a key outside an object");
    if (!levels_.back().empty)
        text_ += ',';
    levels_.back().empty = false;
    new_line();
    text_ += json_string(name) + ": ";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::numbers(std::span<const double> values) {
    std::string list = "[";
    for (double number : values)
        list += (list.size() > 1 ? ", " : "") + json_number(number);
    return put(list + "]");
}

std::string JsonWriter::text() const {
    if (!levels_.empty() || text_.empty())
        throw std::logic_error("JSON: not finished");
    return text_ + '\n';
}

JsonWriter& JsonWriter::put(std::string_view token) {
    before_value();
    text_ += token;
    return *this;
}

void JsonWriter::before_value() {
    if (levels_.empty()) {
        if (!text_.empty())
            throw std::logic_error("JSON: more than one value");
        return;
    }
    if (levels_.back().closing == '}') {
        if (!after_key_)
            throw std::logic_error("JSON: a value without a key");
        after_key_ = false;
        return;
    }
    if (!levels_.back().empty)
        text_ += ',';
    levels_.back().empty = false;
    new_line();
}

void JsonWriter::new_line() { text_ += '\n' + std::string(2 * levels_.size(), ' '); }

} // namespace tenon
