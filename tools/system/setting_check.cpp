#include "tools/system/setting_check.hpp"

#include "core/model/suggest.hpp"
#include "tools/system/setting_value.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tenon::system {
namespace {

bool settable(const fmi::Variable& variable) {
    using enum fmi::Causality;
    if (variable.variability == fmi::Variability::constant || variable.causality == independent)
        return false;
    if (variable.causality == parameter || variable.causality == structural_parameter ||
        variable.causality == input)
        return true;
    return variable.initial == fmi::Initial::exact || variable.initial == fmi::Initial::approx;
}

bool is_structural(const fmi::Variable& variable) {
    return variable.causality == fmi::Causality::structural_parameter;
}

class SettingCheck {
  public:
    SettingCheck(CheckContext& context, std::size_t fmu, std::vector<std::string>& remarks)
        : system_(context.system), fmu_(context.system.fmus[fmu]), index_(*context.indices[fmu]),
          sizes_(context.sizes[fmu]), remarks_(remarks) {}

    std::vector<CheckedSystem::Assignment> run() {
        // Sizes first: they decide how many values an array takes.
        for (const bool structural : {true, false})
            for (const Setting& setting : fmu_.set)
                apply(setting, structural);
        std::vector<CheckedSystem::Assignment> result;
        for (auto& [variable, values] : values_)
            result.push_back({variable, std::move(values)});
        std::stable_partition(result.begin(), result.end(), [&](const CheckedSystem::Assignment& a) {
            return is_structural(index_.variable(a.variable));
        });
        return result;
    }

  private:
    [[noreturn]] void refuse_setting(const Setting& setting, const std::string& what) const {
        refuse(system_, setting, fmt::format("fmu '{}': {}", printable(fmu_.name), what));
    }

    void apply(const Setting& setting, bool structural) {
        const Selection selection = index_.find(setting.variable, sizes_);
        if (selection.unknown)
            return structural ? unknown(setting) : void();
        const bool is_size =
            !selection.places.empty() && is_structural(index_.variable(selection.places.front().variable));
        if (is_size != structural)
            return;
        if (!selection.problem.empty())
            refuse_setting(setting, selection.problem);
        const std::vector<SettingScalar> scalars = scalars_of(setting.value);
        if (scalars.size() != selection.places.size())
            refuse_setting(setting, fmt::format("'{}' takes {} value{} ({} given)",
                                                printable(setting.variable), selection.places.size(),
                                                selection.places.size() == 1 ? "" : "s", scalars.size()));
        for (std::size_t i = 0; i < scalars.size(); ++i)
            set(setting, selection.places[i], scalars[i], scalars.size());
    }

    /// "did you mean ...?"; 'mass' is short for 'crank.mass'.
    std::string meant(const std::string& name) const {
        const std::vector<std::string> known = index_.names(settable);
        for (const std::string& longer : known)
            if (longer.ends_with("." + name))
                return fmt::format("did you mean its variable '{0}' ({1}.{0})?", printable(longer),
                                   printable(fmu_.name));
        return suggestion(name, known);
    }

    void unknown(const Setting& setting) {
        if (!setting.optional)
            refuse_setting(setting, fmt::format("there is no variable '{}' to be set; {}",
                                                printable(setting.variable), meant(setting.variable)));
        remarks_.push_back(fmt::format("fmu '{}' has no variable '{}': the parameter has no effect",
                                       printable(fmu_.name), printable(setting.variable)));
    }

    /// `given` is how many values the setting has altogether.
    void set(const Setting& setting, const ScalarPlace& place, const SettingScalar& scalar,
             std::size_t given) {
        const fmi::Variable& variable = index_.variable(place.variable);
        if (!settable(variable))
            refuse_setting(setting, fmt::format("'{}' cannot be set: it is {}", printable(variable.name),
                                                variable.variability == fmi::Variability::constant
                                                    ? "a constant"
                                                    : "calculated by the FMU"));
        const Conversion units = converted(setting, place.variable);
        if (!units.problem.empty())
            refuse_setting(setting, fmt::format("'{}': {}", printable(setting.variable), units.problem));
        const Linear linear = units.linear.then({setting.factor, setting.offset});
        fmi::Start& values = prepared(setting, place.variable, given);
        const std::string problem =
            store(scalar, linear, variable, index_.enumeration(place.variable), place.element, values);
        if (!problem.empty())
            refuse_setting(setting, fmt::format("'{}' {}", printable(setting.variable), problem));
        if (is_structural(variable))
            note_size(setting, place.variable, values);
    }

    Conversion converted(const Setting& setting, std::size_t variable) const {
        if (!setting.convert_units || setting.unit.empty())
            return {};
        // A parameter set may leave it to the FMU what its units mean.
        fmi::Unit given{setting.unit, setting.base, {}};
        if (!given.base)
            for (const fmi::Unit& unit : index_.description().units)
                if (unit.name == given.name)
                    given.base = unit.base;
        return conversion(given, index_.unit(variable), index_.variable(variable).relative_quantity);
    }

    /// The values of the variable so far: those of earlier settings, or its start values.
    fmi::Start& prepared(const Setting& setting, std::size_t variable, std::size_t given) {
        if (const auto place = values_.find(variable); place != values_.end())
            return place->second;
        const std::uint64_t count = element_count(index_.shape(variable, sizes_));
        if (count > element_limit)
            refuse_setting(setting, fmt::format("array '{}' is too large to be set (limit {} elements)",
                                                printable(setting.variable), element_limit));
        std::optional<fmi::Start> start = start_values(index_.variable(variable), count);
        if (!start && given == count)
            start = zeros(index_.variable(variable).type, count);
        if (!start)
            refuse_setting(setting, fmt::format("'{}' has a new size; give all of its {} values",
                                                printable(setting.variable), count));
        return values_.emplace(variable, std::move(*start)).first->second;
    }

    void note_size(const Setting& setting, std::size_t variable, const fmi::Start& values) {
        // Sizes are unsigned in FMI; other structural parameters have no part in them.
        const auto* size = std::get_if<std::vector<std::uint64_t>>(&values);
        if (!size)
            return;
        if (size->front() > element_limit)
            refuse_setting(setting, fmt::format("'{}' is too large for a size ({}, limit {})",
                                                printable(setting.variable), size->front(), element_limit));
        sizes_.insert_or_assign(variable, size->front());
    }

    const System& system_;
    const SystemFmu& fmu_;
    const VariableIndex& index_;
    Sizes& sizes_;
    std::vector<std::string>& remarks_;
    std::map<std::size_t, fmi::Start> values_;
};

} // namespace

std::vector<CheckedSystem::Assignment> check_settings(CheckContext& context, std::size_t fmu,
                                                      std::vector<std::string>& remarks) {
    return SettingCheck(context, fmu, remarks).run();
}

} // namespace tenon::system
