#pragma once
// The inputs of an FMU, moved a little around their start values so that a check sees more than a constant.

#include "tools/import/slave.hpp"

#include <vector>

namespace tenon::check {

/// The start values of a variable as numbers, one for each element; zeros where it has none or is a text.
std::vector<double> start_numbers(const fmi::Variable& variable);

/// A length to measure changes of a variable by: its nominal value or start value, never 0.
double scale_of(const fmi::Variable& variable);

/// Sets all elements of a variable of any numeric type, rounded to it.
fmi::Status set_numbers(fmi::Slave& slave, const fmi::Variable& variable, const std::vector<double>& values);

/// The continuous inputs of type float64, which may be set at any communication point.
class Inputs {
  public:
    explicit Inputs(const fmi::Description& description);

    bool empty() const { return references_.empty(); }
    const std::vector<fmi::Reference>& references() const { return references_; }
    /// At step `index`: one hundredth of their scale up and down, each with its own phase; within min and max.
    std::vector<double> moved(int index, double phase) const;
    fmi::Status set(fmi::Slave& slave, const std::vector<double>& values) const;

  private:
    struct Element {
        double start = 0, amplitude = 0, min = 0, max = 0;
    };
    std::vector<fmi::Reference> references_;
    std::vector<Element> elements_;
};

} // namespace tenon::check
