#pragma once
// XML texts in the encodings that tools write, as UTF-8.

#include "tools/files/finding.hpp"

#include <string>
#include <string_view>

namespace tenon::fmi {

/// `text` without a mark and in UTF-8, whatever its mark or declaration says: UTF-8, UTF-16 with a mark, ISO-8859-1,
/// ISO-8859-15, windows-1252, US-ASCII. The text is `kept` where it is converted. Other encodings than UTF-8 are noted at
/// `place` where `found` is given. Throws DescriptionError: an encoding that is not read, a byte that it does not have.
std::string_view as_utf8(std::string_view text, std::string& kept, std::string_view place,
                         FindingList* found);

} // namespace tenon::fmi
