#include "tools/io/result_writer.hpp"

#include "core/math/error.hpp"
#include "core/model/digits.hpp"
#include "tools/io/errors.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tenon {
namespace {

/// Rows are handed over in pieces of about this size.
constexpr std::size_t buffer_size = 1 << 16;
/// The longest number that std::to_chars writes: -2.2250738585072014e-308.
constexpr std::size_t longest_number = 24;

} // namespace

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string result = "\"";
    for (char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

ResultWriter::ResultWriter(std::filesystem::path path, std::vector<std::string> names)
    : file_(std::move(path)), names_(std::move(names)) {}

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
    if (!std::isfinite(time))
        throw Error(ErrorKind::computation, "time is not finite (" + digits(time) + ")", "time");
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            throw Error(ErrorKind::computation,
                        names_[i] + " is not finite (" + digits(values[i]) + ") at t = " + digits(time),
                        names_[i]);
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
    rows_in_file_ = rows_;
    last_time_in_file_ = last_time_;
    buffer_.clear();
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

} // namespace tenon
