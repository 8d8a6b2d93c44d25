// Declared dependencies against a probe: what reacts to a change without a step must be declared as dependent.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/standpoint.hpp"

#include <cmath>
#include <map>

namespace tenon::check {
namespace {

constexpr std::size_t most_probes = 300; ///< variables that are changed, at each moment
constexpr double relative_change = 1e-3;
constexpr std::size_t most_reported = 10; ///< reactions that are told one by one

/// Other values, near the first ones and within the limits of the variable.
std::vector<double> changed(const fmi::Variable& variable, std::vector<double> values) {
    const bool real = is_float(variable.type);
    const double step = real ? relative_change * scale_of(variable) : 1;
    for (double& value : values) {
        const bool up = variable.type == fmi::Type::boolean ? value == 0
                                                            : value + step <= variable.max.value_or(INFINITY);
        value += up ? step : -step;
    }
    return values;
}

/// The unknowns whose reactions can be judged, since they declare what they depend on; by their variables.
std::map<std::size_t, const fmi::Unknown*> judged(const std::vector<fmi::Unknown>& unknowns) {
    std::map<std::size_t, const fmi::Unknown*> list;
    for (const fmi::Unknown& unknown : unknowns)
        if (unknown.dependencies)
            list[unknown.variable] = &unknown;
    return list;
}

std::vector<std::size_t> variables_of(const std::map<std::size_t, const fmi::Unknown*>& unknowns) {
    std::vector<std::size_t> list;
    for (const auto& [variable, unknown] : unknowns)
        list.push_back(variable);
    return list;
}

class DependencyProbe {
  public:
    DependencyProbe(Probe& probe, Moment moment)
        : probe_(probe), moment_(moment), unknowns_(judged(unknowns_at(probe.description(), moment))),
          watch_(probe.description(), variables_of(unknowns_)) {}

    void run() {
        if (unknowns_.empty())
            return;
        std::size_t refused = 0, probes = 0;
        for (const std::size_t known : knowns_at(probe_.description(), moment_)) {
            if (probes == most_probes)
                break;
            ++probes;
            try {
                change(known);
            } catch (const CallFailed&) {
                standpoint_.reset(); // an instance that has failed is good for nothing more
                ++refused;
            }
        }
        if (undeclared_ > most_reported)
            probe_.error("dependency-undeclared",
                         fmt::format("{} more such reactions in {}", undeclared_ - most_reported,
                                     moment_name(moment_)));
        if (refused > 0)
            probe_.note("dependencies", fmt::format("{} of {} variables could not be changed in {}", refused,
                                                    probes, moment_name(moment_)));
    }

  private:
    void change(std::size_t known) {
        if (!standpoint_) {
            standpoint_.emplace(probe_, moment_);
            before_ = standpoint_->read(watch_);
        }
        const std::vector<double> values = standpoint_->known(known);
        const fmi::Variable& variable = probe_.description().variables[known];
        standpoint_->set(known, changed(variable, values));
        const Sample after = standpoint_->read(watch_);
        for (const Watch::Change& reaction : watch_.changes(before_, after, unknowns_.size()))
            if (!depends_on(*unknowns_.at(reaction.variable), known) && ++undeclared_ <= most_reported)
                report(reaction, variable);
        standpoint_->set(known, values);
        before_ = standpoint_->read(watch_); // not always what it was: rounding, iterations
    }

    void report(const Watch::Change& reaction, const fmi::Variable& known) {
        probe_.error("dependency-undeclared",
                     fmt::format("{} reacts to {} in {}, which its dependencies do not list: {}",
                                 probe_.description().variables[reaction.variable].name, known.name,
                                 moment_name(moment_), reaction.text),
                     moment_ == Moment::initialization ? "complete the dependencies in InitialUnknowns"
                                                       : "complete the dependencies of the output");
    }

    Probe& probe_;
    Moment moment_;
    std::map<std::size_t, const fmi::Unknown*> unknowns_;
    Watch watch_;
    std::optional<Standpoint> standpoint_;
    Sample before_;
    std::size_t undeclared_ = 0;
};

} // namespace

void check_dependencies(Runner& runner) {
    for (const Moment moment : {Moment::initialization, Moment::stepping})
        runner.in_child([moment](Probe& probe) { DependencyProbe(probe, moment).run(); });
}

} // namespace tenon::check
