#pragma once
// What goes wrong with files. The texts are one line, ready to be printed behind "tenon: ".

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon {

/// A file that the user named cannot be used. The exit code is 65 where its content is wrong and 66 where it
/// does not exist or cannot be read (docs/contract.md section 1).
class InputError : public std::runtime_error {
  public:
    InputError(int exit_code, const std::string& what) : std::runtime_error(what), exit_code_(exit_code) {}
    int exit_code() const { return exit_code_; }

  private:
    int exit_code_;
};

/// An output cannot be written: exit code 73.
class OutputError : public std::runtime_error {
  public:
    OutputError(const std::string& file, const std::string& reason);
    static constexpr int exit_code() { return 73; }
    const std::string& reason() const { return reason_; }

  private:
    std::string reason_;
};

/// `text` fit for a message: control characters and broken UTF-8 as \xNN, cut after `longest` bytes.
std::string printable(std::string_view text, std::size_t longest = 60);

/// "FILE: cannot be read (why)" with exit code 66.
InputError unreadable(const std::filesystem::path& path, const std::string& why);

/// "FILE:LINE: what" with exit code 65; without the line where it is 0.
InputError bad_input(const std::string& file, int line, const std::string& what);

} // namespace tenon
