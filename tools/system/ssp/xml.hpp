#pragma once
// XML of SSP: elements by their local name, whatever prefix a tool gave the namespace.

#include "modelDescription/xml_file.hpp"
#include "tools/files/errors.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tenon::system {

using fmi::Element;

/// "Component" of "ssd:Component".
std::string_view local_name(const Element& element);

/// The first child of that local name.
std::optional<Element> child(const Element& parent, std::string_view name);

template <class Visit> void each_child(const Element& parent, std::string_view name, Visit visit) {
    parent.each([&](const Element& element) {
        if (local_name(element) == name)
            visit(element);
    });
}

/// An attribute that must be there and not be empty.
std::string required_text(const Element& element, const char* key);

/// What `read` makes of a document; what is wrong with it becomes an InputError of `file`.
template <class Read> auto in_document(const std::string& file, Read read) {
    try {
        return read();
    } catch (const fmi::DescriptionError& error) {
        throw bad_input(file, error.line(), error.what());
    }
}

/// The parsed text. Throws InputError, also where the local name of the root is not `root`. `name` is what messages call it.
class SspDocument {
  public:
    SspDocument(std::string_view text, std::string_view root, std::string name);

    Element root() const { return file_.root(); }
    const std::string& name() const { return name_; }

  private:
    std::string name_;
    fmi::XmlFile file_;
};

} // namespace tenon::system
