// Types, variables and structure of FMI 2.0. References are positions from 1.

#include "modelDescription/reader_parts.hpp"

namespace tenon::fmi {
namespace {

constexpr std::array fmi2_types{Type::float64, Type::int32, Type::boolean, Type::string, Type::enumeration};

/// The child that says the type, and the type; refuses an element without.
std::pair<Element, Type> typed_child(const Element& element) {
    for (const Type type : fmi2_types)
        if (const Element child = element.child(fmi2_word(type).data()))
            return {child, type};
    element.refuse("none of Real, Integer, Boolean, String, Enumeration is in it");
}

void read_types2(const Element& root, Description& description) {
    root.child("TypeDefinitions").each("SimpleType", [&](const Element& element) {
        const auto [typed, type] = typed_child(element);
        TypeDefinition& definition = description.types.emplace_back();
        definition.type = type;
        definition.name = element.text("name");
        definition.description = element.text("description");
        read_quantity(typed, Version::fmi2, definition);
        read_items(typed, Version::fmi2, definition);
    });
}

/// Nothing, and a note, where there is no such variable.
std::optional<std::size_t> position(const Element& element, std::uint32_t index, std::size_t variables) {
    if (index > 0 && index <= variables)
        return index - 1;
    element.note(
        "structure-bounds",
        fmt::format("there is no variable number {} (limits 1 and {}); it is left out", index, variables));
    return {};
}

void require_single_start(const Element& element, Variable& variable) {
    const bool single = std::visit(
        []<typename Values>(const Values& values) {
            if constexpr (std::is_same_v<Values, std::monostate>)
                return true;
            else
                return values.size() == 1;
        },
        variable.start);
    if (single)
        return;
    element.note("start-count", "start has not one value, as a variable of FMI 2.0 has; it is left out");
    variable.start = {};
}

void read_variables2(const Element& root, Description& description) {
    const Index<std::string_view> types = index_of(description.types);
    const Element list = root.only_child("ModelVariables");
    std::size_t count = 0;
    list.each("ScalarVariable", [&](const Element&) { ++count; });
    make_room(list, count, description);
    std::vector<std::pair<Element, std::size_t>> derivatives;
    list.each("ScalarVariable", [&](const Element& element) {
        const auto [typed, type] = typed_child(element);
        Variable& variable = description.variables.emplace_back();
        variable.type = type;
        read_variable_head(element, Version::fmi2, variable);
        read_quantity(typed, Version::fmi2, variable);
        read_type_of_variable(typed, description.types, types, variable);
        variable.start = read_start(typed, Version::fmi2, type);
        require_single_start(typed, variable);
        if (type == Type::float64 && typed.has("derivative"))
            derivatives.emplace_back(typed, description.variables.size() - 1);
    });
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (const auto& [typed, variable] : derivatives) {
        const std::optional<std::size_t> state =
            position(typed, typed.required<std::uint32_t>("derivative"), description.variables.size());
        description.variables[variable].derivative_of = state;
        if (state)
            edges.emplace_back(variable, *state);
    }
    refuse_cycles(root, std::move(edges), description.variables, "derivatives");
}

std::vector<Unknown> read_unknowns(const Element& structure, const char* tag, std::size_t variables) {
    const Resolve resolve = [&](const Element& element, std::uint32_t index) {
        return position(element, index, variables);
    };
    std::vector<Unknown> unknowns;
    structure.child(tag).each("Unknown", [&](const Element& element) {
        if (std::optional<Unknown> unknown = read_unknown(element, "index", variables, resolve))
            unknowns.push_back(std::move(*unknown));
    });
    return unknowns;
}

} // namespace

void read_fmi2(const Element& root, Description& description) {
    read_types2(root, description);
    read_variables2(root, description);
    const Element structure = root.only_child("ModelStructure");
    const std::size_t variables = description.variables.size();
    description.outputs = read_unknowns(structure, "Outputs", variables);
    description.derivatives = read_unknowns(structure, "Derivatives", variables);
    description.initial_unknowns = read_unknowns(structure, "InitialUnknowns", variables);
}

} // namespace tenon::fmi
