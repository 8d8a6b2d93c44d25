#include "tools/results/hdf5_recorder.hpp"

#include "core/model/model_bytes.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/output_file.hpp"
#include "tools/files/replaced_file.hpp"
#include "tools/results/hdf5_handle.hpp"
#include "tools/results/hdf5_table_reader.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace tenon::results {
namespace {

namespace fs = std::filesystem;

/// Number by number: of a small system the checksum byte by byte would cost as much as its steps.
std::uint64_t row_checksum(double time, std::span<const double> values, std::uint64_t sum) {
    const auto mix = [&](double number) {
        sum = (sum ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15U; // odd: nothing is lost
        sum ^= sum >> 32;
    };
    mix(time);
    for (const double value : values)
        mix(value);
    return sum;
}

/// Of a link, what it points at is replaced.
fs::path target_of(const fs::path& path) {
    std::error_code error;
    const fs::path target = fs::canonical(path, error);
    return error ? path : target;
}

} // namespace

Hdf5Recorder::Hdf5Recorder(fs::path file, ResultHeading heading)
    : path_(std::move(file)), heading_(std::move(heading)), names_(heading_.names()),
      checksum_(checksum({})) {
    if (std::error_code ignored; fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored))
        throw OutputError(path_.string(), "HDF5 needs a plain file");
    OutputFile(path_).discard();
}

Hdf5Recorder::Hdf5Recorder(fs::path file, ResultHeading heading, const ResultMark& mark)
    : Hdf5Recorder(std::move(file), std::move(heading)) {
    try {
        copy(mark);
    } catch (...) {
        table_.reset();
        std::error_code ignored;
        if (!temporary_.empty())
            fs::remove(temporary_, ignored);
        closed_ = true;
        throw;
    }
}

Hdf5Recorder::~Hdf5Recorder() {
    try {
        close();
    } catch (const OutputError&) { // a destructor has nobody to tell; close() has
    }
}

void Hdf5Recorder::begin() {
    path_ = target_of(path_);
    temporary_ = temporary_beside(path_);
    table_.emplace(temporary_, heading_, path_.string());
}

void Hdf5Recorder::take_name() {
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error)
        throw OutputError(path_.string(), error.message());
    temporary_.clear();
}

void Hdf5Recorder::copy(const ResultMark& mark) {
    const auto refuse = [&](const std::string& why) {
        throw bad_input(path_.string(), 0,
                        "the results have changed since the checkpoint was written: " + why);
    };
    const Hdf5TableReader old(path_, heading_);
    if (old.rows() < mark.rows)
        refuse("the file is too short (" + std::to_string(old.rows()) + " rows, at least " +
               std::to_string(mark.rows) + " are needed)");
    if (mark.rows == 0)
        return;
    begin();
    const std::size_t columns = names_.size();
    std::vector<double> times(table_->block()), values(times.size() * columns);
    for (std::uint64_t at = 0; at < mark.rows;) {
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(times.size(), mark.rows - at));
        old.read(at, std::span(times).first(count), std::span(values).first(count * columns));
        for (std::size_t i = 0; i < count; ++i)
            keep(times[i], std::span(values).subspan(i * columns, columns));
        hand_over();
        at += count;
    }
    if (checksum_ != mark.checksum)
        refuse("the first " + std::to_string(mark.rows) + " rows are not those that were written");
    table_->sync();
    take_name();
    rows_in_file_ = rows_handed_over_;
    checksum_in_file_ = checksum_;
    last_time_in_file_ = last_time_;
}

void Hdf5Recorder::keep(double time, std::span<const double> values) {
    times_.push_back(time);
    values_.insert(values_.end(), values.begin(), values.end());
    checksum_ = row_checksum(time, values, checksum_);
    last_time_ = time;
}

void Hdf5Recorder::write(double time, std::span<const double> values) {
    if (closed_)
        throw std::logic_error("the result file is closed");
    if (values.size() != names_.size())
        throw std::logic_error("a row needs " + std::to_string(names_.size()) + " values, not " +
                               std::to_string(values.size()));
    require_finite_row(names_, time, values);
    try {
        if (!table_)
            begin();
    } catch (const OutputError&) {
        give_up();
    }
    keep(time, values);
    if ((rows_handed_over_ + times_.size()) % table_->block() == 0)
        flush();
}

/// To the table, which may still hold it back.
void Hdf5Recorder::hand_over() {
    if (times_.empty())
        return;
    table_->append(times_, values_);
    rows_handed_over_ = table_->rows();
    times_.clear();
    values_.clear();
}

void Hdf5Recorder::flush() {
    if (closed_ || !table_)
        return;
    silence_hdf5(); // the thread of a TimelyRecorder is not that which has opened the file
    try {
        hand_over();
        table_->flush();
        if (!temporary_.empty())
            take_name();
        rows_in_file_ = rows_handed_over_;
        checksum_in_file_ = checksum_;
        last_time_in_file_ = last_time_;
    } catch (const OutputError&) {
        give_up();
    }
}

/// Called while an OutputError is under way. What earlier flushes have written stays as it is.
void Hdf5Recorder::give_up() {
    closed_ = true;
    times_.clear();
    values_.clear();
    rows_handed_over_ = rows_in_file_; // the table has lost what it held back
    last_time_ = last_time_in_file_;
    if (table_)
        table_->abandon();
    table_.reset();
    if (!temporary_.empty()) {
        std::error_code ignored;
        fs::remove(temporary_, ignored);
    }
    throw;
}

ResultMark Hdf5Recorder::sync() {
    flush();
    try {
        if (table_)
            table_->sync();
    } catch (const OutputError&) {
        give_up();
    }
    return {rows_handed_over_, 0, checksum_, last_time_};
}

void Hdf5Recorder::close() {
    if (closed_)
        return;
    flush();
    closed_ = true;
    if (table_)
        table_->close();
}

long Hdf5Recorder::rows() const { return static_cast<long>(rows_handed_over_ + times_.size()); }

} // namespace tenon::results
