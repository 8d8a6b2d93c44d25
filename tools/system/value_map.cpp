#include "tools/system/value_map.hpp"

#include "core/model/suggest.hpp"
#include "modelDescription/numbers.hpp"
#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"

#include <fmt/format.h>
#include <map>

namespace tenon::system {
namespace {

struct Value {
    std::int64_t number = 0;
    std::string problem;
};

/// One side of an entry as the number that stands for it.
Value parse(const std::string& text, const VariableIndex& index, std::size_t variable) {
    const fmi::Type type = index.variable(variable).type;
    if (type == fmi::Type::boolean) {
        const bool yes = text == "true" || text == "1", no = text == "false" || text == "0";
        return yes || no ? Value{yes, {}}
                         : Value{0, fmt::format("'{}' in a mapping is not true or false", printable(text))};
    }
    std::vector<std::string> names;
    if (const fmi::TypeDefinition* items = index.enumeration(variable))
        for (const fmi::EnumerationItem& item : items->items) {
            if (item.name == text)
                return {item.value, {}};
            names.push_back(item.name);
        }
    std::int64_t number = 0;
    if (fmi::parse_number(text, number) == fmi::Parse::good)
        return {number, {}};
    return {0, fmt::format("'{}' in a mapping is not a value of '{}'; {}", printable(text),
                           printable(index.variable(variable).name), suggestion(text, names))};
}

} // namespace

ValueMap value_map(const std::vector<MapEntry>& entries, const VariableIndex& source, std::size_t from,
                   const VariableIndex& target, std::size_t to) {
    if (entries.empty())
        return {};
    const fmi::Type type = target.variable(to).type;
    if (type != fmi::Type::boolean && !fmi::is_signed(type) && !fmi::is_unsigned(type))
        return {{}, fmt::format("values of type {} cannot be mapped", fmi::word(type))};
    const fmi::IntegerRange range = fmi::integer_range(target.description().version, type);
    std::map<std::int64_t, std::int64_t> pairs;
    for (const MapEntry& entry : entries) {
        const Value a = parse(entry.source, source, from), b = parse(entry.target, target, to);
        if (!a.problem.empty() || !b.problem.empty())
            return {{}, a.problem.empty() ? b.problem : a.problem};
        if (b.number < range.lowest || (b.number > 0 && static_cast<std::uint64_t>(b.number) > range.largest))
            return {{}, fmt::format("{} in a mapping does not fit into {}", b.number, fmi::word(type))};
        if (!pairs.emplace(a.number, b.number).second)
            return {{}, fmt::format("'{}' stands twice in a mapping", printable(entry.source))};
    }
    return {{pairs.begin(), pairs.end()}, {}};
}

} // namespace tenon::system
