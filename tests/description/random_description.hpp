#pragma once
// Descriptions that nobody would write, but that are as FMI allows: all types, all attributes, the numbers at the ends of
// their ranges, and texts that XML has to escape.

#include "modelDescription/description.hpp"
#include "modelDescription/standard.hpp"
#include "modelDescription/words.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace tenon::fmi {

class RandomDescription {
  public:
    explicit RandomDescription(unsigned seed) : random_(seed) {}

    Description make(Version version) {
        d_ = {};
        d_.version = version;
        root();
        for (std::uint64_t i = 0, n = below(4); i < n; ++i)
            d_.units.push_back(unit(i));
        for (std::uint64_t i = 0, n = below(6); i < n; ++i)
            d_.types.push_back(type(i));
        for (std::uint64_t i = 0, n = 1 + below(40); i < n; ++i)
            d_.variables.push_back(variable(i));
        structure(d_.outputs);
        structure(d_.derivatives);
        structure(d_.initial_unknowns);
        for (std::uint64_t i = 0, n = below(3); i < n; ++i)
            d_.terminals.push_back(terminal(3));
        return d_;
    }

  private:
    std::uint64_t below(std::uint64_t n) { return n == 0 ? 0 : random_() % n; }
    bool maybe() { return below(2) == 0; }

    std::string text() {
        static const std::vector<std::string> parts{"a",
                                                    "B",
                                                    " ",
                                                    "&",
                                                    "<",
                                                    ">",
                                                    "\"",
                                                    "'",
                                                    "\t",
                                                    "\n",
                                                    "\r",
                                                    "\xc3\xa4",
                                                    "\xe2\x82\xac",
                                                    "\xf0\x9f\x98\x80",
                                                    "&#10;",
                                                    "]]>"};
        std::string result;
        for (std::uint64_t i = 0, n = below(8); i < n; ++i)
            result += parts[below(parts.size())];
        return result;
    }
    std::string name(std::uint64_t i) { return "n" + std::to_string(i) + text(); }

    /// Any finite double but -0, which is a default value where 0 is one.
    double real() {
        for (;;) {
            const auto value = std::bit_cast<double>(random_());
            if (std::isfinite(value))
                return maybe() ? value : std::round(std::fmod(value, 1e6)) + 0.0;
        }
    }
    double single() { return static_cast<double>(static_cast<float>(std::fmod(real(), 1e30))); }
    std::optional<double> optional_real() { return maybe() ? std::optional(real()) : std::nullopt; }

    void root() {
        d_.model_name = text();
        d_.token = text();
        d_.description = text();
        d_.author = text();
        d_.model_version = text();
        d_.copyright = text();
        d_.license = text();
        d_.generation_tool = text();
        d_.generation_time = text();
        d_.naming_convention = maybe() ? "flat" : "structured";
        d_.has_co_simulation = true;
        Capabilities& can = d_.capabilities;
        can.model_identifier = "model_" + std::to_string(below(100));
        for (bool* flag : {&can.needs_execution_tool, &can.only_once_per_process, &can.get_and_set_state,
                           &can.serialize_state, &can.directional_derivatives, &can.variable_step})
            *flag = maybe();
        can.max_output_derivative_order = static_cast<int>(below(4));
        if (d_.version == Version::fmi2) {
            for (bool* flag : {&can.no_memory_management, &can.interpolates_inputs, &can.runs_asynchronously})
                *flag = maybe();
        } else {
            for (bool* flag :
                 {&can.adjoint_derivatives, &can.per_element_dependencies, &can.intermediate_update,
                  &can.might_return_early, &can.return_early_after_intermediate_update, &can.event_mode,
                  &can.evaluate_discrete_states})
                *flag = maybe();
            can.fixed_internal_step = optional_real();
            can.intermediate_input_smoothness = static_cast<int>(below(5)) - 2;
        }
        for (std::uint64_t i = 0, n = below(3); i < n; ++i)
            d_.log_categories.push_back({name(i), text()});
        d_.experiment = {optional_real(), optional_real(), optional_real(), optional_real()};
    }

    double factor() {
        const double value = real();
        return value == 0 || maybe() ? 1 : value;
    }

    Unit unit(std::uint64_t i) {
        Unit u;
        u.name = name(i);
        if (maybe()) {
            u.base.emplace();
            for (int& exponent : u.base->exponents)
                exponent = maybe() ? 0 : static_cast<int>(below(256)) - 128;
            u.base->factor = factor();
            u.base->offset = maybe() ? 0 : real();
        }
        for (std::uint64_t k = 0, n = below(3); k < n; ++k)
            u.display_units.push_back(
                {name(k), factor(), maybe() ? 0 : real(), d_.version == Version::fmi3 && maybe()});
        return u;
    }

    Type any_type() {
        for (;;) {
            const auto type = static_cast<Type>(below(type_words.size()));
            if (d_.version == Version::fmi3 || !fmi2_word(type).empty())
                return type;
        }
    }

    std::optional<double> bound(Type type) {
        if (maybe())
            return {};
        if (type == Type::float64)
            return real();
        if (type == Type::float32)
            return single();
        const IntegerRange range = integer_range(d_.version, type);
        switch (below(3)) {
        case 0:
            return static_cast<double>(range.lowest);
        case 1:
            return static_cast<double>(range.largest);
        default:
            return static_cast<double>(below(100));
        }
    }

    template <typename Quantity> void quantity(Quantity& q) {
        if (!is_float(q.type) && !is_signed(q.type) && !is_unsigned(q.type))
            return;
        q.quantity = text();
        q.min = bound(q.type);
        q.max = bound(q.type);
        if (!is_float(q.type))
            return;
        q.unit = text();
        q.display_unit = text();
        q.relative_quantity = maybe();
        q.nominal = bound(q.type);
    }

