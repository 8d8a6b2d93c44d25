#pragma once
// Forces and torques that the glue puts on the ports of an FMU: polynomials over the step that begins at `start`,
//
//     W(t) = w0 + w1 s + w2 s^2 + w3 s^3,   s = (t - start) / length
//
// and how they get into the FMU: in the callback of a step (FMI 3.0), as derivatives (FMI 2.0), or, where it takes neither, as
// constants for the halves of the step.

#include "modelDescription/description.hpp"
#include "tools/import/slave.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tenon::glue {

class Efforts {
  public:
    enum class Delivery { halves, derivatives, callback };

    /// The FMU's variables with `elements` values in all. `order`: of the derivatives.
    void place(std::vector<fmi::Reference> variables, std::size_t elements, Delivery how, int order);
    bool empty() const { return references_.empty(); }
    Delivery delivery() const { return delivery_; }
    /// The highest power of s that gets through; 0 for constants in two halves.
    int order() const { return delivery_ == Delivery::halves ? 0 : order_; }

    double start = 0, length = 1;
    std::vector<double> w0, w1, w2, w3;

    /// What a slave must be made with.
    std::span<const fmi::Reference> intermediate() const {
        return delivery_ == Delivery::callback ? std::span<const fmi::Reference>(references_)
                                               : std::span<const fmi::Reference>();
    }
    /// Before a step along the curves.
    fmi::Status send(fmi::Slave& slave);
    /// In the middle of a step.
    fmi::Status send_at(fmi::Slave& slave, double time);
    /// A constant for the whole step: the mean.
    fmi::Status send_mean(fmi::Slave& slave);
    /// Constants for its halves that have the impulse of the curve and its moment, M0 -+ (4 M1 - 2 M0) with Mk the integral of W s^k:
    /// velocity and position at the end are then those of the curve, to which the means of the halves would be wrong by h^2.
    fmi::Status send_half(fmi::Slave& slave, bool second);
    fmi::Status send_zero(fmi::Slave& slave);
    /// One unit of the element, nothing else.
    fmi::Status send_unit(fmi::Slave& slave, std::size_t element);

    const std::vector<fmi::Reference>& references() const { return references_; }

  private:
    fmi::Status send_values(fmi::Slave& slave) {
        return slave.set(std::span<const fmi::Reference>(references_), std::span<const double>(values_));
    }

    Delivery delivery_ = Delivery::halves;
    int order_ = 2;
    std::vector<fmi::Reference> references_, repeated_; ///< repeated_: once for each order
    std::vector<std::int32_t> orders_;
    std::vector<double> values_, slopes_;
};

} // namespace tenon::glue
