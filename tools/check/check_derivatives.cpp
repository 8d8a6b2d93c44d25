// Directional derivatives against differences, adjoint derivatives against directional ones.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/standpoint.hpp"

#include <cmath>
#include <random>
#include <set>

namespace tenon::check {
namespace {

constexpr std::size_t most_knowns = 40; ///< elements that are varied, at each moment
constexpr double tolerance = 1e-6;
/// Steps of the differences, relative to the scale of the variable: large ones suffer from curvature, small ones from
/// rounding and from the tolerances of iterations. Two that agree are right.
constexpr std::array<double, 4> relative_steps = {1e-3, 1e-4, 1e-5, 1e-6};

bool differentiable(const fmi::Variable& variable) {
    return variable.type == fmi::Type::float64 && !variable.clocked;
}

/// Central differences of several values by one number, and how far to trust each.
struct Slopes {
    std::vector<double> slope, doubt;
};

Slopes choose(const std::vector<std::vector<double>>& candidates) {
    Slopes chosen;
    for (std::size_t i = 0; i < candidates.front().size(); ++i) {
        double slope = 0, doubt = INFINITY;
        for (std::size_t k = 0; k + 1 < candidates.size(); ++k)
            if (const double gap = std::abs(candidates[k][i] - candidates[k + 1][i]); gap < doubt) {
                slope = candidates[k + 1][i];
                doubt = gap;
            }
        chosen.slope.push_back(slope);
        chosen.doubt.push_back(doubt);
    }
    return chosen;
}

/// Compares at one moment, known by known.
class DerivativeProbe {
  public:
    DerivativeProbe(Probe& probe, Moment moment) : probe_(probe), moment_(moment) {}

    void run() {
        std::size_t elements = 0;
        for (const std::size_t known : knowns_at(probe_.description(), moment_)) {
            const fmi::Variable& variable = probe_.description().variables[known];
            const std::vector<std::size_t> unknowns = dependents(known);
            if (!differentiable(variable) || unknowns.empty())
                continue;
            const Watch watch(probe_.description(), unknowns);
            for (std::size_t element = 0; element < variable.elements() && elements < most_knowns;
                 ++element, ++elements)
                compare(known, element, unknowns, watch);
        }
        if (refused_ > 0)
            probe_.note("derivatives", fmt::format("{} of {} known values could not be varied in {}",
                                                   refused_, elements, moment_name(moment_)));
        if (elements == 0)
            probe_.note("derivatives",
                        fmt::format("no declared dependency to compare in {}", moment_name(moment_)));
        else if (!reacted_ && !all_zero_)
            probe_.note(
                "derivatives",
                fmt::format(
                    "outputs do not follow inputs in {} without a step; derivatives were not compared",
                    moment_name(moment_)));
        else
            report();
    }

  private:
    struct Mismatch {
        std::string unknown, known;
        double derivative = 0, difference = 0, excess = 0;
        bool by_parameter = false;
    };

    std::vector<std::size_t> dependents(std::size_t known) const {
        std::vector<std::size_t> list;
        for (const fmi::Unknown& unknown : unknowns_at(probe_.description(), moment_)) {
            // Without a declaration everything may depend on everything: inputs are worth a try, parameters are not.
            const bool declared = unknown.dependencies.has_value() ||
                                  probe_.description().variables[known].causality == fmi::Causality::input;
            if (declared && depends_on(unknown, known) &&
                differentiable(probe_.description().variables[unknown.variable]))
                list.push_back(unknown.variable);
        }
        return list;
    }

    std::vector<double> values_with(std::size_t known, std::vector<double> values, std::size_t element,
                                    double change, const Watch& watch) {
        values[element] += change;
        standpoint_->set(known, values);
        return watch.floats(standpoint_->read(watch));
    }

    Slopes differences(std::size_t known, std::size_t element, const Watch& watch) {
        const std::vector<double> values = standpoint_->known(known);
        const double scale = scale_of(probe_.description().variables[known]);
        std::vector<std::vector<double>> candidates;
        for (const double relative : relative_steps) {
            const double step = relative * scale;
            const auto above = values_with(known, values, element, step, watch);
            const auto below = values_with(known, values, element, -step, watch);
            std::vector<double>& slopes = candidates.emplace_back();
            for (std::size_t i = 0; i < above.size(); ++i)
                slopes.push_back((above[i] - below[i]) / (2 * step));
        }
        standpoint_->set(known, values);
        return choose(candidates);
    }

