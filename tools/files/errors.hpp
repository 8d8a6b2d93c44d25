#pragma once
// What goes wrong with files. The texts are one line, ready to be printed behind "tenon: ".

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tenon {

/// `unreadable`: there is no such file, or it cannot be read. `malformed`: its content is wrong.
enum class InputFault { unreadable, malformed };

/// A file that the user named cannot be used.
class InputError : public std::runtime_error {
  public:
    InputError(InputFault fault, const std::string& what) : std::runtime_error(what), fault_(fault) {}
    InputFault fault() const { return fault_; }

  private:
    InputFault fault_;
};

/// An output cannot be written.
class OutputError : public std::runtime_error {
  public:
    OutputError(const std::string& file, const std::string& reason);
    const std::string& reason() const { return reason_; }

  private:
    std::string reason_;
};

/// `text` fit for a message: control characters and broken UTF-8 as \xNN, cut after `longest` bytes.
std::string printable(std::string_view text, std::size_t longest = 60);

/// The name of a file for a message.
std::string shown(const std::filesystem::path& path);

/// "FILE: cannot be read (why)".
InputError unreadable(const std::filesystem::path& path, const std::string& why);

/// The same with the system's reason; where there is no such file, with the one that was probably meant.
InputError unreadable(const std::filesystem::path& path, int error_number);

/// "FILE:LINE: what", malformed; without the line where it is 0.
InputError bad_input(const std::string& file, int line, const std::string& what);

} // namespace tenon
