// Types, variables and structure of FMI 3.0. References are value references.

#include "modelDescription/reader_parts.hpp"

namespace tenon::fmi {
namespace {

void read_types3(const Element& root, Description& description) {
    constexpr std::string_view ending = "Type";
    root.child("TypeDefinitions").each([&](const Element& element) {
        std::string_view tag = element.tag();
        if (!tag.ends_with(ending))
            return;
        tag.remove_suffix(ending.size());
        const auto type = from_word<Type>(type_words, tag);
        if (!type)
            return;
        TypeDefinition& definition = description.types.emplace_back();
        definition.type = *type;
        definition.name = element.text("name");
        definition.description = element.text("description");
        read_quantity(element, Version::fmi3, definition);
        read_items(element, Version::fmi3, definition);
    });
}

Variable read_variable(const Element& element, const std::vector<TypeDefinition>& types,
                       const Index<std::string_view>& names) {
    Variable variable;
    const Type type = variable.type = from_word<Type>(type_words, element.tag()).value();
    read_variable_head(element, Version::fmi3, variable);
    read_quantity(element, Version::fmi3, variable);
    read_type_of_variable(element, types, names, variable);
    variable.intermediate_update = element.flag("intermediateUpdate");
    variable.clocked = element.has("clocks");
    if (type == Type::clock)
        variable.interval_variability = element.text("intervalVariability");
    element.each("Alias", [&](const Element& alias) {
        variable.aliases.push_back(
            {alias.text("name"), alias.text("description"), is_float(type) ? alias.text("displayUnit") : ""});
    });
    return variable;
}

std::size_t resolve(const Element& element, const Index<std::uint32_t>& references, std::uint32_t reference) {
    const auto found = references.find(reference);
    if (!found)
        element.refuse(fmt::format("there is no variable with value reference {}", reference));
    return *found;
}

void read_derivatives(const Element& root, const std::vector<Element>& elements,
                      const Index<std::uint32_t>& references, std::vector<Variable>& variables) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (!is_float(variables[i].type) || !elements[i].has("derivative"))
            continue;
        const auto reference = elements[i].required<std::uint32_t>("derivative");
        variables[i].derivative_of = resolve(elements[i], references, reference);
        edges.emplace_back(i, *variables[i].derivative_of);
    }
    refuse_cycles(root, std::move(edges), variables, "derivatives");
}

/// Clocks that variables name, all together; a list of them takes little text and much memory.
constexpr std::size_t clock_links_limit = 1'000'000;

void check_clocks(const Element& root, const std::vector<Element>& elements,
                  const Index<std::uint32_t>& references, const std::vector<Variable>& variables) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        std::string_view list = elements[i].view("clocks");
        for (std::string_view word = next_word(list); !word.empty(); word = next_word(list)) {
            if (edges.size() == clock_links_limit)
                elements[i].refuse(fmt::format("too many clocks of variables (limit {})", clock_links_limit));
            const auto reference = elements[i].number<std::uint32_t>("clocks", word);
            edges.emplace_back(i, resolve(elements[i], references, reference));
        }
    }
    refuse_cycles(root, std::move(edges), variables, "clocks");
}

Index<std::uint32_t> read_variables3(const Element& root, Description& description) {
    const Index<std::string_view> types = index_of(description.types);
    const Element list = root.only_child("ModelVariables");
    std::vector<Element> elements;
    list.each([&](const Element& element) {
        if (from_word<Type>(type_words, element.tag()))
            elements.push_back(element);
    });
    make_room(list, elements.size(), description);
    Index<std::uint32_t> references;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        description.variables.push_back(read_variable(elements[i], description.types, types));
        references.add(description.variables[i].reference, i);
    }
    references.finish();
    read_derivatives(root, elements, references, description.variables);
    check_clocks(root, elements, references, description.variables);
    read_arrays(elements, references, description.variables);
    return references;
}

} // namespace

void read_fmi3(const Element& root, Description& description) {
    read_types3(root, description);
    const Index<std::uint32_t> references = read_variables3(root, description);
    const Resolve resolve_reference = [&](const Element& element, std::uint32_t reference) {
        const std::optional<std::size_t> found = references.find(reference);
        if (!found)
            element.note(
                "structure-bounds",
                fmt::format("there is no variable with value reference {}; it is left out", reference));
        return found;
    };
    const Element structure = root.only_child("ModelStructure");
    const auto read_unknowns = [&](const char* tag, std::vector<Unknown>& unknowns) {
        structure.each(tag, [&](const Element& element) {
            if (std::optional<Unknown> unknown =
                    read_unknown(element, "valueReference", description.variables.size(), resolve_reference))
                unknowns.push_back(std::move(*unknown));
        });
    };
    read_unknowns("Output", description.outputs);
    read_unknowns("ContinuousStateDerivative", description.derivatives);
    read_unknowns("InitialUnknown", description.initial_unknowns);
}

} // namespace tenon::fmi
