#include "core/model/forces/spring_keys.hpp"

namespace tenon::forces {
namespace {

using FaultOf = std::optional<std::string> (*)(const Law&);

void check_law(const Element& element, const std::string& key, const Law& law, FaultOf fault_of) {
    if (const auto fault = fault_of(law))
        element.refuse(key + " " + *fault, key);
}

/// `suffix` is that of one of six.
void check_order(const Element& element, const std::string& suffix, const std::optional<Stop>& bump,
                 const std::optional<Stop>& rebound) {
    const std::string below = "bump_stop" + suffix, above = "rebound_stop" + suffix;
    if (bump && rebound && bump->at > rebound->at)
        element.refuse(below + " must not lie above " + above + " (at = " + digits(bump->at) + " and " +
                           digits(rebound->at) + "): it acts below its `at`, the other above",
                       below);
}

} // namespace

void add_spring_keys(std::vector<Key>& keys, bool six, const SpringUnits& units) {
    using enum ValueType;
    const ValueType law_type = six ? six_laws : law, stop_type = six ? six_stops : stop;
    const std::string_view none = "none";
    keys.push_back({.name = six ? "springs" : "spring",
                    .type = law_type,
                    .unit = units.spring,
                    .fallback = none,
                    .meaning = six ? "laws that add to the stiffness, in the same order"
                                   : "a law that adds to the stiffness: effort over elongation"});
    keys.push_back({.name = six ? "dampers" : "damper",
                    .type = law_type,
                    .unit = units.damper,
                    .fallback = none,
                    .meaning = six ? "laws that add to the damping, in the same order"
                                   : "a law that adds to the damping: effort over speed"});
    keys.push_back({.name = six ? "bump_stops" : "bump_stop",
                    .type = stop_type,
                    .unit = units.stop,
                    .fallback = none,
                    .meaning = six ? "stops below, in the same order" : "a stop that acts below its `at`",
                    .parameter = six ? "" : "bump stop"});
    keys.push_back({.name = six ? "rebound_stops" : "rebound_stop",
                    .type = stop_type,
                    .unit = units.stop,
                    .fallback = none,
                    .meaning = six ? "stops above, in the same order" : "a stop that acts above its `at`",
                    .parameter = six ? "" : "rebound stop"});
}

void add_laws(MeasureLoad& load, const Law& spring, const Law& damper, std::optional<Stop> bump,
              std::optional<Stop> rebound) {
    if (!spring.empty() || !damper.empty() || bump || rebound)
        load.law = std::make_unique<SpringLaws>(load.free, spring, damper, bump, rebound);
}

void add_laws(MeasureLoad& load, const Force& force) {
    add_laws(load, force.law("spring"), force.law("damper"), force.stop("bump_stop"),
             force.stop("rebound_stop"));
}

void check_spring_keys(const Element& element, const Force& force) {
    if (force.has("spring"))
        check_law(element, "spring", force.law("spring"), fault_of_spring);
    if (force.has("damper"))
        check_law(element, "damper", force.law("damper"), fault_of_damper);
    check_order(element, "", force.stop("bump_stop"), force.stop("rebound_stop"));
}

void check_six_spring_keys(const Element& element, const Force& force) {
    const std::vector<Law> springs = force.six_laws("springs"), dampers = force.six_laws("dampers");
    const auto bumps = force.six_stops("bump_stops"), rebounds = force.six_stops("rebound_stops");
    for (std::size_t i = 0; i < 6; ++i) {
        const std::string number = "[" + std::to_string(i + 1) + "]";
        if (!springs[i].empty())
            check_law(element, "springs" + number, springs[i], fault_of_spring);
        if (!dampers[i].empty())
            check_law(element, "dampers" + number, dampers[i], fault_of_damper);
        check_order(element, "s" + number, bumps[i], rebounds[i]);
    }
}

} // namespace tenon::forces
