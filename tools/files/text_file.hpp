#pragma once
// Whole text files: read with a limit, written so that nobody ever sees half of one.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tenon {

/// Throws InputError, unreadable where there is no such file or it cannot be read (a directory, no permission), and malformed
/// where it is larger than `limit` bytes.
std::string read_text_file(const std::filesystem::path& path, std::size_t limit);

/// Through a temporary file beside it and a rename, so that the file has either its old content or the new.
/// Throws OutputError. What is not a plain file (/dev/stdout, a pipe) is written directly.
void write_text_file(const std::filesystem::path& path, std::string_view text);

} // namespace tenon
