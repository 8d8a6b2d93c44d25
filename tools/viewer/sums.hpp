#pragma once
// Sums of columns that the page shows beside them. They are computed here, in double precision and before anything is thinned,
// because what is left of two large numbers of opposite sign is what one wants to see:
//
//     <joint>.ledger   work_a + work_b of a joint between FMUs: what the glue has put in or taken out, zero for an ideal joint
//     energy.total     of all FMUs that tell theirs, where the result itself has none: to compare with the machine in one piece

#include "tools/results/recorder.hpp"

#include <vector>

namespace tenon::viewer {

class Sums {
  public:
    explicit Sums(const std::vector<results::ResultColumn>& columns);

    const std::vector<results::ResultColumn>& columns() const { return columns_; }
    /// Puts the values of columns() at the end of `row`.
    void append(std::vector<double>& row) const;

  private:
    std::vector<results::ResultColumn> columns_;
    std::vector<std::vector<std::size_t>> terms_; ///< of each of columns_
};

} // namespace tenon::viewer
