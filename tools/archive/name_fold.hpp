#pragma once
// When two file names are one and the same to a file system that ignores case or the Unicode form.

#include <string>
#include <string_view>

namespace tenon {

/// `name` (valid UTF-8) in small letters and decomposed, so that names which such a file system may take for one come
/// out equal. Covered: case of ASCII, of Latin letters up to U+017F, of modern Greek and of Cyrillic up to U+045F;
/// decomposition of those letters where they carry one mark, and of Hangul syllables; signs that are letters (Kelvin,
/// Angstrom, Ohm, micro). Not covered, and compared as written: letters with two marks and the order of marks, one
/// letter against two ("ß" and "ss"), other scripts.
std::string folded_name(std::string_view name);

} // namespace tenon
