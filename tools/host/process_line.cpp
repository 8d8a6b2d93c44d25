#include "tools/host/process_line.hpp"

#include "tools/host/process_setup.hpp"
#include "tools/host/sandbox.hpp"
#include "tools/host/server.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <exception>

namespace tenon::host {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t page = 4096;
/// Takes a second of the loudest FMU: a thousand messages of the largest size.
constexpr std::size_t log_bytes = 8 << 20;
/// How long a sleep lasts before the process is looked at; doubled up to the second while nothing comes.
constexpr std::chrono::nanoseconds first_sleep = 1ms, longest_sleep = 10ms;
/// How often printed text is fetched while calls are answered quickly.
constexpr auto between_looks = 100ms;

/// Where the parts of a channel are in its memory.
struct Layout {
    std::size_t half;

    explicit Layout(std::uint64_t content)
        : half((sizeof(ChannelHead) + std::max<std::uint64_t>(content, page) + page - 1) / page * page) {}
    std::size_t size() const { return 2 * half + log_bytes; }
    static std::span<unsigned char> requests(const SharedMemory& memory) { return part(memory, 0); }
    static std::span<unsigned char> answers(const SharedMemory& memory) { return part(memory, 1); }
    static std::span<unsigned char> log(const SharedMemory& memory) { return memory.bytes().last(log_bytes); }

  private:
    static std::span<unsigned char> part(const SharedMemory& memory, std::size_t i) {
        const std::size_t half = (memory.bytes().size() - log_bytes) / 2;
        return memory.bytes().subspan(i * half, half);
    }
};

SandboxRules rules_for(const IsolationOptions& options, const fmi::UnpackedFmu& fmu,
                       const std::filesystem::path& scratch) {
    SandboxRules rules{
        scratch,        system_readable(), options.writable, options.memory_limit, options.file_limit,
        options.sandbox};
    rules.readable.push_back(fmu.root);
    rules.readable.insert(rules.readable.end(), options.readable.begin(), options.readable.end());
    return rules;
}

int usable_processors() {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    return ::sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
}

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

} // namespace

ProcessLine::ProcessLine(fmi::UnpackedFmu fmu, const IsolationOptions& options, fmi::LogRelay& relay)
    : relay_(relay), spin_(options.spin), processors_(usable_processors()), fmu_(std::move(fmu)),
      memory_(Layout(options.channel_bytes).size()),
      end_(Layout::requests(memory_), Layout::answers(memory_)), logs_(Layout::log(memory_)),
      process_([&](int lifeline) { be_the_host(options, lifeline); }) {}

ProcessLine::~ProcessLine() { lose("ended"); }

void ProcessLine::be_the_host(const IsolationOptions& options, int lifeline) {
    const pid_t parent = ::getppid();
    memory_.attach();
    close_descriptors_but(lifeline);
    forget_exit_handlers();
    LogRingWriter log(Layout::log(memory_));
    Server server(ChannelEnd(Layout::answers(memory_), Layout::requests(memory_)), log,
                  [&](const fmi::InstanceOptions& instance) {
                      const SandboxRules rules =
                          rules_for(options, fmu_, std::filesystem::absolute(scratch_.path()));
                      for (const std::string& remark : enter_sandbox(rules))
                          log.put(fmi::Status::warning, "host", remark);
                      return make_instance(fmu_, load_library(fmu_), instance);
                  });
    server.run([parent] { return ::getppid() != parent; });
    std::fflush(nullptr);
}

Arrival ProcessLine::exchange(Operation operation, std::size_t size, Patience& patience) noexcept {
    if (is_lost_)
        return {.lost = true};
    const Clock::time_point begin = Clock::now();
    const std::chrono::microseconds turning = spin();
    end_.send(static_cast<std::uint32_t>(operation), static_cast<std::uint32_t>(turning.count()), size);
    const bool arrived = end_.spin(turning) || wait_longer(begin, patience);
    const Clock::time_point now = Clock::now();
    patience.used += seconds_between(begin, now);
    if (!arrived)
        return {.lost = true};
    deliver_log();
    if (now - last_look_ > between_looks) {
        last_look_ = now;
        process_.pass_printed(relay_);
    }
    return arrival();
}

std::chrono::microseconds ProcessLine::spin() const { return Counted::count() < processors_ ? spin_ : 0us; }

bool ProcessLine::wait_longer(Clock::time_point begin, const Patience& patience) {
    for (std::chrono::nanoseconds nap = first_sleep; !end_.sleep(nap);
         nap = std::min(2 * nap, longest_sleep)) {
        deliver_log();
        process_.pass_printed(relay_);
        if (process_.has_ended()) {
            if (end_.arrived())
                return true; // its last word
            lose("its process " + process_.finish());
            return false;
        }
        if (patience.ends(seconds_between(begin, Clock::now()))) {
            lose("no answer within " + patience.describe_limit() + "; its process was killed");
            return false;
        }
    }
    return true;
}

void ProcessLine::deliver_log() {
    // What is no message any more was written by a process gone wild: its answers will tell, or its end.
    if (logs_.has_more())
        logs_.drain(relay_);
}

Arrival ProcessLine::arrival() {
    const ChannelMessage message = end_.take();
    if (!message.in_turn)
        return lost("its process answered what nobody had asked");
    if (message.size > message.content.size())
        return lost(fmt::format("its process answered with {} bytes (limit {}, channel_bytes)", message.size,
                                message.content.size()));
    if (message.kind > static_cast<std::uint32_t>(Reply::failed) ||
        message.detail > static_cast<std::uint32_t>(fmi::Status::fatal))
        return lost(fmt::format("its process answered with kind {} and status {}, which there are not",
                                message.kind, message.detail));
    return {static_cast<Reply>(message.kind), static_cast<fmi::Status>(message.detail), message.content,
            false};
}

Arrival ProcessLine::lost(const std::string& why) {
    lose(why);
    return {.lost = true};
}

void ProcessLine::lose(const std::string& why) {
    if (std::exchange(is_lost_, true))
        return;
    why_lost_ = why;
    process_.finish();
    process_.pass_printed(relay_);
    deliver_log();
}

} // namespace tenon::host
