#pragma once
// Texts that an FMU passes by pointer. The pointer may be null or point nowhere, the text may have no end, and a format may ask for
// arguments that nobody has passed: nothing is read before the kernel has said that it can be.

#include <cstdarg>
#include <cstddef>
#include <string>

namespace tenon::fmi {

/// Bytes of a message that are kept; the rest is cut off.
constexpr std::size_t longest_message = 4096;

/// What is there up to the final zero; empty for null, "(unreadable)" for a pointer to nowhere.
std::string foreign_text(const char* text, std::size_t longest = longest_message);

/// The text that printf would write, but for %n, which writes nothing, and %s of what cannot be read. Stops at a conversion that
/// nobody knows and copies the rest as it is.
std::string foreign_format(const char* format, std::va_list arguments);

} // namespace tenon::fmi
