#pragma once

#include <filesystem>

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

} // namespace tenon
