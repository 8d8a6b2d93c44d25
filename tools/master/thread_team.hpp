#pragma once
// Threads that are made once and work together on many short tasks.

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace tenon::master {

class ThreadTeam {
  public:
    /// The caller is one of the threads. Throws std::system_error where there are no more.
    explicit ThreadTeam(int threads);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    std::size_t size() const { return members_.size() + 1; }

    /// work(thread) on every thread, thread = 0 ... size() - 1. Returns when all are done; throws what the one with the
    /// lowest number has thrown.
    template <class Work> void run(Work&& work) {
        if (members_.empty()) {
            work(std::size_t{0});
            return;
        }
        start([](void* context,
                 std::size_t thread) { (*static_cast<std::remove_reference_t<Work>*>(context))(thread); },
              const_cast<void*>(static_cast<const void*>(std::addressof(work))));
        finish();
    }

    /// The sum of bits of work(index) for all indices; which thread does which is the same each time.
    template <class Work> unsigned collect(std::size_t count, Work&& work) {
        const std::size_t step = size();
        if (step == 1) {
            unsigned bits = 0;
            for (std::size_t i = 0; i < count; ++i)
                bits |= work(i);
            return bits;
        }
        std::atomic<unsigned> all = 0;
        run([&](std::size_t thread) {
            unsigned bits = 0;
            for (std::size_t i = thread; i < count; i += step)
                bits |= work(i);
            if (bits != 0)
                all.fetch_or(bits, std::memory_order_relaxed);
        });
        return all.load(std::memory_order_relaxed);
    }

  private:
    using Call = void (*)(void* context, std::size_t thread);
    struct alignas(64) Member {
        std::thread thread;
        std::exception_ptr problem;
    };

    void start(Call call, void* context);
    void finish();
    void serve(std::size_t number);
    void stop();

    std::vector<std::unique_ptr<Member>> members_;
    const int spin_; ///< rounds of waiting awake: none where there are more threads than processors
    Call call_ = nullptr;
    void* context_ = nullptr;
    alignas(64) std::atomic<std::uint32_t> round_ = 0; ///< rises with each task
    alignas(64) std::atomic<std::uint32_t> busy_ = 0;  ///< members that have not finished it
    std::atomic<bool> over_ = false;
};

} // namespace tenon::master
