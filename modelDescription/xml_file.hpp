#pragma once
// A parsed XML file with line numbers, and its elements with typed attributes. pugixml is behind it.

#include "modelDescription/message_text.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/reader.hpp"
#include "tools/files/finding.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::fmi {

class XmlFile;

/// An element; false where it does not exist. Unknown children and attributes are nobody's business.
class Element {
  public:
    Element(const XmlFile& file, pugi::xml_node node) : file_(&file), node_(node) {}
    explicit operator bool() const { return static_cast<bool>(node_); }

    std::string_view tag() const { return node_.name(); }
    int line() const;
    /// "Float64 'x'", "Real of ScalarVariable 'x'", "DefaultExperiment".
    std::string described() const;
    /// Throws DescriptionError: what is wrong with this element.
    [[noreturn]] void refuse(const std::string& what) const;
    /// Something about this element is against the letter and is not taken.
    void note(std::string rule, const std::string& what) const;

    Element child(const char* tag) const { return {*file_, node_.child(tag)}; }
    /// The same, but refuses a second one.
    Element only_child(const char* tag) const;
    template <typename Visit> void each(const char* tag, Visit visit) const {
        for (const pugi::xml_node child : node_.children(tag))
            visit(Element(*file_, child));
    }
    template <typename Visit> void each(Visit visit) const {
        for (const pugi::xml_node child : node_.children())
            if (child.type() == pugi::node_element)
                visit(Element(*file_, child));
    }

    bool has(const char* key) const { return static_cast<bool>(node_.attribute(key)); }
    /// Empty where the attribute is absent.
    std::string_view view(const char* key) const { return node_.attribute(key).value(); }
    std::string text(const char* key) const { return node_.attribute(key).value(); }
    bool flag(const char* key) const { return has(key) && boolean(key, view(key)); }
    bool boolean(const char* key, std::string_view text) const;

    /// Nothing where the attribute is absent; refuses what is not a number of this type.
    template <typename T> std::optional<T> number(const char* key) const {
        if (!has(key))
            return {};
        return number<T>(key, view(key));
    }
    /// Nothing, and a note, also where a float is not finite: no bound is no bound.
    template <typename T> std::optional<T> usable(const char* key) const {
        if (!std::floating_point<T> || !has(key) || !is_not_finite(view(key)))
            return number<T>(key);
        note("number-finite", fmt::format("{} is {}; it is left out", key, quoted(view(key))));
        return {};
    }
    template <typename T> T required(const char* key) const {
        const std::optional<T> value = number<T>(key);
        if (!value)
            refuse(fmt::format("attribute {} is missing", key));
        return *value;
    }
    /// `text` of attribute `key` as a number.
    template <typename T> T number(const char* key, std::string_view text) const {
        T value{};
        const Parse parse = parse_number(text, value);
        if (parse == Parse::good)
            return value;
        if constexpr (std::floating_point<T>)
            refuse(fmt::format("{} is {}, which is not a finite number (largest {:g})", key, quoted(text),
                               std::numeric_limits<T>::max()));
        else
            refuse(fmt::format("{} is {}, which is {} (limits {} and {})", key, quoted(text),
                               parse == Parse::malformed ? "no whole number" : "out of range",
                               std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    }

  private:
    const XmlFile* file_;
    pugi::xml_node node_;
};

class XmlFile {
  public:
    /// Scans and parses. Throws DescriptionError, also where the root is another. What is against the letter goes to
    /// `found`, with `place` as the name of the file.
    XmlFile(std::string_view text, std::string_view root, std::string_view place = {},
            FindingList* found = nullptr);
    XmlFile(const XmlFile&) = delete;
    XmlFile& operator=(const XmlFile&) = delete;

    Element root() const { return {*this, document_.document_element()}; }
    int line(std::ptrdiff_t offset) const;
    const std::string& place() const { return place_; }
    /// Null: nobody wants to know.
    FindingList* found() const { return found_; }

  private:
    std::string place_;
    FindingList* found_;
    pugi::xml_document document_;
    std::vector<std::ptrdiff_t> newlines_;
};

} // namespace tenon::fmi
