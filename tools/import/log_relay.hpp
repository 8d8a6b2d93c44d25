#pragma once
// What an FMU logs, on its way to the sink: cut, counted, and never an exception through the FMU's frames.

#include "tools/import/slave.hpp"

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <exception>
#include <mutex>
#include <string>

namespace tenon::fmi {

/// Lets at most `limit` lines a second through; a second begins with its first line.
class LineLimit {
  public:
    using Time = std::chrono::steady_clock::time_point;
    /// An FMU that logs in a loop must not fill a disk.
    static constexpr std::size_t limit = 1000;

    bool admit(Time now);
    /// How many lines have not been let through since this was last asked.
    std::size_t take_left_out();

  private:
    Time second_{};
    std::size_t lines_ = limit, left_out_ = 0;
};

/// One slave's way to its sink. FMUs may log from threads of their own.
class LogRelay {
  public:
    explicit LogRelay(LogSink sink) : sink_(std::move(sink)) {}
    ~LogRelay() { close(); }
    LogRelay(const LogRelay&) = delete;
    LogRelay& operator=(const LogRelay&) = delete;

    /// The slave is gone: tells how many lines were left out, and nothing more, whatever threads of the FMU still say.
    void close();

    /// From the FMU; both texts may be null, or point nowhere. `status` is a number of the FMU's making.
    void pass(int status, const char* category, const char* message) noexcept;
    /// The same with the arguments of printf.
    void pass_formatted(int status, const char* category, const char* format,
                        std::va_list arguments) noexcept;
    /// From the importer, under the category "importer".
    void say(Status status, const std::string& message) noexcept;

    /// The FMU's last message about an error, or else its last; empty where it has not logged.
    std::string reason() const;

    /// An exception of the sink or of another callback, kept until the FMU has returned.
    void keep(std::exception_ptr exception) noexcept;
    bool has_kept() const { return has_kept_.load(std::memory_order_relaxed); }
    void rethrow_kept();

  private:
    bool admit();
    void add(int status, const std::string& category, const std::string& message) noexcept;
    void deliver(Status status, const std::string& category, const std::string& message);

    mutable std::recursive_mutex
        mutex_; ///< recursive: a sink may ask the slave something that is refused with a line
    LogSink sink_;
    LineLimit limit_;
    std::string last_, last_error_;
    std::exception_ptr kept_;
    std::atomic<bool> has_kept_ = false; ///< asked after every call of the FMU, so without the lock
};

} // namespace tenon::fmi
