#include "tools/results/csv_reader.hpp"

#include "tools/files/errors.hpp"
#include "tools/results/scene_units.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace tenon::results {
namespace {

constexpr std::size_t piece_bytes = 1 << 20;
/// The names of a million columns; whatever has no line break for so long is not a table.
constexpr std::size_t longest_heading = 64 << 20;

/// Position behind the line break that ends the first record; npos where there is none. A quoted name may hold line breaks.
std::size_t end_of_record(std::string_view text) {
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            quoted = !quoted;
        else if (text[i] == '\n' && !quoted)
            return i + 1;
    }
    return std::string_view::npos;
}

std::string_view without_line_break(std::string_view line) {
    while (line.ends_with('\n') || line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

/// RFC 4180: a field may stand in quotes, a quote in it is doubled.
std::vector<std::string> fields_of(std::string_view record) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < record.size(); ++i) {
        const char c = record[i];
        if (c == '"' && quoted && i + 1 < record.size() && record[i + 1] == '"')
            fields.back() += record[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            fields.emplace_back();
        else
            fields.back() += c;
    }
    return fields;
}

std::string_view trimmed(std::string_view field) {
    const auto is_padding = [](char c) { return c == ' ' || c == '\t' || c == '"'; };
    while (!field.empty() && is_padding(field.front()))
        field.remove_prefix(1);
    while (!field.empty() && is_padding(field.back()))
        field.remove_suffix(1);
    return field;
}

/// False where the field is not a number; an empty one is NaN.
bool parse(std::string_view field, double& value) {
    const auto parse_exactly = [&](std::string_view text) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() && end == text.data() + text.size();
    };
    if (parse_exactly(field))
        return true;
    field = trimmed(field);
    if (field.starts_with('+'))
        field.remove_prefix(1);
    value = std::numeric_limits<double>::quiet_NaN();
    return field.empty() || parse_exactly(field);
}

} // namespace

CsvReader::CsvReader(const std::filesystem::path& file) : file_(file) {
    last_time_ = -std::numeric_limits<double>::infinity();
    read_names();
    count_rows();
}

void CsvReader::refuse(const std::string& why) const {
    throw bad_input(file_.path().string(), static_cast<int>(std::min<std::uint64_t>(line_, 1u << 30)), why);
}

bool CsvReader::read_piece() {
    const auto length =
        static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, file_.size() - offset_));
    if (length == 0)
        return false;
    text_ += file_.read(offset_, length);
    offset_ += length;
    return true;
}

void CsvReader::read_names() {
    std::size_t end = std::string::npos;
    while ((end = end_of_record(text_)) == std::string::npos) {
        if (text_.size() > longest_heading)
            refuse(fmt::format("the first line does not end within {} bytes; this is not a table",
                               longest_heading));
        if (!read_piece())
            refuse("there is no line with the names of the columns; results begin with 'time,...'");
    }
    std::string_view record = without_line_break(std::string_view(text_).substr(0, end));
    if (record.starts_with("\xEF\xBB\xBF"))
        record.remove_prefix(3);
    const std::vector<std::string> names = fields_of(record);
    if (names.front() != "time")
        refuse(fmt::format("the first column is '{}', not 'time'; this is not a result of Tenon",
                           printable(names.front())));
    const auto units = units_beside(file_.path());
    std::set<std::string_view> seen;
    for (std::size_t i = 1; i < names.size(); ++i) {
        if (!seen.insert(names[i]).second)
            refuse(fmt::format("two columns have the name '{}'", printable(names[i])));
        const auto unit = units.find(names[i]);
        heading_.columns.push_back({names[i], unit == units.end() ? "" : unit->second, ""});
    }
    line_ += static_cast<std::uint64_t>(
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    text_.erase(0, end);
}

/// A line without its line break is one that the writer had no time to finish.
void CsvReader::count_rows() {
    const auto count = [](std::string_view text) {
        return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    };
    rows_ = count(text_);
    for (std::uint64_t at = offset_; at < file_.size();) {
        const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, file_.size() - at));
        rows_ += count(file_.read(at, length));
        at += length;
    }
}

bool CsvReader::read(std::vector<double>& times, std::vector<double>& values) {
    times.clear();
    values.clear();
    while (times.empty() && rows_read_ < rows_) {
        std::size_t begin = 0, end = 0;
        while (rows_read_ < rows_ && (end = text_.find('\n', begin)) != std::string::npos) {
            read_row(without_line_break(std::string_view(text_).substr(begin, end + 1 - begin)), times,
                     values);
            begin = end + 1;
            ++rows_read_;
            ++line_;
        }
        text_.erase(0, begin);
        if (rows_read_ < rows_ && !read_piece())
            refuse("the file has become shorter while it was read");
    }
    return !times.empty();
}

void CsvReader::read_row(std::string_view line, std::vector<double>& times, std::vector<double>& values) {
    const std::size_t columns = heading_.columns.size() + 1;
    for (std::size_t i = 0; i < columns; ++i) {
        const std::size_t comma = line.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == columns))
            refuse(fmt::format("the row has {} values than the {} names of the first line",
                               i + 1 == columns ? "more" : "fewer", columns));
        const std::string_view field = line.substr(0, comma);
        double value = 0;
        if (!parse(field, value))
            refuse(fmt::format("'{}' in column '{}' is not a number", printable(field),
                               printable(i == 0 ? "time" : heading_.columns[i - 1].name)));
        if (i > 0)
            values.push_back(value);
        else if (!std::isfinite(value) || value < last_time_)
            refuse(fmt::format("time is {} after {}; it must not run backwards", value, last_time_));
        else
            times.push_back(last_time_ = value);
        line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
    }
}

} // namespace tenon::results
