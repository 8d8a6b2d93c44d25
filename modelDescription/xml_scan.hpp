#pragma once
// What an XML text of a stranger must satisfy before the parser sees it (limits: docs/fmus.md, "What is refused").

#include <cstddef>
#include <string_view>

namespace tenon::fmi {

inline constexpr std::size_t xml_size_limit = 64u << 20;
/// Trees are walked by recursion; a description needs six levels, terminals one more for each nesting.
inline constexpr int xml_depth_limit = 64;
inline constexpr std::size_t xml_attribute_limit = 1u << 20;
/// Of one element; the largest of FMI has 21. They are compared with each other.
inline constexpr std::size_t xml_attributes_limit = 100;
/// Bytes of the parser's tree. 64 MB of "<a/>" would take a gigabyte; 64 MB of variables take 150 MB.
inline constexpr std::size_t xml_tree_limit = 256u << 20;

/// Size, UTF-8, no DOCTYPE, depth, length and number of attributes, entities, one root. What the parser checks itself
/// (that tags match, for one) is left to it. Throws DescriptionError with the line.
void scan_xml(std::string_view text);

} // namespace tenon::fmi
