#pragma once
// modelDescription.xml and terminalsAndIcons.xml as a Description. The text is hostile until read.

#include "modelDescription/description.hpp"
#include "tools/files/finding.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon::fmi {

/// What is wrong with the text: line (0 where unknown) and one sentence with value, limit and hint.
class DescriptionError : public std::runtime_error {
  public:
    DescriptionError(int line, const std::string& what) : std::runtime_error(what), line_(line) {}
    int line() const { return line_; }

  private:
    int line_;
};

/// Reads FMI 2.0 and 3.0 (told apart by fmiVersion). Throws DescriptionError for what makes the description unusable
/// (docs/fmus.md, "What is refused"); what is merely against the standard is for check_description() to find.
/// What the reader had to leave out, or to guess, goes to `found`.
Description read_description(std::string_view xml, FindingList* found = nullptr);

/// Adds the terminals to the description. Throws DescriptionError.
void read_terminals(std::string_view xml, Description& description, FindingList* found = nullptr);

} // namespace tenon::fmi
