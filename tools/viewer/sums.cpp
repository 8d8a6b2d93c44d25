#include "tools/viewer/sums.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace tenon::viewer {

Sums::Sums(const std::vector<results::ResultColumn>& columns) {
    constexpr std::string_view work_a = ".work_a", energy = "energy.total";
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < columns.size(); ++i)
        index[columns[i].name] = i;
    std::vector<std::size_t> energies;
    std::string fmus;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& name = columns[i].name;
        if (name.ends_with(work_a)) {
            const std::string joint = name.substr(0, name.size() - work_a.size());
            if (const auto other = index.find(joint + ".work_b"); other != index.end()) {
                columns_.push_back(
                    {joint + ".ledger", "J", "sum of the works on both sides since the start"});
                terms_.push_back({i, other->second});
            }
        }
        if (const std::size_t dot = name.find('.');
            dot != std::string::npos && name.substr(dot + 1) == energy) {
            energies.push_back(i);
            fmus += (fmus.empty() ? "" : ", ") + name.substr(0, dot);
        }
    }
    if (energies.size() > 1 && !index.contains(std::string(energy))) {
        columns_.push_back({std::string(energy), "J", "sum of the energies of " + fmus});
        terms_.push_back(std::move(energies));
    }
}

void Sums::append(std::vector<double>& row) const {
    for (const std::vector<std::size_t>& terms : terms_) {
        double sum = 0;
        for (const std::size_t term : terms)
            sum += row[term];
        row.push_back(sum);
    }
}

} // namespace tenon::viewer