    std::vector<double> derivatives(std::size_t known, std::size_t element,
                                    const std::vector<std::size_t>& unknowns, std::size_t size) {
        const auto& variables = probe_.description().variables;
        std::vector<fmi::Reference> references;
        for (const std::size_t unknown : unknowns)
            references.push_back(variables[unknown].reference);
        std::vector<double> seed(variables[known].elements()), sensitivity(size);
        seed[element] = 1;
        probe_.require(standpoint_->slave().directional_derivative(
            references, std::span(&variables[known].reference, 1), seed, sensitivity));
        return sensitivity;
    }

    void compare(std::size_t known, std::size_t element, const std::vector<std::size_t>& unknowns,
                 const Watch& watch) {
        if (!standpoint_)
            standpoint_.emplace(probe_, moment_);
        const std::vector<double> here = watch.floats(standpoint_->read(watch));
        const std::vector<double> exact = derivatives(known, element, unknowns, here.size());
        Slopes slopes;
        try {
            slopes = differences(known, element, watch);
        } catch (const CallFailed&) {
            standpoint_.reset(); // an instance that has failed is good for nothing more
            ++refused_;
            return;
        }
        const fmi::Variable& variable = probe_.description().variables[known];
        const double scale = scale_of(variable);
        double largest = 0; // what else reacts: beside it, rounding is no reaction
        for (std::size_t i = 0; i < here.size(); ++i)
            largest = std::max({largest, std::abs(exact[i]), std::abs(slopes.slope[i])});
        for (std::size_t i = 0; i < here.size(); ++i) {
            const double size = std::max(std::abs(exact[i]), std::abs(slopes.slope[i]));
            const double rounding = 1e-9 * std::abs(here[i]) / scale; // of the smallest of the steps
            const double limit = tolerance * size + rounding + 10 * slopes.doubt[i] + 1e-8 * largest + 1e-12;
            const double error = std::abs(exact[i] - slopes.slope[i]);
            reacted_ = reacted_ || slopes.slope[i] != 0;
            all_zero_ = all_zero_ && exact[i] == 0;
            if (!(error <= limit))
                mismatches_.push_back({watch.float_names()[i],
                                       variable.dimensions.empty()
                                           ? variable.name
                                           : fmt::format("{}[{}]", variable.name, element + 1),
                                       exact[i], slopes.slope[i], error / std::max(limit, 1e-300),
                                       variable.causality == fmi::Causality::parameter});
        }
    }

    /// The worst of each kind. Masters use derivatives by inputs and states; by parameters only optimisers do.
    void report() {
        for (const bool by_parameter : {false, true}) {
            std::vector<Mismatch> list;
            std::copy_if(mismatches_.begin(), mismatches_.end(), std::back_inserter(list),
                         [&](const Mismatch& m) { return m.by_parameter == by_parameter; });
            if (list.empty())
                continue;
            const Mismatch& worst =
                *std::max_element(list.begin(), list.end(),
                                  [](const Mismatch& a, const Mismatch& b) { return a.excess < b.excess; });
            probe_.report(
                {by_parameter ? fmi::Severity::warning : fmi::Severity::error, "derivative-wrong",
                 "derivatives",
                 fmt::format("d {} / d {} in {} is {:.9g}, but differences give {:.9g}{}", worst.unknown,
                             worst.known, moment_name(moment_), worst.derivative, worst.difference,
                             list.size() > 1 ? fmt::format(" ({} derivatives are wrong)", list.size())
                                             : std::string()),
                 by_parameter ? "derivatives by parameters that the dependencies list belong to the promise"
                              : "derivatives are taken at the current point, with the current inputs"});
        }
    }

