#pragma once
// The parts of the reader, by subject and version.

#include "modelDescription/description.hpp"
#include "modelDescription/position_index.hpp"
#include "modelDescription/words.hpp"
#include "modelDescription/xml_file.hpp"

#include <array>
#include <functional>
#include <string_view>

namespace tenon::fmi {

inline constexpr std::size_t variables_limit = 1'000'000;

/// The enumerator that attribute `key` names, `fallback` where it is absent.
template <typename Enumeration, std::size_t size>
Enumeration read_word(const Element& element, const char* key,
                      const std::array<std::string_view, size>& words, Enumeration fallback) {
    if (!element.has(key))
        return fallback;
    const auto found = from_word<Enumeration>(words, trimmed(element.view(key)));
    if (!found || words[static_cast<std::size_t>(*found)].empty())
        element.refuse(fmt::format("{} is {}; it must be one of {}", key, quoted(element.view(key)),
                                   fmt::join(words, " ")));
    return *found;
}

// ---- both versions -------------------------------------------------------------------------------------------------

void read_capabilities(const Element& root, Description& description);
void read_units(const Element& root, Description& description);

/// quantity, unit, displayUnit, relativeQuantity, min, max, nominal, as far as the type has them.
void read_quantity(const Element& element, Version version, TypeDefinition& type);
void read_quantity(const Element& element, Version version, Variable& variable);
void read_items(const Element& element, Version version, TypeDefinition& type);

/// Names of types, for inherit().
Index<std::string_view> index_of(const std::vector<TypeDefinition>& types);

/// name, valueReference, description, causality, variability, initial, with their defaults, and the line.
/// `variable.type` is known already.
void read_variable_head(const Element& element, Version version, Variable& variable);
/// declaredType and what the type says where the variable does not; the unit of time.
void read_type_of_variable(const Element& element, const std::vector<TypeDefinition>& types,
                           const Index<std::string_view>& names, Variable& variable);

/// The values in the start attribute, all of them.
Start read_start(const Element& element, Version version, Type type);

/// For so many variables; refuses too many.
void make_room(const Element& list, std::size_t variables, Description& description);

/// Gives the index of the variable that a number in ModelStructure means; nothing, and a note, where there is none.
using Resolve = std::function<std::optional<std::size_t>(const Element&, std::uint32_t)>;
/// Nothing where its variable does not exist. Where the dependencies cannot be used, it depends on everything.
std::optional<Unknown> read_unknown(const Element& element, const char* key, std::size_t variables,
                                    const Resolve& resolve);

/// Refuses when following `edges` (from, to) leads back to where it began. `what` names the edges.
void refuse_cycles(const Element& root, std::vector<std::pair<std::size_t, std::size_t>> edges,
                   const std::vector<Variable>& variables, std::string_view what);

// ---- one version ---------------------------------------------------------------------------------------------------

void read_fmi2(const Element& root, Description& description);
void read_fmi3(const Element& root, Description& description);

/// Dimensions and start values of FMI 3.0, when all variables are known. `elements` belong to `variables`.
void read_arrays(const std::vector<Element>& elements, const Index<std::uint32_t>& references,
                 std::vector<Variable>& variables);

} // namespace tenon::fmi
