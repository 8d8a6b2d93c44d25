#pragma once
// One value that a user gives, made into a value of the variable's type.

#include "modelDescription/description.hpp"
#include "tools/system/system.hpp"
#include "tools/system/units.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tenon::system {

using SettingScalar = std::variant<double, bool, std::string, std::int64_t>;

std::vector<SettingScalar> scalars_of(const SettingValue& value);

/// `count` zeros or empty texts in the form of the type.
fmi::Start zeros(fmi::Type type, std::uint64_t count);
/// Start values of `count` elements, zeros() where the variable has none; nothing where it has another number of them.
std::optional<fmi::Start> start_values(const fmi::Variable& variable, std::uint64_t count);

/// Puts the value, after `linear`, into element `element` of `values`, which zeros() or start_values() has made. Returns what is wrong:
/// "must be a whole number (2.5)". `items` is the enumeration's type and may be null.
std::string store(const SettingScalar& value, const Linear& linear, const fmi::Variable& variable,
                  const fmi::TypeDefinition* items, std::size_t element, fmi::Start& values);

} // namespace tenon::system
