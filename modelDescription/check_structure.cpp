// Rules about ModelStructure.

#include "modelDescription/check_parts.hpp"
#include "modelDescription/message_text.hpp"
#include "modelDescription/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::fmi {
namespace {

class Structure {
  public:
    explicit Structure(Check& check) : check_(check), variables_(check.description.variables) {
        is_state_.resize(variables_.size());
        for (const Variable& variable : variables_)
            if (variable.derivative_of && *variable.derivative_of < variables_.size())
                is_state_[*variable.derivative_of] = true;
    }

    void check() {
        const Description& d = check_.description;
        const bool bounds = in_bounds("Outputs", d.outputs) & in_bounds("Derivatives", d.derivatives) &
                            in_bounds("InitialUnknowns", d.initial_unknowns);
        if (!bounds)
            return;
        outputs(d.outputs);
        derivatives(d.derivatives);
        initial_unknowns(d);
        for (const auto* list : {&d.outputs, &d.derivatives})
            for (const Unknown& unknown : *list)
                dependencies(unknown, false);
        for (const Unknown& unknown : d.initial_unknowns)
            dependencies(unknown, true);
    }

  private:
    static std::string place(std::string_view list) {
        return fmt::format("modelDescription.xml ModelStructure/{}", list);
    }

    bool in_bounds(std::string_view list, const std::vector<Unknown>& unknowns) {
        const auto exists = [&](std::size_t variable) { return variable < variables_.size(); };
        for (const Unknown& unknown : unknowns)
            if (!exists(unknown.variable) ||
                (unknown.dependencies && !std::ranges::all_of(*unknown.dependencies, exists))) {
                check_.report(
                    "structure-bounds", place(list),
                    fmt::format("a variable beyond the last is named (there are {})", variables_.size()));
                return false;
            }
        return true;
    }

    std::vector<int> count(const std::vector<Unknown>& unknowns) const {
        std::vector<int> counts(variables_.size());
        for (const Unknown& unknown : unknowns)
            ++counts[unknown.variable];
        return counts;
    }

    void outputs(const std::vector<Unknown>& unknowns) {
        const std::vector<int> counts = count(unknowns);
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const bool output = variables_[i].causality == Causality::output;
            if (counts[i] != (output ? 1 : 0))
                check_.report("outputs", variables_[i],
                              fmt::format("it is {} output, but Outputs lists it {} times",
                                          output ? "an" : "no", counts[i]));
        }
    }

