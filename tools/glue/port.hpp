#pragma once
// A port of an FMU: which of the FMU's values are its motion, its efforts, its accelerations. Every port has six coordinates here;
// of a flange only the first is used.

#include "core/ports/port_joint.hpp"
#include "tools/system/system.hpp"
#include "tools/system/terminals.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon::glue {

constexpr int port_coordinates = 6;

struct Port {
    std::size_t fmu = 0;
    std::string terminal;
    system::PortKind kind = system::PortKind::frame;
    bool own_axes = false; ///< a frame of Modelica (system::PortCheck)
    std::vector<system::ScalarPlace> motion, effort;
    std::vector<system::ScalarPlace> acceleration; ///< as many as efforts, or none
    std::vector<system::ScalarPlace> inverse_mass; ///< aux.Minv, row major; or none
    std::optional<system::ScalarPlace> work;       ///< aux.work

    int coordinates() const { return kind == system::PortKind::frame ? 6 : 1; }
};

/// A joint of the system, checked by check_system, as the core takes it.
PortJointSpec spec_of(const system::GlueJoint& joint);

/// The motion of the world as a side of `joint`: at rest at its key `at`, or else where the other port starts, with its axes.
PortMotion world_side(const system::GlueJoint& joint, const PortMotion& other);

/// `side` is one of an FMU, checked by check_system.
Port find_port(const system::CheckedSystem& system, const system::Side& side);

/// Some values of one FMU that are got with one call, or set.
class ValueSet {
  public:
    /// Index of the value in `values`.
    std::size_t add(const system::CheckedSystem& system, std::size_t fmu, const system::ScalarPlace& place);

    std::vector<fmi::Reference> references; ///< variables, arrays as a whole
    std::vector<double> values;             ///< all their elements

  private:
    std::vector<std::pair<std::size_t, std::size_t>> variables_; ///< index of the variable, its first value
};

} // namespace tenon::glue
