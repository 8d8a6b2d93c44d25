#pragma once
// The one exception type of the core. It is translated to exit codes and FMI status at the border only.

#include <stdexcept>
#include <string>

namespace tenon {

/// `model`: the machine as described cannot be simulated. `computation`: a step failed. `usage`: an unknown
/// name or option.
enum class ErrorKind { model, computation, usage };

class Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& what, std::string element = {})
        : std::runtime_error(what), kind_(kind), element_(std::move(element)) {}

    ErrorKind kind() const { return kind_; }
    /// The element of the model that is to blame, empty where none is. A reader adds its file and line.
    const std::string& element() const { return element_; }

  private:
    ErrorKind kind_;
    std::string element_;
};

} // namespace tenon
