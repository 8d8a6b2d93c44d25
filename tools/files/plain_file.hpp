#pragma once
// A plain file that is read in pieces from anywhere; of a large one only what is asked for is ever in memory.

#include "tools/files/descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace tenon {

class PlainFile {
  public:
    /// Throws InputError(unreadable) where it cannot be opened or is not a plain file; does not wait for the other end of a pipe.
    explicit PlainFile(std::filesystem::path path);

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }
    /// For libraries that read it by themselves.
    int descriptor() const { return descriptor_.get(); }
    /// `length` bytes from `offset`. Throws InputError(unreadable), also where the file ends before (somebody has cut it).
    std::string read(std::uint64_t offset, std::size_t length) const;

  private:
    std::filesystem::path path_;
    Descriptor descriptor_;
    std::uint64_t size_ = 0;
};

} // namespace tenon
