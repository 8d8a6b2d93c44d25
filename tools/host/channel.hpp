#pragma once
// Two processes that take turns: one writes a message into its half of the shared memory and waits for the other's.
// Waiting is turning round for some microseconds, since an answer that comes so soon costs no call of the kernel, and then
// sleeping on a futex. Where there are more processes than processors, or both are on the same one, only the sleep is of
// use: who turns round keeps the other from its processor.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tenon::host {

/// How many messages have been sent in one direction, and what the last one is. The content follows; a short one
/// is in the same cache line. The message may be used until the receiver sends one itself.
struct ChannelHead {
    std::atomic<std::uint32_t> sent;   ///< the futex
    std::atomic<std::uint32_t> asleep; ///< the receiver waits in the kernel and must be woken
    std::uint32_t kind, detail;
    std::uint64_t size;
    std::uint32_t processor; ///< on which the sender was
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(ChannelHead) == 32);

struct ChannelMessage {
    std::uint32_t kind = 0, detail = 0;
    std::uint64_t size = 0;                 ///< as the sender says
    std::span<const unsigned char> content; ///< so many bytes, or those that there is room for
    bool in_turn = false;                   ///< it is one message more than before, as it has to be
};

/// One end of a channel, used by one thread.
class ChannelEnd {
  public:
    /// `outgoing` and `incoming` begin at a cache line and were zero when the first end was made.
    ChannelEnd(std::span<unsigned char> outgoing, std::span<unsigned char> incoming);

    /// Where the content of the next message goes.
    std::span<unsigned char> space() const { return outgoing_.subspan(sizeof(ChannelHead)); }
    void send(std::uint32_t kind, std::uint32_t detail, std::size_t size);

    /// Whether the next message has come.
    bool arrived() const { return head(incoming_).sent.load(std::memory_order_acquire) != received_; }
    /// Turns round until it comes, unless the other end was last seen on this processor; false: it has not come.
    bool spin(std::chrono::microseconds at_most) const;
    /// Sleeps until it comes; false: the time is over, or somebody has interrupted it.
    bool sleep(std::chrono::nanoseconds at_most) const;
    /// The message that has come. Nothing is believed: kind and sizes are copies, the content lies in shared memory.
    ChannelMessage take();

  private:
    static ChannelHead& head(std::span<unsigned char> half) {
        return *reinterpret_cast<ChannelHead*>(half.data());
    }

    std::span<unsigned char> outgoing_, incoming_;
    std::uint32_t sent_ = 0, received_ = 0;
};

} // namespace tenon::host