    TypeDefinition type(std::uint64_t i) {
        TypeDefinition t;
        do
            t.type = any_type();
        while (t.type == Type::clock);
        t.name = name(i);
        t.description = text();
        quantity(t);
        if (t.type != Type::enumeration)
            return t;
        if (d_.version == Version::fmi2)
            t.min = t.max = {};
        for (std::uint64_t k = 0, n = 1 + below(3); k < n; ++k)
            t.items.push_back({name(k), static_cast<std::int64_t>(k) - 1, text()});
        return t;
    }

    Start start(Type type, std::uint64_t n) {
        const auto values = [&](auto value) {
            std::vector<decltype(value())> result;
            for (std::uint64_t i = 0; i < n; ++i)
                result.push_back(value());
            return result;
        };
        const IntegerRange range = integer_range(d_.version, type);
        if (type == Type::float64)
            return values([&] { return below(8) == 0 ? -0.0 : real(); });
        if (type == Type::float32)
            return values([&] { return single(); });
        if (type == Type::boolean)
            return values([&] { return static_cast<std::int64_t>(below(2)); });
        if (is_signed(type))
            return values([&] {
                return maybe() ? range.lowest
                               : static_cast<std::int64_t>(below(2) ? range.largest : below(100));
            });
        if (is_unsigned(type))
            return values([&] { return maybe() ? range.largest : below(100); });
        if (type == Type::binary)
            return values([&] { return std::string(below(4), static_cast<char>(below(256))); });
        return values([&] { return text(); });
    }

    void dimensions(Variable& v) {
        for (std::uint64_t k = 0, n = below(3); k < n; ++k) {
            Dimension dimension{1 + below(3), {}};
            for (std::size_t i = 0; i < d_.variables.size(); ++i)
                if (d_.variables[i].causality == Causality::structural_parameter && maybe()) {
                    dimension.variable = i;
                    dimension.size = std::get<std::vector<std::uint64_t>>(d_.variables[i].start).front();
                }
            v.dimensions.push_back(dimension);
        }
    }

    Variable variable(std::uint64_t i) {
        Variable v;
        v.name = name(i);
        v.reference = static_cast<std::uint32_t>(4294967295u - 7 * i);
        v.description = text();
        v.type = any_type();
        if (d_.version == Version::fmi3 && below(8) == 0) {
            v.type = Type::uint64;
            v.causality = Causality::structural_parameter;
            v.variability = maybe() ? Variability::fixed : Variability::tunable;
            v.initial = Initial::exact;
            v.start = std::vector<std::uint64_t>{1 + below(4)};
            return v;
        }
        do {
            v.causality = static_cast<Causality>(1 + below(6));
            v.variability = static_cast<Variability>(below(5));
        } while (!is_legal(v.causality, v.variability));
        do
            v.initial = static_cast<Initial>(below(4));
        while (!is_legal(d_.version, v.type, v.causality, v.variability, v.initial));
        value(v);
        return v;
    }

    /// What depends on the type.
    void value(Variable& v) {
        quantity(v);
        for (const TypeDefinition& t : d_.types)
            if (t.type == v.type && maybe()) {
                v.declared_type = t.name;
                v.unit = t.unit;
                v.display_unit = t.display_unit;
                v.quantity = t.quantity;
                v.min = v.min ? v.min : t.min;
                v.max = t.max;
                v.nominal = t.nominal;
            }
        if (v.causality == Causality::independent && is_float(v.type) && v.unit.empty())
            v.unit = "s";
        if (v.type == Type::clock)
            v.interval_variability = interval_words[1 + below(5)];
        if (is_float(v.type) && !d_.variables.empty() && maybe())
            v.derivative_of = below(d_.variables.size());
        if (d_.version == Version::fmi3) {
            if (v.type != Type::clock) {
                dimensions(v);
                v.intermediate_update = maybe();
            }
            for (std::uint64_t k = 0, n = below(3); k < n; ++k)
                v.aliases.push_back({name(k), text(), is_float(v.type) ? text() : ""});
        }
        if (v.type != Type::clock && maybe())
            v.start = start(v.type, v.elements());
    }

    void structure(std::vector<Unknown>& unknowns) {
        for (std::size_t i = 0; i < d_.variables.size(); ++i) {
            if (maybe())
                continue;
            Unknown unknown{i, {}, {}};
            if (maybe()) {
                unknown.dependencies.emplace();
                for (std::size_t k = 0; k < d_.variables.size(); ++k)
                    if (below(4) == 0)
                        unknown.dependencies->push_back(k);
                if (maybe())
                    for (std::size_t k = 0; k < unknown.dependencies->size(); ++k)
                        unknown.kinds.emplace_back(dependency_kind_words[below(5)]);
            }
            unknowns.push_back(unknown);
        }
    }

    Terminal terminal(int depth) {
        Terminal t;
        t.name = text();
        t.matching_rule = text();
        t.kind = text();
        t.description = text();
        for (std::uint64_t i = 0, n = below(4); i < n; ++i)
            t.members.push_back({text(), text(), text()});
        for (std::uint64_t i = 0, n = depth > 0 ? below(3) : 0; i < n; ++i)
            t.terminals.push_back(terminal(depth - 1));
        if (maybe()) {
            t.icon = "icon" + text();
            t.icon_box = {real(), real(), real(), real()};
        }
        return t;
    }

    std::mt19937_64 random_;
    Description d_;
};

} // namespace tenon::fmi
