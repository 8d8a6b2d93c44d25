// Rules about what a variable is: causality, variability, initial, derivative, clocks.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/standard.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::fmi {
namespace {

void continuous_is_float(Check& check, const Variable& variable) {
    if (variable.variability == Variability::continuous && !is_float(variable.type))
        check.report("variability-continuous", variable,
                     fmt::format("a {} is continuous", word(variable.type)),
                     check.fmi2 ? "FMI 2.0 takes it as continuous where variability is not given" : "");
}

void causality_and_variability(Check& check, const Variable& variable) {
    if (!is_legal(variable.causality, variable.variability))
        check.report("causality-variability", variable,
                     fmt::format("causality {} does not go with variability {}", word(variable.causality),
                                 word(variable.variability)));
}

void initial(Check& check, const Variable& variable) {
    if (!is_legal(variable.causality, variable.variability))
        return; // said already
    if (!is_legal(check.description.version, variable.type, variable.causality, variable.variability,
                  variable.initial))
        check.report(
            "initial", variable,
            fmt::format("initial {} does not go with causality {} and variability {}",
                        variable.initial == Initial::none ? "(none)" : quoted(word(variable.initial)),
                        word(variable.causality), word(variable.variability)));
}

void independent_is_float(Check& check, const Variable& variable) {
    if (variable.causality == Causality::independent &&
        (!is_float(variable.type) || !variable.dimensions.empty()))
        check.report("independent-type", variable,
                     fmt::format("it is {} {}", variable.dimensions.empty() ? "a" : "an array of",
                                 word(variable.type)));
}

void intermediate_update(Check& check, const Variable& variable) {
    if (variable.intermediate_update && variable.variability != Variability::continuous)
        check.report("intermediate-update", variable,
                     fmt::format("intermediateUpdate is true, but it is {}", word(variable.variability)));
}

void clock_interval(Check& check, const Variable& variable) {
    const std::string& interval = variable.interval_variability;
    const bool known = std::ranges::find(interval_words, interval) != interval_words.end();
    if (variable.type == Type::clock ? !known : !interval.empty())
        check.report("clock-interval", variable, fmt::format("intervalVariability is {}", quoted(interval)),
                     fmt::format("clocks have one of {}", fmt::join(interval_words, " ")));
}

void clock_causality(Check& check, const Variable& variable) {
    if (variable.type != Type::clock)
        return;
    const bool legal = variable.causality == Causality::input ||
                       (variable.interval_variability == "triggered" &&
                        (variable.causality == Causality::output || variable.causality == Causality::local));
    if (!legal)
        check.report("clock-causality", variable,
                     fmt::format("a clock that is {} has causality {}", quoted(variable.interval_variability),
                                 word(variable.causality)));
}

bool same_shape(const Variable& a, const Variable& b) {
    return std::ranges::equal(a.dimensions, b.dimensions, {}, &Dimension::size, &Dimension::size);
}

void derivative(Check& check, const Variable& variable) {
    if (!variable.derivative_of)
        return;
    const std::vector<Variable>& variables = check.description.variables;
    const auto report = [&](const std::string& what) { check.report("derivative", variable, what); };
    if (*variable.derivative_of >= variables.size())
        return report(fmt::format("it is the derivative of variable {} of {}", *variable.derivative_of,
                                  variables.size()));
    const Variable& state = variables[*variable.derivative_of];
    const auto is_continuous = [](const Variable& v) {
        return is_float(v.type) && v.variability == Variability::continuous;
    };
    if (&state == &variable)
        report("it is the derivative of itself");
    else if (!is_continuous(variable) || !is_continuous(state))
        report(fmt::format("it or {}, which it is the derivative of, is not a continuous float",
                           quoted(state.name)));
    else if (!same_shape(variable, state))
        report(
            fmt::format("it has another shape than {}, which it is the derivative of", quoted(state.name)));
}

void one_independent(Check& check) {
    const auto count =
        std::ranges::count(check.description.variables, Causality::independent, &Variable::causality);
    if (count > 1 || (count == 0 && !check.fmi2))
        check.report("independent", "modelDescription.xml ModelVariables",
                     fmt::format("{} variables have causality independent", count),
                     count == 0 ? "FMI 3.0 asks for time to be one of the variables" : "");
}

constexpr void (*variable_rules[])(Check&, const Variable&) = {
    continuous_is_float, causality_and_variability, initial,    independent_is_float, intermediate_update,
    clock_interval,      clock_causality,           derivative, check_start};

} // namespace

void check_variables(Check& check) {
    one_independent(check);
    const std::vector<Variable>& variables = check.description.variables;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        for (const auto rule : variable_rules)
            rule(check, variables[i]);
        check_arrays(check, i);
    }
}

} // namespace tenon::fmi
