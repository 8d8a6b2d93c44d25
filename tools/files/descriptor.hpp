#pragma once
// A file descriptor that is closed with its owner, and writing to it.

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace tenon {

class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            reset();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }

    bool valid() const { return number_ >= 0; }
    int get() const { return number_; }
    /// From now on the caller's to close.
    int release() { return std::exchange(number_, -1); }

  private:
    void reset() {
        if (number_ >= 0)
            ::close(std::exchange(number_, -1));
    }
    int number_;
};

/// All of `bytes`; false with errno where the system refuses.
inline bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return false;
        bytes.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    return true;
}

/// Closing can be the first to notice a full disk; false with errno then. Not repeated after EINTR: Linux has closed the
/// descriptor by then.
inline bool close_checked(Descriptor& descriptor) {
    return ::close(descriptor.release()) == 0 || errno == EINTR;
}

} // namespace tenon
