#include "tools/system/parameter_connection.hpp"

#include "tools/system/setting_check.hpp"
#include "tools/system/units.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace tenon::system {
namespace {

/// A scalar parameter at one end of a connection.
struct ParameterEnd {
    std::size_t fmu = 0;
    ScalarPlace place;
    auto key() const { return std::tuple(fmu, place.variable, place.element); }
};

std::optional<ParameterEnd> parameter_end(const CheckContext& context, const Endpoint& end) {
    const Selection found = context.indices[end.fmu]->find(end.variable, context.sizes[end.fmu], end.element);
    if (found.unknown || !found.problem.empty() || found.places.size() != 1)
        return {};
    const fmi::Variable& variable = context.indices[end.fmu]->variable(found.places[0].variable);
    using enum fmi::Causality;
    if (variable.causality != parameter && variable.causality != structural_parameter &&
        variable.variability != fmi::Variability::constant)
        return {};
    return ParameterEnd{end.fmu, found.places[0]};
}

/// What is set, or else the start value of the description.
std::optional<SettingValue> value_of(const CheckContext& context, const CheckedSystem& checked,
                                     const ParameterEnd& end) {
    const fmi::Variable& variable = context.indices[end.fmu]->variable(end.place.variable);
    const auto& assignments = checked.assignments[end.fmu];
    const auto assigned =
        std::ranges::find(assignments, end.place.variable, &CheckedSystem::Assignment::variable);
    const fmi::Start& start = assigned == assignments.end() ? variable.start : assigned->values;
    return std::visit(
        [&]<class Values>(const Values& values) -> std::optional<SettingValue> {
            if constexpr (!std::is_same_v<Values, std::monostate>) {
                if (end.place.element >= values.size())
                    return {};
                const auto& value = values[end.place.element];
                if constexpr (std::is_same_v<Values, std::vector<std::int64_t>>)
                    return variable.type == fmi::Type::boolean ? SettingValue(value != 0)
                                                               : SettingValue(value);
                else if constexpr (std::is_same_v<Values, std::vector<std::uint64_t>>)
                    return SettingValue(static_cast<std::int64_t>(value));
                else
                    return SettingValue(value);
            }
            return {};
        },
        start);
}

Setting setting_of(const CheckContext& context, const Connection& connection, const ParameterEnd& from,
                   SettingValue value) {
    Setting setting;
    setting.variable = connection.to.variable;
    setting.value = std::move(value);
    setting.line = connection.line;
    setting.source = connection.source;
    setting.convert_units = connection.convert_units;
    const fmi::Unit unit = context.indices[from.fmu]->unit(from.place.variable);
    setting.unit = unit.name;
    setting.base = unit.base;
    Linear linear;
    for (const Passage& passage : connection.passages)
        linear = linear.then({passage.factor, passage.offset});
    linear = linear.then({connection.factor, connection.offset});
    setting.factor = linear.factor;
    setting.offset = linear.offset;
    return setting;
}

} // namespace

void apply_parameter_connections(CheckContext& context, CheckedSystem& checked) {
    struct Open {
        std::size_t connection;
        ParameterEnd from, to;
    };
    std::vector<Open> open;
    System& system = checked.system;
    for (std::size_t i = 0; system.ssp && i < system.connections.size(); ++i) {
        const Connection& connection = system.connections[i];
        if (connection.of_terminals || !connection.map.empty() || connection.to.element)
            continue;
        const auto from = parameter_end(context, connection.from), to = parameter_end(context, connection.to);
        if (from && to)
            open.push_back({i, *from, *to});
    }
    // Each after those that feed its source.
    std::set<std::size_t> done;
    for (bool progress = true; progress && !open.empty();) {
        progress = false;
        for (std::size_t i = 0; i < open.size(); ++i) {
            const Open one = open[i];
            const bool waits = std::ranges::any_of(
                open, [&](const Open& other) { return other.to.key() == one.from.key(); });
            const std::optional<SettingValue> value =
                waits ? std::nullopt : value_of(context, checked, one.from);
            if (!value)
                continue;
            system.fmus[one.to.fmu].set.push_back(
                setting_of(context, system.connections[one.connection], one.from, *value));
            std::vector<std::string> said_before;
            checked.assignments[one.to.fmu] = check_settings(context, one.to.fmu, said_before);
            done.insert(one.connection);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(i--));
            progress = true;
        }
    }
    std::vector<Connection> left;
    for (std::size_t i = 0; i < system.connections.size(); ++i)
        if (!done.contains(i))
            left.push_back(std::move(system.connections[i]));
    system.connections = std::move(left);
}

} // namespace tenon::system
