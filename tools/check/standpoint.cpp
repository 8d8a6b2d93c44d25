#include "tools/check/standpoint.hpp"

#include <algorithm>

namespace tenon::check {
namespace {

constexpr int steps_before = 3;

bool is_number(const fmi::Variable& variable) {
    return element_size(variable.type) > 0 && variable.type != fmi::Type::clock && !variable.clocked;
}

} // namespace

std::string_view moment_name(Moment moment) {
    return moment == Moment::initialization ? "initialization mode" : "step mode";
}

const std::vector<fmi::Unknown>& unknowns_at(const fmi::Description& description, Moment moment) {
    return moment == Moment::initialization ? description.initial_unknowns : description.outputs;
}

bool depends_on(const fmi::Unknown& unknown, std::size_t known) {
    return !unknown.dependencies || std::find(unknown.dependencies->begin(), unknown.dependencies->end(),
                                              known) != unknown.dependencies->end();
}

std::vector<std::size_t> knowns_at(const fmi::Description& description, Moment moment) {
    std::vector<std::size_t> knowns;
    for (std::size_t i = 0; i < description.variables.size(); ++i) {
        const fmi::Variable& v = description.variables[i];
        const bool exact = moment == Moment::initialization && v.initial == fmi::Initial::exact &&
                           v.variability != fmi::Variability::constant &&
                           v.causality != fmi::Causality::structural_parameter;
        if (is_number(v) && (v.causality == fmi::Causality::input || exact))
            knowns.push_back(i);
    }
    return knowns;
}

// Inputs rest: what reacts, reacts to the one variable that is changed.
Standpoint::Standpoint(Probe& probe, Moment moment)
    : probe_(probe),
      session_(probe,
               {.excited = false,
                .event_mode = moment == Moment::stepping && probe.description().capabilities.event_mode}) {
    session_.enter();
    if (moment == Moment::initialization)
        return;
    session_.leave();
    session_.run(std::min(steps_before, probe.experiment().steps));
    if (probe.description().capabilities.event_mode)
        probe.require(session_.slave().enter_event_mode());
}

std::vector<double> Standpoint::known(std::size_t variable) const {
    return start_numbers(probe_.description().variables[variable]);
}

void Standpoint::set(std::size_t variable, const std::vector<double>& values) {
    probe_.require(set_numbers(slave(), probe_.description().variables[variable], values));
}

Sample Standpoint::read(const Watch& watch) {
    Sample sample;
    probe_.require(watch.read(slave(), time(), sample));
    return sample;
}

} // namespace tenon::check
