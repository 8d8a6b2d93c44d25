#pragma once

#include <filesystem>
#include <string>

namespace tenon {

/// A folder of its own under the system's temporary directory (mode 0700) that is removed with the object.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&&) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&&) noexcept;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Folders of this process that are made from now on have names that begin with the mark, so that another process can remove them
/// where this one ends too early.
void mark_temporary_folders(std::string mark);
void remove_temporary_folders(const std::string& mark);

} // namespace tenon
