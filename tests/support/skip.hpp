#pragma once

#include <iostream>

namespace tenon::tests {

/// Of a test case that cannot run here: `if (!have) return skip("why");`. Catch2 2.13 knows no skipping; ctest does, by the
/// line that this prints (cmake/discover_tests.cmake).
inline void skip(const char* why) { std::cout << "skipped: " << why << std::endl; }

} // namespace tenon::tests
