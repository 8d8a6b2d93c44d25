#include "tests/support/folders.hpp"

namespace tenon::tests {

std::string source_folder() { return TENON_SOURCE_DIR; }
std::string foreign_fmus() { return TENON_FOREIGN_FMUS; }

} // namespace tenon::tests
