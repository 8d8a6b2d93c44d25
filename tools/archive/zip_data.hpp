#pragma once
// The content of an entry of a zip archive.

#include "tools/archive/zip_headers.hpp"

#include <functional>
#include <string_view>

namespace tenon::zip {

/// Gives the unpacked content to `sink`, piece by piece: never more than the header says, whatever the packed data
/// would make. Throws InputError(malformed) where the content has another size or checksum than the header says, or the packed
/// data are broken; only when it returns was the content sound. `header.entry.name` is for messages.
void unpack_data(const PlainFile& file, const Header& header,
                 const std::function<void(std::string_view)>& sink);

} // namespace tenon::zip
