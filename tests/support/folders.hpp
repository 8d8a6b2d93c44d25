#pragma once
// Where the tests find what they read: the only words that differ from one clone of the project to another.

#include <string>

namespace tenon::tests {

/// The source tree.
std::string source_folder();
/// FMUs of others, as cmake/foreign_fmus.cmake builds them.
std::string foreign_fmus();

} // namespace tenon::tests
