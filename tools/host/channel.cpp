#include "tools/host/channel.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace tenon::host {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int looks_at_once = 32; ///< before the clock is asked

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Not the private kind: the two that meet at the word are different processes.
long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) {
    return ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout, nullptr,
                     0);
}

/// No call of the kernel: glibc keeps it up to date (restartable sequences).
std::uint32_t this_processor() { return static_cast<std::uint32_t>(::sched_getcpu()); }

template <class T> T fetch_once(const T& shared) { return *static_cast<const volatile T*>(&shared); }

} // namespace

ChannelEnd::ChannelEnd(std::span<unsigned char> outgoing, std::span<unsigned char> incoming)
    : outgoing_(outgoing), incoming_(incoming) {}

void ChannelEnd::send(std::uint32_t kind, std::uint32_t detail, std::size_t size) {
    ChannelHead& out = head(outgoing_);
    out.kind = kind;
    out.detail = detail;
    out.size = size;
    out.processor = this_processor();
    // Sequentially consistent, as are the two lines in sleep(): either this end sees that the other is asleep, or the
    // other sees the message before it goes to sleep.
    out.sent.store(++sent_);
    if (out.asleep.load() != 0)
        futex(out.sent, FUTEX_WAKE, 1, nullptr);
}

bool ChannelEnd::spin(std::chrono::microseconds at_most) const {
    if (arrived())
        return true;
    if (at_most <= 0us || fetch_once(head(incoming_).processor) == this_processor())
        return false;
    for (const Clock::time_point begin = Clock::now();;) {
        for (int i = 0; i < looks_at_once; ++i) {
            if (arrived())
                return true;
            relax();
        }
        if (Clock::now() - begin > at_most)
            return arrived();
    }
}

bool ChannelEnd::sleep(std::chrono::nanoseconds at_most) const {
    ChannelHead& in = head(incoming_);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
    const timespec timeout{seconds.count(), (at_most - seconds).count()};
    in.asleep.store(1);
    if (in.sent.load() == received_)
        futex(in.sent, FUTEX_WAIT, received_, &timeout);
    in.asleep.store(0, std::memory_order_relaxed);
    return arrived();
}

ChannelMessage ChannelEnd::take() {
    const ChannelHead& in = head(incoming_);
    ++received_;
    ChannelMessage message{fetch_once(in.kind), fetch_once(in.detail), fetch_once(in.size), {}, false};
    message.in_turn = in.sent.load(std::memory_order_relaxed) == received_;
    const std::span<const unsigned char> content = incoming_.subspan(sizeof(ChannelHead));
    message.content = content.first(std::min<std::uint64_t>(message.size, content.size()));
    return message;
}

} // namespace tenon::host