    void derivatives(const std::vector<Unknown>& unknowns) {
        const std::vector<int> counts = count(unknowns);
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const Variable& variable = variables_[i];
            if (counts[i] == 0)
                continue;
            if (!variable.derivative_of || counts[i] > 1)
                check_.report("derivatives", variable,
                              fmt::format("Derivatives lists it {} times, and it has {}derivative attribute",
                                          counts[i], variable.derivative_of ? "a " : "no "));
            if (!variable.derivative_of || *variable.derivative_of >= variables_.size())
                continue;
            const Variable& state = variables_[*variable.derivative_of];
            if (state.causality != Causality::local && state.causality != Causality::output)
                check_.report(
                    "state-causality", state,
                    fmt::format("it is a continuous state, but has causality {}", word(state.causality)));
        }
    }

    void initial_unknowns(const Description& d) {
        enum Need : char { no, may, must };
        std::vector<Need> needs(variables_.size(), no);
        const auto is_unknown = [](const Variable& v) {
            return v.initial == Initial::approx || v.initial == Initial::calculated;
        };
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const Variable& variable = variables_[i];
            if (variable.causality == Causality::calculated_parameter ||
                (variable.causality == Causality::output && is_unknown(variable)))
                needs[i] = variable.clocked ? may : must;
        }
        for (const Unknown& unknown : d.derivatives)
            for (const std::size_t i :
                 {unknown.variable, variables_[unknown.variable].derivative_of.value_or(unknown.variable)})
                if (i < variables_.size() && is_unknown(variables_[i]) && needs[i] == no)
                    needs[i] = variables_[i].clocked ? may : must;
        const std::vector<int> counts = count(d.initial_unknowns);
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const bool right = counts[i] == 0 ? needs[i] != must : counts[i] == 1 && needs[i] != no;
            if (!right)
                check_.report("initial-unknowns", variables_[i],
                              fmt::format("InitialUnknowns lists it {} times, and should {}", counts[i],
                                          needs[i] == no ? "not" : "once"));
        }
        if (check_.fmi2 && !std::ranges::is_sorted(d.initial_unknowns, {}, &Unknown::variable))
            check_.report("initial-unknowns-order", place("InitialUnknowns"),
                          "they are not in ascending order");
    }

    bool is_known(std::size_t i, bool initially) const {
        const Variable& variable = variables_[i];
        if (variable.causality == Causality::input || variable.causality == Causality::independent ||
            variable.type == Type::clock)
            return true;
        if (initially)
            return variable.initial == Initial::exact;
        if (is_state_[i])
            return true;
        if (check_.fmi2)
            return false;
        // Parameters, and discrete variables that may be states; constants too: nothing says they may not be named.
        return variable.variability != Variability::continuous;
    }

    void dependencies(const Unknown& unknown, bool initially) {
        const Variable& variable = variables_[unknown.variable];
        if (!unknown.kinds.empty() &&
            (!unknown.dependencies || unknown.kinds.size() != unknown.dependencies->size()))
            check_.report("dependencies-kind-count", variable,
                          fmt::format("{} kinds of {} dependencies", unknown.kinds.size(),
                                      unknown.dependencies ? unknown.dependencies->size() : 0));
        if (!unknown.dependencies)
            return;
        const std::vector<std::size_t>& list = *unknown.dependencies;
        order_of_dependencies(variable, list);
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (!is_known(list[k], initially))
                check_.report(initially ? "dependencies-known-initially" : "dependencies-known", variable,
                              fmt::format("it depends on {}, which is not known {}",
                                          quoted(variables_[list[k]].name),
                                          initially ? "at the start" : "when it is computed"),
                              initially ? "inputs, exact variables and the independent variable are"
                                        : "inputs, states and the independent variable are");
            if (k < unknown.kinds.size())
                kind_of_dependency(variable, variables_[list[k]], unknown.kinds[k], initially);
        }
    }

    void order_of_dependencies(const Variable& variable, const std::vector<std::size_t>& list) {
        if (check_.fmi2 && !std::ranges::is_sorted(list))
            check_.report("dependencies-order", variable, "its dependencies are not in ascending order");
        std::vector<std::size_t> sorted = list;
        std::ranges::sort(sorted);
        const auto twice = std::ranges::adjacent_find(sorted);
        if (twice != sorted.end())
            check_.report(
                "dependencies-duplicate", variable,
                fmt::format("its dependency on {} is listed twice", quoted(variables_[*twice].name)));
    }

    void kind_of_dependency(const Variable& unknown, const Variable& known, std::string_view kind,
                            bool initially) {
        const bool word = std::ranges::find(dependency_kind_words, kind) != dependency_kind_words.end();
        const bool linear = kind != "dependent";
        const auto report = [&](std::string_view rule, std::string_view why) {
            check_.report(
                rule, unknown,
                fmt::format("its dependency on {} is {}, {}", quoted(known.name), quoted(kind), why));
        };
        if (!word)
            report("dependencies-kind", fmt::format("not one of {}", fmt::join(dependency_kind_words, " ")));
        else if (linear && (!is_float(unknown.type) || !is_float(known.type)))
            report("dependencies-kind-float", "but they are not both floats");
        else if (initially && linear && kind != "constant")
            report("dependencies-kind", "but initial unknowns have dependent or constant");
    }

    Check& check_;
    const std::vector<Variable>& variables_;
    std::vector<bool> is_state_;
};

} // namespace

void check_structure(Check& check) { Structure(check).check(); }

} // namespace tenon::fmi
