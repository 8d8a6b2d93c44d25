#include "tools/import/log_relay.hpp"

#include "tools/import/foreign_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace tenon::fmi {
namespace {

Status logged_status(int status) {
    return status >= 0 && status <= static_cast<int>(Status::fatal) ? static_cast<Status>(status)
                                                                    : Status::warning;
}

} // namespace

bool LineLimit::admit(Time now) {
    if (lines_ == limit && now - second_ >= std::chrono::seconds(1)) {
        second_ = now;
        lines_ = 0;
    }
    if (lines_ == limit) {
        ++left_out_;
        return false;
    }
    ++lines_;
    return true;
}

std::size_t LineLimit::take_left_out() { return std::exchange(left_out_, 0); }

void LogRelay::close() {
    const std::lock_guard lock(mutex_);
    try {
        if (const std::size_t left_out = limit_.take_left_out(); left_out > 0)
            deliver(Status::warning, "importer", fmt::format("{} messages were left out", left_out));
    } catch (...) {
        // The slave is gone, and with it the call that could tell.
    }
    sink_ = nullptr;
}

bool LogRelay::admit() {
    if (!limit_.admit(std::chrono::steady_clock::now()))
        return false;
    if (const std::size_t left_out = limit_.take_left_out(); left_out > 0)
        deliver(Status::warning, "importer",
                fmt::format("{} messages were left out (limit {} in a second)", left_out, LineLimit::limit));
    return true;
}

void LogRelay::deliver(Status status, const std::string& category, const std::string& message) {
    if (sink_)
        sink_(status, category, message);
}

void LogRelay::pass(int status, const char* category, const char* message) noexcept {
    try {
        add(status, foreign_text(category), foreign_text(message));
    } catch (...) {
        keep(std::current_exception());
    }
}

void LogRelay::add(int status, const std::string& category, const std::string& message) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        if (!admit())
            return;
        const Status known = logged_status(status);
        last_ = message;
        if (known >= Status::error)
            last_error_ = last_;
        deliver(known, category, last_);
    } catch (...) {
        keep(std::current_exception());
    }
}

void LogRelay::pass_formatted(int status, const char* category, const char* format,
                              std::va_list arguments) noexcept {
    try {
        add(status, foreign_text(category), foreign_format(format, arguments));
    } catch (...) {
        keep(std::current_exception());
    }
}

void LogRelay::say(Status status, const std::string& message) noexcept {
    try {
        const std::lock_guard lock(mutex_);
        if (admit())
            deliver(status, "importer", message);
    } catch (...) {
        keep(std::current_exception());
    }
}

std::string LogRelay::reason() const {
    const std::lock_guard lock(mutex_);
    return last_error_.empty() ? last_ : last_error_;
}

void LogRelay::keep(std::exception_ptr exception) noexcept {
    const std::lock_guard lock(mutex_);
    kept_ = std::move(exception);
    has_kept_.store(true, std::memory_order_relaxed);
}

void LogRelay::rethrow_kept() {
    const std::lock_guard lock(mutex_);
    has_kept_.store(false, std::memory_order_relaxed);
    if (kept_)
        std::rethrow_exception(std::exchange(kept_, nullptr));
}

} // namespace tenon::fmi
