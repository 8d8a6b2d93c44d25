#pragma once
// What a library of Windows offers and asks for, read from its bytes.

#include <string>
#include <string_view>
#include <vector>

namespace tenon::check {

struct Pe {
    int machine = 0; ///< IMAGE_FILE_MACHINE_*: 0x8664 is x86-64
    int bits = 0;
    bool library = false;
    std::vector<std::string> exports;
    std::vector<std::string> needed; ///< names of other libraries
};

/// Bounds-checked reading of any bytes. Throws std::runtime_error with one sentence where it is no PE file or a broken one.
Pe read_pe(std::string_view bytes);

} // namespace tenon::check
