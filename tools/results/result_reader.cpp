#include "tools/results/result_reader.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/plain_file.hpp"
#include "tools/results/csv_reader.hpp"
#include "tools/results/hdf5_table_reader.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace tenon::results {
namespace {

/// How every file of HDF5 begins.
constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
/// Numbers of a block; 8 MB.
constexpr std::size_t block_values = 1 << 20;

class Hdf5Reader : public ResultReader {
  public:
    explicit Hdf5Reader(const std::filesystem::path& file) : file_(file), table_(file) {}

    const ResultHeading& heading() const override { return table_.heading(); }
    std::uint64_t rows() const override { return table_.rows(); }

    bool read(std::vector<double>& times, std::vector<double>& values) override {
        const std::size_t columns = heading().columns.size();
        const std::size_t block = std::max<std::size_t>(1, block_values / std::max<std::size_t>(1, columns));
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(block, rows() - next_));
        times.resize(count);
        values.resize(count * columns);
        if (count == 0)
            return false;
        table_.read(next_, times, values);
        next_ += count;
        for (const double time : times) {
            if (!std::isfinite(time) || time < last_time_)
                throw bad_input(
                    file_.string(), 0,
                    fmt::format("time is {} after {}; it must not run backwards", time, last_time_));
            last_time_ = time;
        }
        return true;
    }

  private:
    std::filesystem::path file_;
    Hdf5TableReader table_;
    std::uint64_t next_ = 0;
    double last_time_ = -HUGE_VAL;
};

bool is_hdf5(const std::filesystem::path& path) {
    const PlainFile file(path);
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), hdf5_signature.size()));
    return file.read(0, length) == hdf5_signature;
}

} // namespace

std::unique_ptr<ResultReader> open_result(const std::filesystem::path& file) {
    if (is_hdf5(file))
        return std::make_unique<Hdf5Reader>(file);
    return std::make_unique<CsvReader>(file);
}

const Table::Column* Table::find(std::string_view name) const {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

Table read_result(const std::filesystem::path& file,
                  const std::function<bool(const std::string& name)>& wanted) {
    const std::unique_ptr<ResultReader> reader = open_result(file);
    const std::vector<ResultColumn>& all = reader->heading().columns;
    Table table;
    table.system = reader->heading().system;
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!wanted || wanted(all[i].name)) {
            chosen.push_back(i);
            table.columns.push_back({all[i].name, all[i].unit, all[i].description, {}});
        }
    std::vector<double> times, values;
    while (reader->read(times, values)) {
        table.time.insert(table.time.end(), times.begin(), times.end());
        for (std::size_t k = 0; k < chosen.size(); ++k)
            for (std::size_t row = 0; row < times.size(); ++row)
                table.columns[k].values.push_back(values[row * all.size() + chosen[k]]);
    }
    return table;
}

} // namespace tenon::results
