#pragma once
// An instance held at one moment, where known variables can be changed and unknown ones react without a step.

#include "tools/check/session.hpp"

namespace tenon::check {

enum class Moment {
    initialization, ///< initialization mode: set and get are legal
    stepping,       ///< after some steps; legal in event mode (3.0), in step mode merely done by many masters
};
std::string_view moment_name(Moment moment);

/// The entries of <ModelStructure> that hold at that moment.
const std::vector<fmi::Unknown>& unknowns_at(const fmi::Description& description, Moment moment);
/// By the description, `unknown` depends on variable `known`.
bool depends_on(const fmi::Unknown& unknown, std::size_t known);
/// Variables that may be changed at that moment: inputs, and before the start also what is initially exact. Numbers only.
std::vector<std::size_t> knowns_at(const fmi::Description& description, Moment moment);

class Standpoint {
  public:
    /// Throws CallFailed where the FMU does not come there.
    Standpoint(Probe& probe, Moment moment);

    fmi::Slave& slave() { return session_.slave(); }
    double time() const { return session_.time(); }
    /// The values of a known variable as this object left them.
    std::vector<double> known(std::size_t variable) const;
    /// Throws CallFailed.
    void set(std::size_t variable, const std::vector<double>& values);
    Sample read(const Watch& watch);

  private:
    Probe& probe_;
    Session session_;
};

} // namespace tenon::check
