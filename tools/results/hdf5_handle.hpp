#pragma once
// Objects of the HDF5 library that are closed with their owner, and its errors as texts. For source files that use HDF5.

#include <hdf5.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace tenon::results {

/// A call of the library failed; the text is its innermost reason.
class Hdf5Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The innermost reason of the last failure: what the operating system said where it was asked.
std::string hdf5_problem();

/// `result` unless it is negative, which means failure everywhere in the library. Throws Hdf5Error.
template <class Result> Result checked(Result result) {
    if (result < 0)
        throw Hdf5Error(hdf5_problem());
    return result;
}

/// The library prints nothing by itself and leaves files alone at the end of the process: they are closed by then, or were
/// given up because they cannot be written.
void prepare_hdf5();
/// The same in the thread that calls: the library keeps what it prints by thread.
void silence_hdf5();

class Hdf5Handle {
  public:
    using Close = herr_t (*)(hid_t);

    Hdf5Handle() = default;
    /// Throws Hdf5Error where the call that made `id` has failed.
    Hdf5Handle(hid_t id, Close how) : id_(checked(id)), close_(how) {}
    ~Hdf5Handle() {
        if (id_ >= 0)
            close_(id_);
    }
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }

    hid_t get() const { return id_; }
    /// Throws Hdf5Error; a full disk may be noticed here first.
    void close() {
        if (const hid_t id = std::exchange(id_, -1); id >= 0)
            checked(close_(id));
    }

    /// Leaves the object to the library, which never touches it again.
    void abandon() { id_ = -1; }

  private:
    hid_t id_ = -1;
    Close close_ = nullptr;
};

} // namespace tenon::results
