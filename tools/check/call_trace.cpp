#include "tools/check/call_trace.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <system_error>

namespace tenon::check {
namespace {

constexpr std::size_t kept_calls = 16;
constexpr std::size_t longest_call = 120;

} // namespace

struct CallTrace::Memory {
    std::atomic<std::size_t> begun{0};
    std::atomic<int> under_way{0};
    std::array<std::array<char, longest_call>, kept_calls> calls{};
};

CallTrace::CallTrace() {
    void* shared = ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "no memory to share with a child process");
    memory_ = new (shared) Memory;
}

CallTrace::~CallTrace() { ::munmap(memory_, sizeof(Memory)); }

void CallTrace::clear() {
    memory_->begun = 0;
    memory_->under_way = 0;
}

void CallTrace::begin(std::string_view call) {
    auto& slot = memory_->calls[memory_->begun.fetch_add(1) % kept_calls];
    const std::size_t size = std::min(call.size(), longest_call - 1);
    std::memcpy(slot.data(), call.data(), size);
    slot[size] = '\0';
    ++memory_->under_way;
}

void CallTrace::end() { --memory_->under_way; }

std::vector<std::string> CallTrace::calls() const {
    // The child may have scribbled over it: nothing is believed, not even the final zero of a text.
    const std::size_t begun = memory_->begun;
    std::vector<std::string> calls;
    for (std::size_t i = begun - std::min(begun, kept_calls); i < begun; ++i) {
        const auto& slot = memory_->calls[i % kept_calls];
        const auto end = std::find(slot.begin(), slot.end(), '\0');
        calls.push_back(printable(std::string_view(slot.data(), static_cast<std::size_t>(end - slot.begin())),
                                  longest_call));
    }
    return calls;
}

std::string CallTrace::describe() const {
    const std::vector<std::string> all = calls();
    if (all.empty())
        return "before any call into the FMU";
    return memory_->under_way > 0 ? fmt::format("while {} was under way", all.back())
                                  : fmt::format("after {} had returned", all.back());
}

} // namespace tenon::check
