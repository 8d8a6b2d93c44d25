#pragma once
// What an FMU logs, on its way from its process to the master's: a ring in shared memory, so that a message costs no
// round trip, can be written by any thread of the FMU at any time, and is still there after a crash.

#include "tools/import/log_relay.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>

namespace tenon::host {

/// At the beginning of the ring's memory. The numbers only grow; bytes are found at their remainder.
struct LogRingHead {
    std::atomic<std::uint64_t> written;
    std::atomic<std::uint64_t> left_out; ///< messages that there was no room for
    alignas(64) std::atomic<std::uint64_t> taken;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// In the FMU's process. One thread at a time.
class LogRingWriter {
  public:
    /// `memory` begins at a cache line and was zero at first.
    explicit LogRingWriter(std::span<unsigned char> memory);
    /// Whole, or counted as left out.
    void put(fmi::Status status, std::string_view category, std::string_view message);

  private:
    void append(std::uint64_t& at, const void* bytes, std::size_t size);

    LogRingHead* head_;
    std::span<unsigned char> ring_;
};

/// In the master's process. Believes nothing that it finds.
class LogRingReader {
  public:
    explicit LogRingReader(std::span<unsigned char> memory);
    bool has_more() const { return head_->written.load(std::memory_order_acquire) != taken_; }
    /// Passes on what there is. False: somebody has written into the ring what is no message; it is not read again.
    bool drain(fmi::LogRelay& relay);

  private:
    bool take_one(std::uint64_t available, fmi::LogRelay& relay);
    void copy(std::uint64_t from, void* bytes, std::size_t size) const;

    LogRingHead* head_;
    std::span<unsigned char> ring_;
    std::uint64_t taken_ = 0, left_out_ = 0;
    bool broken_ = false;
};

} // namespace tenon::host
