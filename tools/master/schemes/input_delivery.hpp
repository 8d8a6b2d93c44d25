#pragma once
// How the curves of inputs get into an FMU: as derivatives (FMI 2.0), in the callback of a step (FMI 3.0), or, where it
// takes neither, as one value for the whole step.

#include "tools/master/schemes/input_curves.hpp"
#include "tools/master/wiring.hpp"

#include <string>
#include <vector>

namespace tenon::master {

class InputDelivery {
  public:
    /// Decides for each participant. All must outlive it.
    InputDelivery(const Wiring& wiring, const InputCurves& curves, Participants& participants);

    /// What the slave must be made with.
    void complete(fmi::InstanceOptions& options, Participant& participant) const;

    /// One value for a step of an input whose FMU takes no curve: the mean, or where `at_end` says so and it feeds
    /// through to an output, the value at the end, which is what that output belongs to.
    void hold_at_end(const std::vector<char>& feeds_through) { feeds_through_ = &feeds_through; }

    /// All connected inputs for the step of length h that begins now; `inputs` get what is sent.
    bool send(Participant& participant, double h, double* inputs) const;

    /// Names of the participants that take only one value per step although the curves have a higher order.
    std::vector<std::string> constant_only() const;

  private:
    std::optional<double> update(Participant& participant, const fmi::IntermediateUpdate& update) const;
    bool send_derivatives(Participant& participant) const;

    const Wiring& wiring_;
    const InputCurves& curves_;
    const Participants& participants_;
    const std::vector<char>* feeds_through_ = nullptr;
};

} // namespace tenon::master
