#pragma once
// Isolated instances of the foreign FMUs, and what tests of them need again and again.

#include "tests/import/slave_support.hpp"
#include "tools/host/isolated_slave.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <fstream>
#include <sstream>

namespace tenon::host {

using namespace fmi;

/// As by default, but with limits that a test reaches in no time.
inline IsolationOptions strict() {
    IsolationOptions options;
    options.memory_limit = 128 << 20;
    return options;
}

inline IsolationOptions impatient() {
    IsolationOptions options = strict();
    options.deadline_seconds = 2; // a busy machine needs up to a second to start a process with sanitizers
    return options;
}

inline std::unique_ptr<Slave> started_isolated(const Fmu& fmu, const InstanceOptions& options = {},
                                               const IsolationOptions& isolation = strict()) {
    std::unique_ptr<Slave> slave = instantiate_isolated(fmu, options, isolation);
    initialize(*slave);
    return slave;
}

/// What an FMU answered, bit by bit: a NaN is the same as itself, and 0 is not -0.
class Transcript {
  public:
    void add(double value) { numbers_.push_back(std::bit_cast<std::uint64_t>(value)); }
    void add(Status status) { numbers_.push_back(static_cast<std::uint64_t>(status)); }
    void add(const StepResult& result) {
        add(result.status);
        add(result.reached);
        for (const bool flag : {result.early, result.event, result.terminate})
            numbers_.push_back(flag);
    }
    void add(const EventResult& result) {
        add(result.status);
        for (const bool flag : {result.again, result.terminate, result.next_event.has_value()})
            numbers_.push_back(flag);
        add(result.next_event.value_or(0));
    }
    void add(std::span<const double> values) {
        for (const double value : values)
            add(value);
    }
    void add(const std::string& text) { texts_.push_back(text); }
    /// Values of any type but strings.
    void add_bytes(const void* values, std::size_t size) {
        texts_.emplace_back(static_cast<const char*>(values), size);
    }

    bool operator==(const Transcript&) const = default;
    std::size_t size() const { return numbers_.size() + texts_.size(); }

  private:
    std::vector<std::uint64_t> numbers_;
    std::vector<std::string> texts_;
};

/// "R", "S", "Z" and so on, and the parent; nothing where there is no such process.
inline std::optional<std::pair<char, pid_t>> state_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string line;
    if (!std::getline(file, line))
        return std::nullopt;
    std::istringstream rest(line.substr(line.rfind(')') + 1)); // the name before it may have anything in it
    std::pair<char, pid_t> state;
    rest >> state.first >> state.second;
    return state;
}

inline std::vector<pid_t> children() {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != name.npos)
            continue;
        const auto process = static_cast<pid_t>(std::stol(name));
        if (const auto state = state_of(process); state && state->second == ::getpid())
            found.push_back(process);
    }
    return found;
}

/// Has this process no child, neither running nor dead?
inline bool has_no_child() { return ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD; }

} // namespace tenon::host
