#pragma once
// A scalar function of time that prescribes a motion or scales a load: formula, table, or an input of the model.

#include "core/model/members.hpp"

#include <vector>

namespace tenon {

struct Derivatives {
    double value = 0;
    double rate = 0;
    double acceleration = 0;
};

/// offset + rate t + amplitude sin(2 pi frequency t + phase).
struct Formula {
    double offset = 0, rate = 0, amplitude = 0, frequency = 0, phase = 0;
    Derivatives at(double t) const;

    bool operator==(const Formula&) const = default;
};

template <class Visit> void members(Is<Formula> auto& formula, Visit&& visit) {
    auto& [offset, rate, amplitude, frequency, phase] = formula;
    visit(offset, rate, amplitude, frequency, phase);
}

/// A cubic spline through points that starts and ends at rest and is constant outside.
class Table {
  public:
    Table() = default;
    /// Times must increase strictly; throws Error(model) otherwise or when sizes differ or fewer than 2 points.
    Table(std::vector<double> time, std::vector<double> value);
    bool empty() const { return time_.empty(); }
    const std::vector<double>& times() const { return time_; }
    const std::vector<double>& values() const { return value_; }
    Derivatives at(double t) const;

    bool operator==(const Table&) const = default;

  private:
    std::vector<double> time_, value_, curvature_;
};

} // namespace tenon
