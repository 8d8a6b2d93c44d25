#pragma once
// The exit codes of docs/contract.md section 1, and the exception by which a verb ends with one of them.

#include <stdexcept>
#include <string>

namespace tenon::verbs {

enum class ExitCode {
    done = 0,
    usage = 64,       ///< unknown verb, option, integrator or parameter
    input = 65,       ///< the content of a file is wrong
    missing = 66,     ///< a named file does not exist or cannot be read
    computation = 70, ///< results up to that time are kept
    output = 73,      ///< an output cannot be written
    interrupted = 130,
};

class Failure : public std::runtime_error {
  public:
    Failure(ExitCode code, const std::string& what) : std::runtime_error(what), code_(code) {}
    ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

} // namespace tenon::verbs
