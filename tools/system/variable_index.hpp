#pragma once
// Variables of one FMU by name: whole, by alias, by element of an array, and FMI 2.0's x[1], x[2], ... as the array x.

#include "modelDescription/description.hpp"
#include "modelDescription/position_index.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::system {

/// Values of structural parameters that were set, by index of the variable.
using Sizes = std::map<std::size_t, std::uint64_t>;

/// More elements than this are not wired or set one by one: a million wires are 100 MB.
inline constexpr std::uint64_t element_limit = 1'000'000;

/// One value of an FMU.
struct ScalarPlace {
    std::size_t variable = 0, element = 0; ///< element: row major, from 0
};

/// What a name means; or `problem`, a clause that says why it means nothing.
struct Selection {
    std::vector<ScalarPlace> places;  ///< row major
    std::vector<std::uint64_t> shape; ///< empty: a scalar
    std::string problem;
    bool unknown = false; ///< there is no such name at all: a suggestion helps
};

/// "[3,3]"; empty for a scalar.
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// The product of the sizes; element_limit + 1 where it is more than the limit.
std::uint64_t element_count(const std::vector<std::uint64_t>& shape);

/// Refers to the description, which must outlive it.
class VariableIndex {
  public:
    explicit VariableIndex(const fmi::Description& description);

    const fmi::Description& description() const { return description_; }
    const fmi::Variable& variable(std::size_t index) const { return description_.variables[index]; }
    /// As the description defines it; without base where it does not, without name where the variable has none.
    const fmi::Unit& unit(std::size_t variable) const;
    /// Null where the variable is no enumeration of a defined type.
    const fmi::TypeDefinition* enumeration(std::size_t variable) const;

    std::vector<std::uint64_t> shape(std::size_t variable, const Sizes& sizes) const;
    /// `name` is that of a variable, of an alias, of an element (`x[2]`, `R[1,3]`: from 1) or of a group of variables.
    /// `element` selects one of them afterwards.
    Selection find(const std::string& name, const Sizes& sizes,
                   std::optional<std::size_t> element = {}) const;
    /// As a user would write it: the variable's name, with an index where it is an array.
    std::string name(const ScalarPlace& place, const Sizes& sizes) const;

    /// Names of variables and groups that `wanted` holds for, for suggestions.
    std::vector<std::string> names(const std::function<bool(const fmi::Variable&)>& wanted) const;

  private:
    struct Member {
        std::vector<std::uint64_t> indices;
        std::size_t variable = 0;
    };

    Selection whole(std::size_t variable, const Sizes& sizes) const;
    Selection element_of(std::size_t variable, const std::vector<std::uint64_t>& indices,
                         const Sizes& sizes) const;
    static Selection group(const std::string& base, std::vector<Member> members);

    const fmi::Description& description_;
    fmi::Index<std::string_view> variables_; ///< and aliases
    std::map<std::string, std::vector<Member>> groups_;
    std::map<std::string_view, fmi::Unit> units_;
    std::map<std::string_view, const fmi::TypeDefinition*> enumerations_;
};

} // namespace tenon::system