    Probe& probe_;
    Moment moment_;
    std::optional<Standpoint> standpoint_;
    std::size_t refused_ = 0;
    std::vector<Mismatch> mismatches_;
    bool reacted_ = false, all_zero_ = true;
};

// ---- all at once ---------------------------------------------------------------------------------------------------

/// The outputs that depend on inputs, and those inputs, of type float64: for derivatives of all by all.
struct Interface {
    std::vector<fmi::Reference> unknowns, knowns;
    std::size_t unknown_elements = 0, known_elements = 0;

    bool empty() const { return unknowns.empty() || knowns.empty(); }
};

Interface interface_of(const fmi::Description& description) {
    Interface all;
    const auto& variables = description.variables;
    std::set<std::size_t> unknowns, knowns;
    for (std::size_t input = 0; input < variables.size(); ++input)
        for (const fmi::Unknown& unknown : description.outputs)
            if (variables[input].causality == fmi::Causality::input && differentiable(variables[input]) &&
                differentiable(variables[unknown.variable]) && depends_on(unknown, input)) {
                knowns.insert(input);
                unknowns.insert(unknown.variable);
            }
    for (const std::size_t i : unknowns) {
        all.unknowns.push_back(variables[i].reference);
        all.unknown_elements += variables[i].elements();
    }
    for (const std::size_t i : knowns) {
        all.knowns.push_back(variables[i].reference);
        all.known_elements += variables[i].elements();
    }
    return all;
}

std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::minstd_rand generator(seed); // NOLINT: the same numbers every time
    std::uniform_real_distribution<double> numbers(-1, 1);
    std::vector<double> list(count);
    for (double& number : list)
        number = numbers(generator);
    return list;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

double size_of(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

/// w . (J v) = (J' w) . v for any v and w.
void compare_adjoint(Probe& probe, Moment moment) {
    const Interface all = interface_of(probe.description());
    if (all.empty())
        return;
    Standpoint standpoint(probe, moment);
    const std::vector<double> v = random_numbers(all.known_elements, 1),
                              w = random_numbers(all.unknown_elements, 2);
    std::vector<double> jv(all.unknown_elements), jtw(all.known_elements);
    probe.require(standpoint.slave().directional_derivative(all.unknowns, all.knowns, v, jv));
    probe.require(standpoint.slave().adjoint_derivative(all.unknowns, all.knowns, w, jtw));
    const double forward = dot(w, jv), backward = dot(jtw, v);
    const double scale = std::max(size_of(w) * size_of(jv), size_of(v) * size_of(jtw));
    if (!(std::abs(forward - backward) <= 1e-9 * scale))
        probe.error("adjoint-wrong",
                    fmt::format("w.(J v) = {:.9g} but (J'w).v = {:.9g} in {}", forward, backward,
                                moment_name(moment)),
                    "directional and adjoint derivatives are those of the same matrix J");
}

/// A run in which derivatives are asked for before every step must be the run without them.
void look_for_side_effects(Probe& probe) {
    const Interface all = interface_of(probe.description());
    if (all.empty())
        return;
    Session plain(probe);
    plain.initialize();
    const Trajectory expected = plain.run(probe.experiment().steps);
    Session session(probe);
    session.initialize();
    const std::vector<double> v = random_numbers(all.known_elements, 1);
    std::vector<double> jv(all.unknown_elements);
    Trajectory found{session.sample()};
    for (int i = 0; i < probe.experiment().steps; ++i) {
        probe.require(session.slave().directional_derivative(all.unknowns, all.knowns, v, jv));
        session.step();
        found.push_back(session.sample());
    }
    expect_same(probe, session.watch(), expected, found,
                {"derivative-side-effect",
                 "a run in which derivatives are asked for differs from one without",
                 "asking for derivatives must leave the state as it is"});
}

} // namespace

void check_directional_derivatives(Runner& runner) {
    runner.in_child([](Probe& probe) { DerivativeProbe(probe, Moment::initialization).run(); });
    runner.in_child([](Probe& probe) { DerivativeProbe(probe, Moment::stepping).run(); });
    runner.in_child(look_for_side_effects);
}

void check_adjoint_derivatives(Runner& runner) {
    runner.in_child([](Probe& probe) {
        compare_adjoint(probe, Moment::initialization);
        compare_adjoint(probe, Moment::stepping);
    });
}

} // namespace tenon::check
