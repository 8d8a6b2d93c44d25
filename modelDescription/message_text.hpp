#pragma once
// Texts of foreign files made fit for messages.

#include <string>
#include <string_view>

namespace tenon::fmi {

/// 'text' in quotes, with control characters and broken UTF-8 as \xNN, cut after `longest` bytes.
std::string quoted(std::string_view text, std::size_t longest = 80);

} // namespace tenon::fmi
