#include "tools/system/variable_index.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace tenon::system {
namespace {

struct IndexedName {
    std::string base;
    std::vector<std::uint64_t> indices;
};

/// "R[1,3]" as R and 1, 3; nothing where the name does not end in indices.
std::optional<IndexedName> split(const std::string& name) {
    const std::size_t open = name.rfind('[');
    if (open == std::string::npos || open == 0 || name.back() != ']')
        return {};
    IndexedName result{name.substr(0, open), {}};
    const char *at = name.data() + open + 1, *end = name.data() + name.size() - 1;
    while (true) {
        while (at != end && *at == ' ')
            ++at;
        std::uint64_t index = 0;
        const auto [behind, error] = std::from_chars(at, end, index);
        if (error != std::errc())
            return {};
        result.indices.push_back(index);
        if (behind == end)
            return result;
        if (*behind != ',')
            return {};
        at = behind + 1;
    }
}

std::string quoted(const std::string& name) { return "'" + printable(name) + "'"; }

Selection problem(std::string text) { return {{}, {}, std::move(text), false}; }

} // namespace

std::string shape_text(const std::vector<std::uint64_t>& shape) {
    std::string text;
    for (const std::uint64_t size : shape)
        text += (text.empty() ? "[" : ",") + std::to_string(size);
    return shape.empty() ? "" : text + "]";
}

std::uint64_t element_count(const std::vector<std::uint64_t>& shape) {
    std::uint64_t n = 1;
    for (const std::uint64_t size : shape)
        n = size != 0 && n > element_limit / size ? element_limit + 1 : n * size;
    return n;
}

VariableIndex::VariableIndex(const fmi::Description& description) : description_(description) {
    for (std::size_t i = 0; i < description.variables.size(); ++i) {
        const fmi::Variable& v = description.variables[i];
        variables_.add(v.name, i);
        if (v.dimensions.empty())
            if (std::optional<IndexedName> indexed = split(v.name))
                groups_[indexed->base].push_back({std::move(indexed->indices), i});
        units_.emplace(v.unit, fmi::Unit{v.unit, {}, {}});
    }
    for (std::size_t i = 0; i < description.variables.size(); ++i)
        for (const fmi::AliasName& alias : description.variables[i].aliases)
            variables_.add(alias.name, i);
    variables_.finish();
    for (const fmi::Unit& unit : description.units)
        units_.insert_or_assign(unit.name, unit);
    for (const fmi::TypeDefinition& type : description.types)
        if (type.type == fmi::Type::enumeration)
            enumerations_.emplace(type.name, &type);
}

const fmi::Unit& VariableIndex::unit(std::size_t index) const { return units_.at(variable(index).unit); }

const fmi::TypeDefinition* VariableIndex::enumeration(std::size_t index) const {
    const auto place = enumerations_.find(variable(index).declared_type);
    return place == enumerations_.end() ? nullptr : place->second;
}

std::vector<std::uint64_t> VariableIndex::shape(std::size_t index, const Sizes& sizes) const {
    std::vector<std::uint64_t> result;
    for (const fmi::Dimension& dimension : variable(index).dimensions) {
        const auto set = dimension.variable ? sizes.find(*dimension.variable) : sizes.end();
        result.push_back(set == sizes.end() ? dimension.size : set->second);
    }
    return result;
}

Selection VariableIndex::whole(std::size_t index, const Sizes& sizes) const {
    Selection result;
    result.shape = shape(index, sizes);
    const std::uint64_t count = element_count(result.shape);
    if (count > element_limit)
        return problem("array " + quoted(variable(index).name) + " is too large (" +
                       shape_text(result.shape) + ", limit " + std::to_string(element_limit) + " elements)");
    for (std::size_t i = 0; i < count; ++i)
        result.places.push_back({index, i});
    return result;
}

