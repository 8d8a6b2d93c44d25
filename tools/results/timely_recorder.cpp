#include "tools/results/timely_recorder.hpp"

#include <utility>

namespace tenon::results {

TimelyRecorder::TimelyRecorder(std::unique_ptr<Recorder> recorder, std::chrono::milliseconds delay)
    : recorder_(std::move(recorder)), delay_(delay), watcher_([this] { watch(); }) {}

TimelyRecorder::~TimelyRecorder() { stop(); }

void TimelyRecorder::watch() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
        changed_.wait(lock, [&] { return waiting_ || stopped_; });
        changed_.wait_for(lock, delay_, [&] { return stopped_; });
        if (!waiting_ || stopped_)
            continue;
        waiting_ = false;
        try {
            recorder_->flush();
        } catch (...) {
            problem_ = std::current_exception();
            stopped_ = true;
        }
    }
}

void TimelyRecorder::rethrow() {
    if (problem_)
        std::rethrow_exception(std::exchange(problem_, nullptr));
}

void TimelyRecorder::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    changed_.notify_one();
    if (watcher_.joinable())
        watcher_.join();
}

void TimelyRecorder::write(double time, std::span<const double> values) {
    const std::lock_guard lock(mutex_);
    rethrow();
    recorder_->write(time, values);
    if (!std::exchange(waiting_, true))
        changed_.notify_one();
}

void TimelyRecorder::flush() {
    const std::lock_guard lock(mutex_);
    rethrow();
    waiting_ = false;
    recorder_->flush();
}

ResultMark TimelyRecorder::sync() {
    const std::lock_guard lock(mutex_);
    rethrow();
    waiting_ = false;
    return recorder_->sync();
}

void TimelyRecorder::close() {
    stop();
    rethrow();
    recorder_->close();
}

ResultMark TimelyRecorder::in_file() const {
    const std::lock_guard lock(mutex_);
    return recorder_->in_file();
}

long TimelyRecorder::rows() const {
    const std::lock_guard lock(mutex_);
    return recorder_->rows();
}

double TimelyRecorder::last_time() const {
    const std::lock_guard lock(mutex_);
    return recorder_->last_time();
}

} // namespace tenon::results
