#include "tools/system/wire_check.hpp"

#include "core/math/digits.hpp"
#include "core/model/suggest.hpp"
#include "modelDescription/words.hpp"
#include "tools/system/units.hpp"
#include "tools/system/value_map.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

namespace tenon::system {
namespace {

using fmi::Causality;
using fmi::is_float;
using fmi::Type;

bool is_integer(Type type) {
    return fmi::is_unsigned(type) || (fmi::is_signed(type) && type != Type::enumeration);
}

/// Why a value of `from` does not fit into `to`; empty where it always does.
std::string type_problem(const VariableIndex& from, std::size_t a, const VariableIndex& to, std::size_t b,
                         bool mapped) {
    const Type source = from.variable(a).type, target = to.variable(b).type;
    const std::string both = fmt::format("{} to {}", fmi::word(source), fmi::word(target));
    if (source == Type::clock || target == Type::clock)
        return both + " cannot be connected: clocks have no wires here";
    if (is_float(target))
        return is_float(source) || is_integer(source) ? "" : both + " cannot be connected";
    if (is_integer(source) && is_integer(target)) {
        const fmi::IntegerRange narrow = fmi::integer_range(fmi::Version::fmi3, source),
                                wide = fmi::integer_range(fmi::Version::fmi3, target);
        return narrow.lowest >= wide.lowest && narrow.largest <= wide.largest
                   ? ""
                   : both + " cannot be connected: values may not fit";
    }
    if (source != target)
        return both + " cannot be connected";
    const fmi::TypeDefinition *items = from.enumeration(a), *wanted = to.enumeration(b);
    if (source == Type::enumeration && items && wanted && !mapped)
        for (const fmi::EnumerationItem& item : items->items) {
            const auto same = [&](const fmi::EnumerationItem& other) { return other.value == item.value; };
            if (std::none_of(wanted->items.begin(), wanted->items.end(), same))
                return fmt::format(
                    "enumeration '{}' does not fit into '{}': it has no item with the value {} ('{}')",
                    printable(items->name), printable(wanted->name), item.value, printable(item.name));
        }
    return "";
}

class WireCheck {
  public:
    explicit WireCheck(const CheckContext& context) : context_(context), system_(context.system) {}

    std::vector<CheckedSystem::Wire> run() {
        for (std::size_t i = 0; i < system_.connections.size(); ++i)
            connect(i);
        return std::move(wires_);
    }

  private:
    [[noreturn]] void refuse_connection(const Connection& connection, const std::string& what) const {
        refuse(system_, connection,
               fmt::format("connection from {} to {}: {}",
                           shown(system_, connection.from.fmu, connection.from.variable),
                           shown(system_, connection.to.fmu, connection.to.variable), what));
    }

    bool may_feed(const fmi::Variable& v) const {
        using enum Causality;
        if (v.causality == output)
            return true;
        return system_.ssp && (v.causality == parameter || v.causality == calculated_parameter ||
                               v.causality == structural_parameter || v.causality == local);
    }

    Selection select(const Connection& connection, const Endpoint& end, bool is_target) const {
        const VariableIndex& index = *context_.indices[end.fmu];
        Selection selection = index.find(end.variable, context_.sizes[end.fmu], end.element);
        if (selection.unknown) {
            const auto wanted = [&](const fmi::Variable& v) {
                return is_target ? v.causality == Causality::input : v.causality == Causality::output;
            };
            refuse_connection(connection,
                              fmt::format("fmu '{}' has no variable '{}'; {}",
                                          printable(system_.fmus[end.fmu].name), printable(end.variable),
                                          suggestion(end.variable, index.names(wanted))));
        }
        if (!selection.problem.empty())
            refuse_connection(connection, selection.problem);
        return selection;
    }

    void connect(std::size_t number) {
        const Connection& connection = system_.connections[number];
        const Selection from = select(connection, connection.from, false);
        const Selection to = select(connection, connection.to, true);
        const bool both_single = from.places.size() == 1 && to.places.size() == 1;
        if (from.shape != to.shape && !both_single)
            refuse_connection(connection,
                              fmt::format("the sizes differ ({} against {})",
                                          from.shape.empty() ? "a scalar" : shape_text(from.shape),
                                          to.shape.empty() ? "a scalar" : shape_text(to.shape)));
        if (wires_.size() + from.places.size() > element_limit)
            refuse_connection(connection,
                              fmt::format("the system has too many wires (limit {})", element_limit));
        for (std::size_t i = 0; i < from.places.size(); ++i)
            wires_.push_back(wire(number, from.places[i], to.places[i]));
    }

