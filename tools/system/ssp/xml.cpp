#include "tools/system/ssp/xml.hpp"

#include <fmt/format.h>

namespace tenon::system {
namespace {

/// The tag of the first element as it stands in the text, prefix and all; empty where there is none. What stands before it
/// (declaration, comments) is skipped, not judged.
std::string_view first_tag(std::string_view text) {
    constexpr std::string_view comment = "<!--", comment_end = "-->";
    for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1)) {
        if (text.substr(at).starts_with(comment)) {
            const std::size_t end = text.find(comment_end, at + comment.size());
            if (end == text.npos)
                return {};
            at = end;
        } else if (at + 1 < text.size() && text[at + 1] != '?' && text[at + 1] != '!') {
            const std::size_t end = text.find_first_of(" \t\r\n/>", at + 1);
            return end == text.npos ? std::string_view() : text.substr(at + 1, end - at - 1);
        }
    }
    return {};
}

std::string_view without_prefix(std::string_view tag) { return tag.substr(tag.find(':') + 1); }

} // namespace

std::string_view local_name(const Element& element) { return without_prefix(element.tag()); }

std::optional<Element> child(const Element& parent, std::string_view name) {
    std::optional<Element> found;
    each_child(parent, name, [&](const Element& element) {
        if (!found)
            found = element;
    });
    return found;
}

std::string required_text(const Element& element, const char* key) {
    if (element.view(key).empty())
        element.refuse(fmt::format("attribute {} is missing", key));
    return element.text(key);
}

SspDocument::SspDocument(std::string_view text, std::string_view root, std::string name)
    : name_(std::move(name)), file_([&] {
          const std::string_view tag = first_tag(text);
          const bool right = without_prefix(tag) == root;
          return in_document(name_, [&] { return fmi::XmlFile(text, right ? tag : root); });
      }()) {}

} // namespace tenon::system
