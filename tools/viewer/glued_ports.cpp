#include "tools/viewer/glued_ports.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace tenon::viewer {
namespace {

/// Of the machine's size: more than any glue leaves open, less than any machine moves.
constexpr double together_part = 1e-2;

using Index = std::map<std::string, std::size_t>;
using Place = std::array<std::size_t, 3>;

std::optional<std::size_t> find(const Index& index, const std::string& name) {
    const auto found = index.find(name);
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Place> place_of(const Index& index, const std::string& port) {
    Place place{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto column = find(index, fmt::format("{}.r_0[{}]", port, i + 1));
        if (!column)
            return std::nullopt;
        place[i] = *column;
    }
    return place;
}

std::string fmu_of(const std::string& name) {
    const std::size_t dot = name.find('.');
    return dot == std::string::npos ? "" : name.substr(0, dot);
}

/// The longest edge of a box around all positions.
double size_of(const Index& index, std::span<const double> row) {
    double size = 0;
    for (int i = 1; i <= 3; ++i) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const auto& [name, column] : index)
            if (name.ends_with(fmt::format(".r_0[{}]", i))) {
                low = std::min(low, row[column]);
                high = std::max(high, row[column]);
            }
        size = std::max(size, high - low);
    }
    return size;
}

} // namespace

GluedPorts::GluedPorts(const std::vector<results::ResultColumn>& columns,
                       const std::vector<std::string>& ports, std::span<const double> first) {
    Index index;
    for (std::size_t i = 0; i < columns.size(); ++i)
        index[columns[i].name] = i;
    largest_gap_ = together_part * size_of(index, first);
    std::vector<std::optional<Place>> places;
    for (const std::string& port : ports)
        places.push_back(place_of(index, port));
    for (std::size_t i = 0; i < ports.size(); ++i)
        for (std::size_t j = i + 1; j < ports.size(); ++j) {
            const std::string &a = ports[i], &b = ports[j];
            if (!places[i] || !places[j] || fmu_of(a) == fmu_of(b))
                continue;
            Pair pair{*places[i], *places[j], std::nullopt};
            if (!(gap(pair, first) <= largest_gap_))
                continue;
            const std::string name = a + " | " + b;
            columns_.push_back({name + ".gap", "m", "distance of the two ports"});
            const auto work_a = find(index, a + ".aux.work"), work_b = find(index, b + ".aux.work");
            if (work_a && work_b) {
                pair.works = {*work_a, *work_b};
                columns_.push_back({name + ".ledger", "J", "sum of the works on both sides since the start"});
            }
            pairs_.push_back(pair);
        }
}

double GluedPorts::gap(const Pair& pair, std::span<const double> row) const {
    return std::hypot(row[pair.a[0]] - row[pair.b[0]], row[pair.a[1]] - row[pair.b[1]],
                      row[pair.a[2]] - row[pair.b[2]]);
}

void GluedPorts::append(std::vector<double>& row) {
    for (Pair& pair : pairs_) {
        const double open = gap(pair, row);
        pair.together = pair.together && open <= largest_gap_;
        row.push_back(open);
        if (pair.works)
            row.push_back(row[pair.works->first] + row[pair.works->second]);
    }
}

std::vector<bool> GluedPorts::together() const {
    std::vector<bool> flags;
    for (const Pair& pair : pairs_)
        flags.insert(flags.end(), pair.works ? 2 : 1, pair.together);
    return flags;
}

} // namespace tenon::viewer