    CheckedSystem::Wire wire(std::size_t number, const ScalarPlace& from, const ScalarPlace& to) {
        const Connection& connection = system_.connections[number];
        const VariableIndex &source = *context_.indices[connection.from.fmu],
                            &target = *context_.indices[connection.to.fmu];
        check_roles(connection, source.variable(from.variable), target.variable(to.variable));
        check_single_source(number, to);
        const std::string problem =
            type_problem(source, from.variable, target, to.variable, !connection.map.empty());
        if (!problem.empty())
            refuse_connection(connection, problem);
        const Linear linear = transformation(connection, from.variable, to.variable);
        if (!is_float(target.variable(to.variable).type) && !linear.is_identity())
            refuse_connection(connection,
                              fmt::format("a factor, offset or conversion of units needs a float, not {}",
                                          fmi::word(target.variable(to.variable).type)));
        ValueMap map = value_map(connection.map, source, from.variable, target, to.variable);
        if (!map.problem.empty())
            refuse_connection(connection, map.problem);
        return {
            connection.from.fmu, from.variable, from.element, connection.to.fmu,   to.variable, to.element,
            linear.factor,       linear.offset, number,       std::move(map.pairs)};
    }

    void check_roles(const Connection& connection, const fmi::Variable& from, const fmi::Variable& to) const {
        if (may_feed(from) && to.causality == Causality::input)
            return;
        if (from.causality == Causality::input && to.causality == Causality::output)
            refuse_connection(connection,
                              "the ends are the wrong way round; connections go from an output to an input");
        if (to.causality != Causality::input)
            refuse_connection(connection, fmt::format("'{}' is not an input ({})", printable(to.name),
                                                      fmi::word(to.causality)));
        refuse_connection(connection, fmt::format("'{}' is not an output ({})", printable(from.name),
                                                  fmi::word(from.causality)));
    }

    void check_single_source(std::size_t number, const ScalarPlace& to) {
        const Connection& connection = system_.connections[number];
        const auto [place, is_new] =
            sources_.emplace(std::tuple(connection.to.fmu, to.variable, to.element), number);
        if (is_new)
            return;
        const Connection& first = system_.connections[place->second];
        refuse_connection(connection,
                          fmt::format("the input has two sources: this one and {} (line {})",
                                      shown(system_, first.from.fmu, first.from.variable), first.line));
    }

    /// All conversions and factors on the way, as one.
    Linear transformation(const Connection& connection, std::size_t from, std::size_t to) const {
        const VariableIndex &source = *context_.indices[connection.from.fmu],
                            &target = *context_.indices[connection.to.fmu];
        const bool relative =
            source.variable(from).relative_quantity || target.variable(to).relative_quantity;
        fmi::Unit unit = known(source.unit(from), connection.from_unit);
        Linear result;
        const auto convert = [&](const fmi::Unit& next, bool wanted) {
            if (wanted && is_float(target.variable(to).type)) {
                const Conversion step = conversion(unit, next, relative);
                if (!step.problem.empty())
                    refuse_connection(connection, step.problem + unit_hint(step.turns));
                result = result.then(step.linear);
            }
            if (!next.name.empty())
                unit = next;
        };
        for (const Passage& passage : connection.passages) {
            if (passage.unit)
                convert(*passage.unit, passage.convert_units);
            result = result.then({passage.factor, passage.offset});
        }
        convert(known(target.unit(to), connection.to_unit), connection.convert_units);
        result = result.then({connection.factor, connection.offset});
        if (!std::isfinite(result.factor) || !std::isfinite(result.offset))
            refuse_connection(connection, "the factors on the way are too large together");
        return result;
    }

    std::string unit_hint(const std::optional<double>& turns) const {
        const std::string suppress =
            system_.ssp ? "suppressUnitConversion = \"true\"" : "suppress_unit_conversion = true";
        return turns ? "; if turns are meant, " + suppress + " with factor = " + digits(*turns)
                     : "; " + suppress + " passes the number on as it is";
    }

    static const fmi::Unit& known(const fmi::Unit& own, const std::optional<fmi::Unit>& given) {
        return own.name.empty() && given ? *given : own;
    }

    const CheckContext& context_;
    const System& system_;
    std::vector<CheckedSystem::Wire> wires_;
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t>
        sources_; ///< of inputs: the connection
};

} // namespace

std::vector<CheckedSystem::Wire> check_connections(const CheckContext& context) {
    return WireCheck(context).run();
}

} // namespace tenon::system
