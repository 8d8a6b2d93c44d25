#pragma once
// A shared library in this process.

#include "tools/files/temporary_folder.hpp"

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace tenon::fmi {

/// Loaded as long as the object lives, and the folder that it was unpacked to exists as long.
class Library {
  public:
    /// Throws LoadError with what the loader says. The folder is that of the library's files.
    Library(const std::filesystem::path& file, std::shared_ptr<const TemporaryFolder> folder);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// Of this library or of one that it needs, as the loader searches; null where there is none.
    void* find(const char* name) const;

    /// An instance has reported a fatal error: nothing in this library may be called any more, by any instance, and it
    /// stays loaded until the process ends.
    bool is_fatal() const { return fatal_.load(std::memory_order_relaxed); }
    void set_fatal() { fatal_.store(true, std::memory_order_relaxed); }

  private:
    std::shared_ptr<const TemporaryFolder> folder_;
    void* handle_ = nullptr;
    std::atomic<bool> fatal_ = false;
};

} // namespace tenon::fmi
