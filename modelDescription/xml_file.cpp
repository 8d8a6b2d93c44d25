#include "modelDescription/xml_file.hpp"

#include "modelDescription/xml_encoding.hpp"
#include "modelDescription/xml_scan.hpp"

#include <algorithm>

namespace tenon::fmi {

int Element::line() const { return file_->line(node_.offset_debug()); }

std::string Element::described() const {
    const pugi::xml_attribute name = node_.attribute("name");
    if (name)
        return fmt::format("{} {}", tag(), quoted(name.value()));
    const pugi::xml_node parent = node_.parent();
    if (const pugi::xml_attribute owner = parent.attribute("name"))
        return fmt::format("{} of {} {}", tag(), parent.name(), quoted(owner.value()));
    return std::string(tag());
}

void Element::refuse(const std::string& what) const {
    throw DescriptionError(line(), described() + ": " + what);
}

void Element::note(std::string rule, const std::string& what) const {
    if (file_->found())
        file_->found()->add(std::move(rule), fmt::format("{}:{} {}", file_->place(), line(), described()),
                            what);
}

Element Element::only_child(const char* tag) const {
    const pugi::xml_node first = node_.child(tag);
    if (const pugi::xml_node second = first.next_sibling(tag))
        Element(*file_, second).refuse("there must be only one of these");
    return {*file_, first};
}

bool Element::boolean(const char* key, std::string_view text) const {
    const std::string_view value = trimmed(text);
    if (value == "true" || value == "1")
        return true;
    if (value == "false" || value == "0")
        return false;
    for (const auto& [word, meaning] :
         {std::pair("True", true), {"TRUE", true}, {"False", false}, {"FALSE", false}})
        if (value == word) {
            note("boolean", fmt::format("{} is {}; XML writes true and false", key, quoted(text)));
            return meaning;
        }
    refuse(fmt::format("{} is {}, which is neither true nor false", key, quoted(text)));
}

XmlFile::XmlFile(std::string_view text, std::string_view root, std::string_view place, FindingList* found)
    : place_(place), found_(found) {
    std::string converted;
    text = as_utf8(text, converted, place, found);
    scan_xml(text);
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1))
        newlines_.push_back(static_cast<std::ptrdiff_t>(at));
    const pugi::xml_parse_result result = document_.load_buffer(
        text.data(), text.size(), pugi::parse_escapes | pugi::parse_wconv_attribute, pugi::encoding_utf8);
    if (!result)
        throw DescriptionError(line(result.offset),
                               fmt::format("this is not well-formed XML: {}", result.description()));
    const Element first = this->root();
    if (first.tag() != root)
        throw DescriptionError(first.line(),
                               fmt::format("the root element is {}, not {}", quoted(first.tag()), root));
}

int XmlFile::line(std::ptrdiff_t offset) const {
    if (offset < 0)
        return 0;
    const auto before = std::lower_bound(newlines_.begin(), newlines_.end(), offset);
    return static_cast<int>(before - newlines_.begin()) + 1;
}

} // namespace tenon::fmi
