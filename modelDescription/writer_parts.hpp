#pragma once
// The parts of the writer, by subject and version.

#include "modelDescription/description.hpp"
#include "modelDescription/position_index.hpp"
#include "modelDescription/xml_writer.hpp"

#include <string_view>

namespace tenon::fmi {

/// What the writing of variables needs besides the variable.
struct WriterContext {
    const Description& description;
    Index<std::string_view> types, units;
};

/// quantity, unit, displayUnit, relativeQuantity, min, max, nominal.
void write_quantity(XmlWriter& xml, Version version, const TypeDefinition& type);
/// The same and declaredType, but only what the declared type does not say already.
void write_quantity(XmlWriter& xml, const WriterContext& context, const Variable& variable);
void write_items(XmlWriter& xml, const TypeDefinition& type);

/// name, valueReference, description, causality, variability, initial. The variability of FMI 2.0 is always written.
void write_variable_head(XmlWriter& xml, Version version, const Variable& variable);

/// The start attribute. Strings and binaries of FMI 3.0 are elements, and not written here.
void write_start(XmlWriter& xml, Version version, const Variable& variable);

/// The dependenciesKind attribute.
void write_kinds(XmlWriter& xml, const Unknown& unknown);

void write_fmi2(XmlWriter& xml, const WriterContext& context);
void write_fmi3(XmlWriter& xml, const WriterContext& context);

/// Throws std::invalid_argument: why the description cannot be written.
[[noreturn]] void cannot_write(std::string_view what, std::string_view name, std::string_view why);
void check_position(const Description& description, std::size_t variable);

} // namespace tenon::fmi
