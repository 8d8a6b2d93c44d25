#pragma once

#include "tools/files/descriptor.hpp"

#include <cstddef>
#include <span>

namespace tenon::host {

/// Memory that a process shares with a child it makes, and with no other: the mapping is not inherited, the child that
/// it is for attaches it. Zero at first, and it takes no memory where nobody has written. Its size cannot be changed by
/// anybody, or else the other process would die of touching what is no longer there.
class SharedMemory {
  public:
    /// Throws std::system_error.
    explicit SharedMemory(std::size_t size);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    std::span<unsigned char> bytes() const { return bytes_; }
    /// In the child, where the mapping has not been inherited. Throws std::system_error.
    void attach();

  private:
    void map(std::size_t size);

    Descriptor file_;
    std::span<unsigned char> bytes_;
};

} // namespace tenon::host
