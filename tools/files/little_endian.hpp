#pragma once
// Little-endian numbers in bytes that nobody has checked yet.

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon {

/// The unsigned number of sizeof(T) bytes at `at`. Throws std::out_of_range where the bytes end before.
template <class T> T little_endian(std::string_view bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T))
        throw std::out_of_range("a number at byte " + std::to_string(at) + " of " +
                                std::to_string(bytes.size()));
    std::uint64_t value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return static_cast<T>(value);
}

template <class T> void append_little_endian(std::string& bytes, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i & 0xFF);
}

} // namespace tenon
