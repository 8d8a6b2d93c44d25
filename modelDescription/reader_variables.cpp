// What the variables of FMI 2.0 and 3.0 have in common, and the unknowns of ModelStructure.

#include "modelDescription/reader_parts.hpp"
#include "modelDescription/standard.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>

namespace tenon::fmi {
namespace {

template <typename Value, typename Read> std::vector<Value> read_list(std::string_view list, Read read) {
    std::vector<Value> values;
    for (std::string_view word = next_word(list); !word.empty(); word = next_word(list))
        values.push_back(static_cast<Value>(read(word)));
    return values;
}

/// None, and a note, where the type cannot hold one of them: the FMU has start values of its own.
template <typename Value, typename Parsed> Start read_numbers(const Element& element) {
    std::vector<Value> values;
    std::string_view list = element.view("start");
    for (std::string_view word = next_word(list); !word.empty(); word = next_word(list)) {
        Parsed value{};
        double real = 0;
        if (parse_number(word, value) == Parse::good)
            values.push_back(static_cast<Value>(value));
        else if (std::floating_point<Parsed> && is_not_finite(word)) {
            element.note("start-finite", fmt::format("start has {}; it is left out", quoted(word)));
            return {};
        } else if (std::integral<Parsed> && parse_number(word, real) == Parse::good &&
                   real == std::trunc(real) && std::abs(real) < 2147483648.0 &&
                   (!std::unsigned_integral<Parsed> || real >= 0) &&
                   real <= static_cast<double>(std::numeric_limits<Parsed>::max()) &&
                   real >= static_cast<double>(std::numeric_limits<Parsed>::lowest())) {
            element.note("start-type", fmt::format("start has {} in place of a whole number", quoted(word)));
            values.push_back(static_cast<Value>(real));
        } else
            element.number<Parsed>("start", word); // refuses it
    }
    return values;
}

} // namespace

void make_room(const Element& list, std::size_t variables, Description& description) {
    if (variables > variables_limit)
        list.refuse(fmt::format("too many variables ({}, limit {})", variables, variables_limit));
    description.variables.reserve(variables);
}

void read_variable_head(const Element& element, Version version, Variable& variable) {
    variable.line = element.line();
    variable.name = element.text("name");
    variable.reference = element.required<std::uint32_t>("valueReference");
    variable.description = element.text("description");
    variable.causality = read_word(element, "causality", causality_words, Causality::local);
    variable.variability = read_word(element, "variability", variability_words,
                                     default_variability(version, variable.type, variable.causality));
    variable.initial = read_word(element, "initial", initial_words, default_initial(version, variable));
}

Start read_start(const Element& element, Version version, Type type) {
    if (!element.has("start"))
        return {};
    switch (type) {
    case Type::float32:
        return read_numbers<double, float>(element);
    case Type::float64:
        return read_numbers<double, double>(element);
    case Type::int8:
        return read_numbers<std::int64_t, std::int8_t>(element);
    case Type::int16:
        return read_numbers<std::int64_t, std::int16_t>(element);
    case Type::int32:
        return read_numbers<std::int64_t, std::int32_t>(element);
    case Type::int64:
        return read_numbers<std::int64_t, std::int64_t>(element);
    case Type::uint8:
        return read_numbers<std::uint64_t, std::uint8_t>(element);
    case Type::uint16:
        return read_numbers<std::uint64_t, std::uint16_t>(element);
    case Type::uint32:
        return read_numbers<std::uint64_t, std::uint32_t>(element);
    case Type::uint64:
        return read_numbers<std::uint64_t, std::uint64_t>(element);
    case Type::enumeration:
        return version == Version::fmi2 ? read_numbers<std::int64_t, std::int32_t>(element)
                                        : read_numbers<std::int64_t, std::int64_t>(element);
    case Type::boolean:
        return read_list<std::int64_t>(element.view("start"),
                                       [&](std::string_view word) { return element.boolean("start", word); });
    case Type::string: // of FMI 2.0
        return std::vector<std::string>{element.text("start")};
    case Type::binary:
    case Type::clock:
        break;
    }
    return {};
}

std::optional<Unknown> read_unknown(const Element& element, const char* key, std::size_t variables,
                                    const Resolve& resolve) {
    const std::optional<std::size_t> variable = resolve(element, element.required<std::uint32_t>(key));
    if (!variable)
        return {};
    Unknown unknown;
    unknown.variable = *variable;
    bool usable = true;
    if (element.has("dependencies")) {
        std::vector<std::size_t>& known = unknown.dependencies.emplace();
        std::string_view list = element.view("dependencies");
        for (std::string_view word = next_word(list); !word.empty() && usable; word = next_word(list)) {
            const std::optional<std::size_t> found =
                resolve(element, element.number<std::uint32_t>("dependencies", word));
            usable = found.has_value();
            known.push_back(found.value_or(0));
            if (known.size() > variables) {
                element.note("dependencies-count",
                             fmt::format("more dependencies than there are variables ({})", variables));
                usable = false;
            }
        }
    }
    std::string_view kinds = element.view("dependenciesKind");
    for (std::string_view word = next_word(kinds); !word.empty() && usable; word = next_word(kinds)) {
        if (std::ranges::find(dependency_kind_words, word) == dependency_kind_words.end()) {
            element.note("dependencies-kind",
                         fmt::format("dependenciesKind has {}; it must be one of {}", quoted(word),
                                     fmt::join(dependency_kind_words, " ")));
            unknown.kinds.clear();
            break;
        }
        unknown.kinds.emplace_back(word);
        usable = unknown.kinds.size() <= variables;
    }
    if (!usable) {
        unknown.dependencies.reset();
        unknown.kinds.clear();
    }
    return unknown;
}

void refuse_cycles(const Element& root, std::vector<std::pair<std::size_t, std::size_t>> edges,
                   const std::vector<Variable>& variables, std::string_view what) {
    std::sort(edges.begin(), edges.end());
    const auto first_edge = [&](std::size_t from) {
        return std::lower_bound(edges.begin(), edges.end(), std::pair(from, std::size_t{0}));
    };
    std::vector<bool> finished(variables.size()), on_path(variables.size());
    struct Visit {
        std::size_t variable;
        decltype(edges.begin()) edge;
    };
    std::vector<Visit> path; // depth-first, without recursion
    const auto enter = [&](std::size_t variable) {
        on_path[variable] = true;
        path.push_back({variable, first_edge(variable)});
    };
    for (const auto& [start, unused] : edges) {
        if (!finished[start])
            enter(start);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.edge == edges.end() || visit.edge->first != visit.variable) {
                finished[visit.variable] = true;
                on_path[visit.variable] = false;
                path.pop_back();
                continue;
            }
            const std::size_t next = (visit.edge++)->second;
            if (on_path[next]) {
                std::string cycle;
                for (auto step = std::ranges::find(path, next, &Visit::variable); step != path.end(); ++step)
                    cycle += quoted(variables[step->variable].name) + " -> ";
                throw DescriptionError(variables[next].line,
                                       fmt::format("{}: {} go round in a circle: {}{}", root.tag(), what,
                                                   cycle, quoted(variables[next].name)));
            }
            if (!finished[next])
                enter(next);
        }
    }
}

} // namespace tenon::fmi
