#pragma once
// A file that is written beside its target and takes the target's name only when it is complete and on the disk.

#include "tools/files/descriptor.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace tenon {

/// A name beside `target` that nobody has yet. Somebody may take it before it is used: open it only as a new file.
std::filesystem::path temporary_beside(const std::filesystem::path& target);

/// Throws OutputError with the name of the target. What exists and is not a plain file (/dev/stdout, a pipe) is written
/// directly; of a symbolic link, what it points at is replaced.
class ReplacedFile {
  public:
    explicit ReplacedFile(std::filesystem::path target);
    /// Without commit(), the target is as it was and nothing stays.
    ~ReplacedFile();
    ReplacedFile(const ReplacedFile&) = delete;
    ReplacedFile& operator=(const ReplacedFile&) = delete;

    void write(std::string_view bytes);
    void commit();

  private:
    [[noreturn]] void fail(int error_number) const;
    void sync_folder() const;

    std::filesystem::path target_, resolved_;
    std::string temporary_; ///< empty where the target is written directly
    Descriptor file_;
};

} // namespace tenon
