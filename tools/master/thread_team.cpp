#include "tools/master/thread_team.hpp"

#include "tools/import/call_board.hpp"

namespace tenon::master {
namespace {

/// A step of a small FMU takes less than falling asleep and waking up; waiting longer than this steals a processor from
/// whoever has work.
constexpr int longest_spin = 4000;

inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Until `value` is no longer `old`; returns what it is.
std::uint32_t await_change(const std::atomic<std::uint32_t>& value, std::uint32_t old, int spin) {
    std::uint32_t now;
    for (int i = 0; i < spin; ++i) {
        if ((now = value.load(std::memory_order_acquire)) != old)
            return now;
        pause();
    }
    while ((now = value.load(std::memory_order_acquire)) == old)
        value.wait(old, std::memory_order_acquire);
    return now;
}

} // namespace

ThreadTeam::ThreadTeam(int threads)
    : spin_(static_cast<unsigned>(threads) <= std::thread::hardware_concurrency() ? longest_spin : 0) {
    try {
        for (std::size_t i = 1; i < static_cast<std::size_t>(threads); ++i) {
            members_.reserve(i);
            auto member = std::make_unique<Member>();
            member->thread = std::thread([this, i] { serve(i); });
            members_.push_back(std::move(member));
        }
    } catch (...) { // no more threads: those that run must end before their team does
        stop();
        throw;
    }
}

ThreadTeam::~ThreadTeam() { stop(); }

void ThreadTeam::stop() {
    over_.store(true, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (const auto& member : members_)
        member->thread.join();
}

void ThreadTeam::serve(std::size_t number) {
    fmi::take_call_slot();
    // The first round may have begun before this thread did.
    std::uint32_t round = 0;
    for (;;) {
        const std::uint32_t next = await_change(round_, round, spin_);
        if (over_.load(std::memory_order_relaxed))
            return;
        round = next;
        try {
            call_(context_, number);
        } catch (...) {
            members_[number - 1]->problem = std::current_exception();
        }
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            busy_.notify_one();
    }
}

void ThreadTeam::start(Call call, void* context) {
    call_ = call;
    context_ = context;
    busy_.store(static_cast<std::uint32_t>(members_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
}

void ThreadTeam::finish() {
    std::exception_ptr first;
    try {
        call_(context_, 0);
    } catch (...) {
        first = std::current_exception();
    }
    while (const std::uint32_t left = busy_.load(std::memory_order_acquire))
        await_change(busy_, left, spin_);
    for (const auto& member : members_) {
        if (!first)
            first = member->problem;
        member->problem = nullptr;
    }
    if (first)
        std::rethrow_exception(first);
}

} // namespace tenon::master
