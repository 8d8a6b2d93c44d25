#pragma once
// The line to an FMU in a process of its own on this machine.

#include "tools/files/temporary_folder.hpp"
#include "tools/host/channel.hpp"
#include "tools/host/host_process.hpp"
#include "tools/host/isolated_slave.hpp"
#include "tools/host/line.hpp"
#include "tools/host/log_ring.hpp"
#include "tools/host/shared_memory.hpp"
#include "tools/import/unpacked_fmu.hpp"

#include <atomic>

namespace tenon::host {

class ProcessLine final : public Line {
  public:
    /// Makes the process; the instance is made by the first request. Throws std::system_error or OutputError.
    ProcessLine(fmi::UnpackedFmu fmu, const IsolationOptions& options, fmi::LogRelay& relay);
    ~ProcessLine() override;

    std::span<unsigned char> space() override { return end_.space(); }
    Arrival exchange(Operation operation, std::size_t size, Patience& patience) noexcept override;
    const std::string& why_lost() const override { return why_lost_; }

  private:
    using Clock = std::chrono::steady_clock;

    /// Counts the lines of this process. How long both ends turn round depends on it.
    class Counted {
      public:
        Counted() { ++count_; }
        ~Counted() { --count_; }
        Counted(const Counted&) = delete;
        Counted& operator=(const Counted&) = delete;
        static int count() { return count_.load(std::memory_order_relaxed); }

      private:
        static inline std::atomic<int> count_ = 0;
    };

    /// In the child; returns when it is to end.
    void be_the_host(const IsolationOptions& options, int lifeline);
    /// None where the hosts and the master do not have a processor each.
    std::chrono::microseconds spin() const;
    bool wait_longer(Clock::time_point begin, const Patience& patience);
    void deliver_log();
    Arrival arrival();
    void lose(const std::string& why);
    Arrival lost(const std::string& why);

    fmi::LogRelay& relay_;
    Counted counted_;
    std::chrono::microseconds spin_;
    int processors_; ///< that this process may use
    fmi::UnpackedFmu fmu_;
    TemporaryFolder scratch_;
    SharedMemory memory_;
    ChannelEnd end_;
    LogRingReader logs_;
    HostProcess process_; ///< last: it uses all the others
    Clock::time_point last_look_{};
    bool is_lost_ = false;
    std::string why_lost_;
};

} // namespace tenon::host
