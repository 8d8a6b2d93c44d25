#pragma once
// What springs have in common besides their numbers: laws of spring and damper, and stops.

#include "core/model/forces/force_types.hpp"
#include "core/model/spring_laws.hpp"

namespace tenon::forces {

/// Units of a law of the spring, of one of the damper, and of a stop.
struct SpringUnits {
    std::string_view spring, damper, stop;
};

/// The keys spring, damper, bump_stop and rebound_stop, or springs, dampers, .. with six of each.
void add_spring_keys(std::vector<Key>& keys, bool six, const SpringUnits& units);

/// Laws and stops, where there are any, for a load whose `free` is set.
void add_laws(MeasureLoad& load, const Law& spring, const Law& damper, std::optional<Stop> bump,
              std::optional<Stop> rebound);
/// Those of the force's keys.
void add_laws(MeasureLoad& load, const Force& force);

/// Refuses laws that a spring or damper cannot have, a bump stop above the rebound stop, and a spring that is none.
void check_spring_keys(const Element& element, const Force& force);
void check_six_spring_keys(const Element& element, const Force& force);

} // namespace tenon::forces