Selection VariableIndex::element_of(std::size_t index, const std::vector<std::uint64_t>& indices,
                                    const Sizes& sizes) const {
    const std::vector<std::uint64_t> size = shape(index, sizes);
    const std::string what = quoted(variable(index).name) + (size.empty() ? "" : " " + shape_text(size));
    if (size.size() != indices.size())
        return problem(size.empty() ? what + " is not an array"
                                    : what + " needs " + std::to_string(size.size()) + " indices (" +
                                          std::to_string(indices.size()) + " given)");
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < size.size(); ++i) {
        if (indices[i] < 1 || indices[i] > size[i])
            return problem("index " + std::to_string(indices[i]) + " is outside of " + what + ": 1 to " +
                           std::to_string(size[i]));
        place = place * size[i] + (indices[i] - 1);
    }
    return {{{index, place}}, {}, {}, false};
}

Selection VariableIndex::group(const std::string& base, std::vector<Member> members) {
    if (members.size() > element_limit)
        return problem("array " + quoted(base) + " is too large (" + std::to_string(members.size()) +
                       " elements, limit " + std::to_string(element_limit) + ")");
    std::sort(members.begin(), members.end(),
              [](const Member& a, const Member& b) { return a.indices < b.indices; });
    const std::vector<std::uint64_t>&first = members.front().indices, &last = members.back().indices;
    const auto incomplete = [&] {
        return problem("variables " + quoted(base + "[..]") + " are not a complete array from " +
                       shape_text(first) + " to " + shape_text(last));
    };
    // Complete: from 0 or 1, and each index list is the one after its predecessor, counting like an odometer.
    if (first.size() != last.size())
        return incomplete();
    Selection result;
    for (std::size_t d = 0; d < first.size(); ++d) {
        if (first[d] > 1 || last[d] < first[d])
            return incomplete();
        result.shape.push_back(last[d] - first[d] + 1);
    }
    if (element_count(result.shape) != members.size())
        return incomplete();
    std::vector<std::uint64_t> expected = first;
    for (const Member& member : members) {
        if (member.indices != expected)
            return incomplete();
        result.places.push_back({member.variable, 0});
        for (std::size_t d = expected.size(); d-- > 0;) {
            if (++expected[d] <= last[d])
                break;
            expected[d] = first[d];
        }
    }
    return result;
}

Selection VariableIndex::find(const std::string& name, const Sizes& sizes,
                              std::optional<std::size_t> element) const {
    Selection result;
    const std::optional<std::size_t> exact = variables_.find(name);
    const auto members = groups_.find(name);
    if (exact) {
        result = whole(*exact, sizes);
    } else if (members != groups_.end()) {
        result = group(name, members->second);
    } else {
        const std::optional<IndexedName> indexed = split(name);
        const std::optional<std::size_t> array = indexed ? variables_.find(indexed->base) : std::nullopt;
        if (!array)
            return {{}, {}, quoted(name) + " is not a variable", true};
        result = element_of(*array, indexed->indices, sizes);
    }
    if (!element || !result.problem.empty())
        return result;
    if (*element >= result.places.size())
        return problem("element " + std::to_string(*element) + " is outside of " + quoted(name) + " (" +
                       std::to_string(result.places.size()) + " elements)");
    return {{result.places[*element]}, {}, {}, false};
}

std::string VariableIndex::name(const ScalarPlace& place, const Sizes& sizes) const {
    const std::vector<std::uint64_t> size = shape(place.variable, sizes);
    if (size.empty())
        return variable(place.variable).name;
    std::vector<std::uint64_t> indices(size.size());
    std::uint64_t rest = place.element;
    for (std::size_t d = size.size(); d-- > 0;) {
        indices[d] = rest % size[d] + 1;
        rest /= size[d];
    }
    return variable(place.variable).name + shape_text(indices);
}

std::vector<std::string> VariableIndex::names(const std::function<bool(const fmi::Variable&)>& wanted) const {
    std::vector<std::string> result;
    std::set<std::string> bases;
    for (const fmi::Variable& v : description_.variables) {
        if (!wanted(v))
            continue;
        result.push_back(v.name);
        if (const std::optional<IndexedName> indexed = split(v.name);
            indexed && v.dimensions.empty() && bases.insert(indexed->base).second)
            result.push_back(indexed->base);
    }
    return result;
}

} // namespace tenon::system
