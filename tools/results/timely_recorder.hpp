#pragma once
// A recorder whose rows reach the file in time, also while an FMU computes for an hour or hangs.

#include "tools/results/recorder.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace tenon::results {

/// Flushes another recorder from a thread of its own, `delay` after the first row that the file lacks. What goes wrong there
/// is thrown by the next call.
class TimelyRecorder : public Recorder {
  public:
    TimelyRecorder(std::unique_ptr<Recorder> recorder, std::chrono::milliseconds delay);
    ~TimelyRecorder() override;
    TimelyRecorder(const TimelyRecorder&) = delete;
    TimelyRecorder& operator=(const TimelyRecorder&) = delete;

    void write(double time, std::span<const double> values) override;
    void flush() override;
    ResultMark sync() override;
    void close() override;
    ResultMark in_file() const override;
    long rows() const override;
    double last_time() const override;

  private:
    void watch();
    void rethrow();
    void stop();

    std::unique_ptr<Recorder> recorder_;
    std::chrono::milliseconds delay_;
    mutable std::mutex mutex_; ///< of all below and of the recorder
    std::condition_variable changed_;
    bool waiting_ = false; ///< there are rows that the file lacks
    bool stopped_ = false;
    std::exception_ptr problem_;
    std::thread watcher_;
};

} // namespace tenon::results
