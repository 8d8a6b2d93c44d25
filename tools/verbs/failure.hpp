#pragma once
// Exceptions become an exit code and one line of text here, and nowhere else.

#include "tools/verbs/exit_code.hpp"

#include <exception>
#include <functional>
#include <optional>
#include <string>

namespace tenon {
struct ModelFile;
}

namespace tenon::verbs {

/// Whatever was thrown, as a Failure: errors of the core get the file and line of the element to blame where the model
/// came from `file` (which may be null).
Failure as_failure(std::exception_ptr thrown, const ModelFile* file = nullptr);

/// The `status` of a `--json` summary: "done", "interrupted" or "failed".
std::string status_of(const std::optional<Failure>& failure);

} // namespace tenon::verbs
