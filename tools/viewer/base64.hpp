#pragma once
// Bytes as text (RFC 4648 section 4).

#include <span>
#include <string>

namespace tenon::viewer {

std::string base64(std::span<const unsigned char> bytes);

} // namespace tenon::viewer
