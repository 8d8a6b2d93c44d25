#pragma once
// Rows as text (docs/contract.md section 3): the ResultWriter behind the Recorder interface.

#include "tools/results/recorder.hpp"

namespace tenon::results {

class CsvRecorder : public Recorder {
  public:
    CsvRecorder(const std::filesystem::path& file, const ResultHeading& heading)
        : writer_(file, heading.names()) {}
    CsvRecorder(const std::filesystem::path& file, const ResultHeading& heading, const ResultMark& mark)
        : writer_(file, heading.names(), mark) {}

    void write(double time, std::span<const double> values) override { writer_.write(time, values); }
    void flush() override { writer_.flush(); }
    ResultMark sync() override { return writer_.sync(); }
    void close() override { writer_.close(); }
    ResultMark in_file() const override { return writer_.in_file(); }
    long rows() const override { return writer_.rows(); }
    double last_time() const override { return writer_.last_time(); }

  private:
    ResultWriter writer_;
};

} // namespace tenon::results
