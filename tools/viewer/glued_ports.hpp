#pragma once
// Joints between FMUs as the results show them. Results of `run` have the ports of each FMU, and two ports of different FMUs
// that are in one place at the start and stay together are glued. What the file does not tell about them is computed here, in
// double precision, before anything is thinned:
//
//     <port a> | <port b>.gap      |r_a - r_b|
//     <port a> | <port b>.ledger   W_a + W_b, the works through the ports (aux.work): zero for an ideal joint, so that the sum
//                                  is what the glue has put in or taken out

#include "tools/results/recorder.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tenon::viewer {

class GluedPorts {
  public:
    /// `ports` are names `<fmu>.<port>`; `first` is the first row.
    GluedPorts(const std::vector<results::ResultColumn>& columns, const std::vector<std::string>& ports,
               std::span<const double> first);

    const std::vector<results::ResultColumn>& columns() const { return columns_; }
    /// Puts the values of columns() at the end of `row`.
    void append(std::vector<double>& row);
    /// One flag for each of columns(): whether its ports have stayed together so far. Others are no joints, or ones that slide.
    std::vector<bool> together() const;

  private:
    struct Pair {
        std::array<std::size_t, 3> a, b; ///< columns of the positions
        std::optional<std::pair<std::size_t, std::size_t>> works;
        bool together = true;
    };

    double gap(const Pair& pair, std::span<const double> row) const;

    std::vector<Pair> pairs_;
    std::vector<results::ResultColumn> columns_;
    double largest_gap_ = 0;
};

} // namespace tenon::viewer
