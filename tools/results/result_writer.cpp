#include "tools/results/result_writer.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/model/model_bytes.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/plain_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tenon::results {
namespace {

/// Rows are handed over in pieces of about this size.
constexpr std::size_t buffer_size = 1 << 16;
/// The longest number that std::to_chars writes: -2.2250738585072014e-308.
constexpr std::size_t longest_number = 24;

std::uint64_t checksum_of(std::string_view text, std::uint64_t start) {
    return checksum({reinterpret_cast<const unsigned char*>(text.data()), text.size()}, start);
}

/// The file's path, once its beginning is what the mark says.
std::filesystem::path checked_file(std::filesystem::path path, const ResultMark& mark) {
    if (is_stream(path))
        return path; // what a stream has been given nobody can read again
    const PlainFile file(path);
    const auto refuse = [&](const std::string& why) {
        throw bad_input(path.string(), 0,
                        "the results have changed since the checkpoint was written: " + why);
    };
    if (file.size() < mark.bytes)
        refuse("the file is too short (" + std::to_string(file.size()) + " bytes, at least " +
               std::to_string(mark.bytes) + " are needed)");
    constexpr std::uint64_t piece = 1 << 20;
    std::uint64_t sum = checksum({});
    for (std::uint64_t at = 0; at < mark.bytes; at += piece)
        sum = checksum_of(file.read(at, static_cast<std::size_t>(std::min(piece, mark.bytes - at))), sum);
    if (sum != mark.checksum)
        refuse("the first " + std::to_string(mark.bytes) + " bytes are not those that were written");
    return path;
}

} // namespace

void require_finite_row(std::span<const std::string> names, double time, std::span<const double> values) {
    if (!std::isfinite(time))
        throw Error(ErrorKind::computation, "time is not finite (" + digits(time) + ")", "time");
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            throw Error(ErrorKind::computation,
                        names[i] + " is not finite (" + digits(values[i]) + ") at t = " + digits(time),
                        names[i]);
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string result = "\"";
    for (char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

ResultWriter::ResultWriter(std::filesystem::path path, std::vector<std::string> names)
    : file_(std::move(path)), names_(std::move(names)), checksum_(checksum({})) {}

ResultWriter::ResultWriter(std::filesystem::path path, std::vector<std::string> names, const ResultMark& mark)
    : file_(checked_file(std::move(path), mark)), names_(std::move(names)), written_(mark.bytes),
      checksum_(mark.checksum), rows_(static_cast<long>(mark.rows)), rows_in_file_(rows_),
      last_time_(mark.last_time), last_time_in_file_(mark.last_time) {
    file_.truncate(mark.bytes);
}

ResultWriter::~ResultWriter() {
    try {
        close();
    } catch (const OutputError&) { // a destructor has nobody to tell; close() has
    }
}

void ResultWriter::write(double time, std::span<const double> values) {
    if (closed_)
        throw std::logic_error("the result file is closed");
    if (values.size() != names_.size())
        throw std::logic_error("a row needs " + std::to_string(names_.size()) + " values, not " +
                               std::to_string(values.size()));
    require_finite_row(names_, time, values);
    if (rows_ == 0) {
        file_.truncate(0);
        buffer_ = "time";
        for (const std::string& name : names_)
            buffer_ += ',' + csv_field(name);
        buffer_ += '\n';
    }
    append(time);
    for (double value : values) {
        buffer_ += ',';
        append(value);
    }
    buffer_ += '\n';
    ++rows_;
    last_time_ = time;
    if (buffer_.size() >= buffer_size)
        flush();
}

void ResultWriter::append(double value) {
    char text[longest_number];
    buffer_.append(text, std::to_chars(text, text + longest_number, value).ptr);
}

void ResultWriter::flush() {
    try {
        file_.write(buffer_);
    } catch (const OutputError&) {
        // A full disk ends in the middle of a row: take the piece back.
        buffer_.clear();
        closed_ = true;
        rows_ = rows_in_file_;
        last_time_ = last_time_in_file_;
        if (written_ > 0)
            file_.truncate(written_);
        else
            file_.discard();
        throw;
    }
    written_ += buffer_.size();
    checksum_ = checksum_of(buffer_, checksum_);
    rows_in_file_ = rows_;
    last_time_in_file_ = last_time_;
    buffer_.clear();
}

ResultMark ResultWriter::sync() {
    if (rows_ > 0)
        flush();
    file_.sync();
    return {static_cast<std::uint64_t>(rows_), written_, checksum_, last_time_};
}

void ResultWriter::close() {
    if (closed_)
        return;
    if (rows_ > 0)
        flush();
    closed_ = true;
    if (rows_ == 0)
        return file_.discard();
    file_.close();
}

} // namespace tenon::results
