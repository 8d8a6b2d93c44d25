#include "modelDescription/xml_scan.hpp"

#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/reader.hpp"
#include "tools/files/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tenon::fmi {
namespace {

// Of pugixml on 64-bit machines.
constexpr std::size_t node_bytes = 64, attribute_bytes = 40;

constexpr std::size_t longest_entity = 16; // with leading zeros

constexpr std::string_view white_space = " \t\r\n";

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    void scan() {
        check_encoding();
        while (at_ < text_.size()) {
            if (text_[at_] == '<')
                markup();
            else
                character_data();
        }
    }

  private:
    [[noreturn]] void refuse(std::size_t at, const std::string& what) const {
        const auto newlines =
            std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw DescriptionError(static_cast<int>(newlines) + 1, what);
    }

    bool looking_at(std::string_view word) const { return text_.substr(at_).starts_with(word); }

    void check_encoding() {
        if (text_.size() > xml_size_limit)
            throw DescriptionError(0, fmt::format("the XML text is too large ({} bytes, limit {})",
                                                  text_.size(), xml_size_limit));
        const std::size_t valid = utf8_valid_prefix(text_);
        if (valid < text_.size())
            refuse(valid, fmt::format("invalid UTF-8 (byte \\x{:02x}); save the file as UTF-8",
                                      static_cast<unsigned char>(text_[valid])));
        const auto control = std::find_if(text_.begin(), text_.end(), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 && white_space.find(c) == white_space.npos;
        });
        if (control != text_.end())
            refuse(static_cast<std::size_t>(control - text_.begin()),
                   fmt::format("control character \\x{:02x}; XML has none",
                               static_cast<unsigned char>(*control)));
    }

    /// Text between tags: nobody reads it, but the parser keeps it.
    void character_data() {
        const std::size_t end = std::min(text_.find('<', at_), text_.size());
        const std::size_t visible = text_.find_first_not_of(white_space, at_);
        if (visible < end) {
            if (depth_ == 0)
                refuse(visible, fmt::format("text outside the root element ({})",
                                            quoted(text_.substr(visible, end - visible), 20)));
            count(node_bytes);
        }
        at_ = end;
    }

    void markup() {
        if (looking_at("<?"))
            skip("?>", "processing instruction");
        else if (looking_at("<!--"))
            skip("-->", "comment");
        else if (looking_at("<![CDATA["))
            skip("]]>", "CDATA section");
        else if (looking_at("<!"))
            refuse(at_,
                   "a DOCTYPE or other declaration; FMI needs none, and its entities can fill all memory");
        else if (looking_at("</")) {
            skip(">", "end tag");
            --depth_;
        } else
            start_tag();
    }

    void skip(std::string_view closing, std::string_view what) {
        const std::size_t end = text_.find(closing, at_);
        if (end == text_.npos)
            refuse(at_, fmt::format("a {} that never ends ({} is missing)", what, quoted(closing)));
        at_ = end + closing.size();
    }

    void start_tag() {
        const std::size_t start = at_;
        if (depth_ == 0 && roots_++ > 0)
            refuse(at_, "more than one root element");
        if (++depth_ > xml_depth_limit)
            refuse(at_, fmt::format("elements are nested too deeply (limit {})", xml_depth_limit));
        count(node_bytes);
        attributes_.clear();
        for (;;) {
            at_ = text_.find_first_of("\"'>", at_);
            if (at_ == text_.npos)
                refuse(start, "a tag that never ends ('>' is missing)");
            if (text_[at_] == '>')
                break;
            attribute(start);
        }
        if (text_[at_ - 1] == '/')
            --depth_;
        ++at_;
    }

    /// At the opening quote of a value.
    void attribute(std::size_t tag) {
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        if (end == text_.npos)
            refuse(at_, "an attribute that never ends (its closing quote is missing)");
        const std::string_view name = attribute_name(tag);
        if (end - at_ - 1 > xml_attribute_limit)
            refuse(at_, fmt::format("attribute {} is too long ({} bytes, limit {})", quoted(name),
                                    end - at_ - 1, xml_attribute_limit));
        if (attributes_.size() == xml_attributes_limit)
            refuse(at_, fmt::format("an element with too many attributes (limit {})", xml_attributes_limit));
        if (std::find(attributes_.begin(), attributes_.end(), name) != attributes_.end())
            refuse(at_, fmt::format("attribute {} is given twice", quoted(name)));
        attributes_.push_back(name);
        count(attribute_bytes);
        check_value(name, end);
        at_ = end + 1;
    }

    /// What stands before the = before the quote.
    std::string_view attribute_name(std::size_t tag) const {
        const std::string_view before = text_.substr(tag, at_ - tag);
        const std::size_t equal = before.find_last_not_of(white_space);
        if (equal == before.npos || before[equal] != '=')
            refuse(at_, "a quote in a tag without name and '=' before it");
        const std::string_view name = trimmed(before.substr(0, equal));
        return name.substr(std::min(name.find_last_of(" \t\r\n\"'") + 1, name.size()));
    }

    void check_value(std::string_view name, std::size_t end) const {
        const std::string_view rest = text_.substr(0, end); // no search goes beyond the value
        for (std::size_t i = rest.find_first_of("<&", at_); i != rest.npos;
             i = rest.find_first_of("<&", i + 1)) {
            if (rest[i] == '<')
                refuse(i, fmt::format("'<' in attribute {}; write &lt;", quoted(name)));
            const std::size_t semicolon = rest.substr(0, i + longest_entity).find(';', i);
            if (semicolon == rest.npos || !is_entity(rest.substr(i + 1, semicolon - i - 1)))
                refuse(i,
                       fmt::format("attribute {} has an '&' that begins no entity of XML ({}); write &amp;",
                                   quoted(name), quoted(rest.substr(i), 20)));
        }
    }

    static bool is_entity(std::string_view name) {
        for (const std::string_view known : {"amp", "lt", "gt", "quot", "apos"})
            if (name == known)
                return true;
        if (!name.starts_with('#'))
            return false;
        const bool hexadecimal = name.starts_with("#x");
        name.remove_prefix(hexadecimal ? 2 : 1);
        unsigned code = 0;
        const auto [end, error] =
            std::from_chars(name.data(), name.data() + name.size(), code, hexadecimal ? 16 : 10);
        if (error != std::errc{} || end != name.data() + name.size())
            return false;
        const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
        return !control && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
    }

    void count(std::size_t bytes) {
        tree_ += bytes;
        if (tree_ > xml_tree_limit)
            refuse(at_,
                   fmt::format("too many elements and attributes for {} bytes of memory", xml_tree_limit));
    }

    std::string_view text_;
    std::size_t at_ = 0, tree_ = 0;
    int depth_ = 0, roots_ = 0;
    std::vector<std::string_view> attributes_;
};

} // namespace

void scan_xml(std::string_view text) { Scanner(text).scan(); }

} // namespace tenon::fmi
