#include "modelDescription/xml_writer.hpp"

#include "modelDescription/message_text.hpp"
#include "tools/files/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tenon::fmi {
namespace {

/// What stands for a character inside an attribute; empty where it stands for itself. Blanks other than a space would be
/// read back as a space.
std::string_view escape(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return {};
    }
}

bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"'; }

template <typename Float> void put_float(std::string& text, Float value) {
    if (!std::isfinite(value))
        throw std::invalid_argument(fmt::format("{} is not a number of FMI's XML", value));
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

} // namespace

void XmlWriter::open(std::string_view tag) {
    if (in_tag_)
        text_ += ">\n";
    text_.append(2 * open_.size(), ' ');
    text_ += '<';
    text_ += tag;
    open_.push_back(tag);
    in_tag_ = true;
}

void XmlWriter::close() {
    const std::string_view tag = open_.back();
    open_.pop_back();
    if (in_tag_) {
        text_ += "/>\n";
    } else {
        text_.append(2 * open_.size(), ' ');
        text_ += "</";
        text_ += tag;
        text_ += ">\n";
    }
    in_tag_ = false;
}

void XmlWriter::begin(std::string_view key) {
    text_ += ' ';
    text_ += key;
    text_ += "=\"";
}

void XmlWriter::attribute(std::string_view key, std::string_view value) {
    begin(key);
    if (std::ranges::all_of(value, is_plain)) {
        text_ += value;
    } else {
        for (std::string_view rest = value; !rest.empty();) {
            const std::size_t length = utf8_length(rest);
            const std::string_view escaped = escape(rest.front());
            if (length == 0 || (escaped.empty() && static_cast<unsigned char>(rest.front()) < 0x20))
                throw std::invalid_argument(
                    fmt::format("attribute {} cannot be written as XML: {}", key, quoted(value)));
            text_ += escaped.empty() ? rest.substr(0, length) : escaped;
            rest.remove_prefix(length);
        }
    }
    text_ += '"';
}

void XmlWriter::put(double value) { put_float(text_, value); }
void XmlWriter::put(float value) { put_float(text_, value); }

} // namespace tenon::fmi
