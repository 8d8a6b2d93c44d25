#pragma once
// The variables that a run records, and their values at the current time. Connected outputs are there already; all others
// are got from the FMUs when they are read.

#include "tools/master/ensemble.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tenon::master {

class Recorder {
  public:
    Recorder(Ensemble& ensemble, const Scheme& scheme, const MasterOptions& options);

    const std::vector<Column>& columns() const { return columns_; }
    /// One value per column. Throws Error(computation) where an FMU fails or a value is not finite.
    void read(double time, std::span<double> values);

  private:
    struct Place {
        std::size_t column = 0, block = 0, index = 0;
    };
    /// What is got from one FMU.
    struct Source {
        std::vector<ValueBlock> blocks;
        std::vector<Place> places;
    };

    void add(std::size_t fmu, const MasterOptions& options);
    void add_variable(std::size_t fmu, const fmi::Variable& variable, const std::vector<std::string>& names,
                      const std::vector<std::size_t>& wanted);
    /// Null where the variable is no connected float64 output.
    const Port* connected(std::size_t fmu, const fmi::Variable& variable) const;

    Ensemble& ensemble_;
    const Scheme& scheme_;
    std::vector<double> own_;                                     ///< values of the scheme
    std::vector<std::pair<std::size_t, std::size_t>> own_places_; ///< columns, with the index in own_
    std::map<std::pair<std::size_t, fmi::Reference>, const Port*> connected_;
    std::vector<Column> columns_;
    std::vector<std::pair<std::size_t, std::size_t>> slots_; ///< columns of connected outputs, with the slots
    std::vector<Source> sources_;                            ///< one per participant
};

} // namespace tenon::master
