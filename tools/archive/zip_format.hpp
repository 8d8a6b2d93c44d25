#pragma once
// The records of a zip archive (PKWARE's APPNOTE 6.3, sections 4.3 to 4.5), as far as FMI and SSP allow them: fixed
// parts and their sizes, the bits of the general purpose flag, the two methods.

#include <cstddef>
#include <cstdint>

namespace tenon::zip {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                        end64_mark = 0x06064b50, locator64_mark = 0x07064b50, descriptor_mark = 0x08074b50;

constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator64_size = 20;

constexpr int stored = 0, deflated = 8;

constexpr int flag_encrypted = 1 << 0, flag_descriptor = 1 << 3, flag_patched = 1 << 5,
              flag_strong_encryption = 1 << 6, flag_utf8 = 1 << 11, flag_masked = 1 << 13;

constexpr std::uint16_t extra_zip64 = 0x0001, extra_unicode_path = 0x7075;

/// In place of a number that stands in the zip64 extra field or record.
constexpr std::uint16_t elsewhere16 = 0xFFFF;
constexpr std::uint32_t elsewhere32 = 0xFFFFFFFF;

/// "Made by" Unix, in its high byte: the upper half of the external attributes is a st_mode.
constexpr int made_by_unix = 3;
/// DOS attribute of a folder, in the low byte of the external attributes.
constexpr std::uint32_t dos_folder = 0x10;

} // namespace tenon::zip
