#include "tools/check/sample.hpp"

#include "tools/files/errors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <memory>

namespace tenon::check {
namespace {

/// Enough to notice any difference, few enough to read after every step.
constexpr std::size_t most_elements = 5000;

bool is_text(fmi::Type type) { return type == fmi::Type::string || type == fmi::Type::binary; }

bool watchable(const fmi::Variable& variable) {
    return variable.type != fmi::Type::clock && !variable.clocked;
}

std::string value_text(fmi::Type type, std::uint64_t bits) {
    if (type == fmi::Type::uint64)
        return std::to_string(bits);
    if (is_float(type))
        return fmt::format("{}", as_number(type, bits)); // the fewest digits that tell two numbers apart
    return std::to_string(static_cast<std::int64_t>(as_number(type, bits)));
}

template <class Integer> double integer(std::uint64_t bits) {
    return static_cast<double>(static_cast<Integer>(bits));
}

} // namespace

void pack(Packer& packer, const Trajectory& trajectory) {
    packer.put(trajectory.size());
    for (const Sample& sample : trajectory)
        packer.put(sample.time).put(sample.bits).put(sample.texts);
}

Trajectory unpack_trajectory(Unpacker& unpacker) {
    Trajectory trajectory;
    for (auto n = unpacker.get<std::size_t>(); n > 0; --n) {
        Sample& sample = trajectory.emplace_back();
        unpacker.get(sample.time);
        unpacker.get(sample.bits);
        unpacker.get(sample.texts);
    }
    return trajectory;
}

bool is_float(fmi::Type type) { return type == fmi::Type::float32 || type == fmi::Type::float64; }

std::size_t element_size(fmi::Type type) {
    static constexpr std::array<std::size_t, 15> sizes = {4, 8, 1, 1, 2, 2, 4, 4, 8, 8, 1, 0, 0, 8, 1};
    return sizes[static_cast<std::size_t>(type)];
}

double as_number(fmi::Type type, std::uint64_t bits) {
    switch (type) {
    case fmi::Type::float32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case fmi::Type::float64:
        return std::bit_cast<double>(bits);
    case fmi::Type::int8:
        return integer<std::int8_t>(bits);
    case fmi::Type::int16:
        return integer<std::int16_t>(bits);
    case fmi::Type::int32:
        return integer<std::int32_t>(bits);
    case fmi::Type::int64:
    case fmi::Type::enumeration:
        return integer<std::int64_t>(bits);
    default:
        return integer<std::uint64_t>(bits);
    }
}

Watch::Watch(const fmi::Description& description) {
    for (const fmi::Causality causality : {fmi::Causality::output, fmi::Causality::local}) {
        for (std::size_t i = 0; i < description.variables.size(); ++i)
            if (description.variables[i].causality == causality)
                add(description, i);
        if (!groups_.empty())
            break;
    }
    name_floats();
}

Watch::Watch(const fmi::Description& description, const std::vector<std::size_t>& variables) {
    for (const std::size_t index : variables)
        add(description, index);
    name_floats();
}

void Watch::add(const fmi::Description& description, std::size_t index) {
    const fmi::Variable& variable = description.variables[index];
    if (!watchable(variable))
        return;
    const std::uint64_t elements = variable.elements();
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.type == variable.type; });
    const std::size_t taken = group == groups_.end() ? 0 : group->names.size();
    if (elements > most_elements - std::min(taken, most_elements))
        return;
    if (group == groups_.end())
        group = groups_.insert(groups_.end(), {variable.type, {}, {}, {}});
    group->references.push_back(variable.reference);
    for (std::uint64_t i = 0; i < elements; ++i) {
        group->names.push_back(variable.dimensions.empty()
                                   ? printable(variable.name)
                                   : fmt::format("{}[{}]", printable(variable.name), i + 1));
        group->variables.push_back(index);
    }
}

/// In the order of the groups, as read() fills the bits.
void Watch::name_floats() {
    for (const Group& group : groups_)
        if (is_float(group.type))
            float_names_.insert(float_names_.end(), group.names.begin(), group.names.end());
}

fmi::Status Watch::read(fmi::Slave& slave, double time, Sample& sample) const {
    sample = {time, {}, {}};
    fmi::Status worst = fmi::Status::ok;
    for (const Group& group : groups_) {
        fmi::Status status = fmi::Status::ok;
        if (is_text(group.type)) {
            std::vector<std::string> texts(group.names.size());
            status = slave.get(group.type, group.references, texts.data(), texts.size());
            sample.texts.insert(sample.texts.end(), texts.begin(), texts.end());
        } else {
            const std::size_t size = element_size(group.type);
            std::vector<std::uint64_t> bytes((group.names.size() * size + 7) / 8); // aligned for every type
            status = slave.get(group.type, group.references, bytes.data(), group.names.size());
            for (std::size_t i = 0; i < group.names.size(); ++i) {
                std::uint64_t bits = 0;
                std::memcpy(&bits, reinterpret_cast<const char*>(bytes.data()) + i * size, size);
                sample.bits.push_back(bits);
            }
        }
        if (status > fmi::Status::warning)
            return status;
        worst = std::max(worst, status);
    }
    return worst;
}

std::vector<double> Watch::floats(const Sample& sample) const {
    std::vector<double> values;
    std::size_t at = 0;
    for (const Group& group : groups_) {
        if (is_text(group.type))
            continue;
        for (std::size_t i = 0; i < group.names.size(); ++i, ++at)
            if (is_float(group.type))
                values.push_back(as_number(group.type, sample.bits[at]));
    }
    return values;
}

std::vector<Watch::Change> Watch::changes(const Sample& expected, const Sample& found,
                                          std::size_t limit) const {
    std::vector<Change> list;
    std::size_t number = 0, text = 0;
    for (const Group& group : groups_)
        for (std::size_t i = 0; i < group.names.size(); ++i) {
            std::string before, after;
            if (is_text(group.type)) {
                before = expected.texts.at(text);
                after = found.texts.at(text++);
                if (before == after)
                    continue;
                before = "'" + printable(before) + "'";
                after = "'" + printable(after) + "'";
            } else {
                const std::uint64_t a = expected.bits.at(number), b = found.bits.at(number);
                ++number;
                if (a == b)
                    continue;
                before = value_text(group.type, a);
                after = value_text(group.type, b);
            }
            if (!list.empty() && list.back().variable == group.variables[i])
                continue; // another element of the same array
            list.push_back({group.variables[i], fmt::format("{} = {} at t = {} instead of {}", group.names[i],
                                                            after, found.time, before)});
            if (list.size() == limit)
                return list;
        }
    return list;
}

std::optional<std::string> Watch::difference(const Sample& expected, const Sample& found) const {
    if (expected.bits == found.bits && expected.texts == found.texts)
        return {};
    const std::vector<Change> first = changes(expected, found, 1);
    return first.empty() ? std::nullopt : std::optional(first.front().text);
}

std::optional<std::string> Watch::difference(const Trajectory& expected, const Trajectory& found) const {
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i)
        if (const auto text = difference(expected[i], found[i]))
            return text;
    if (expected.size() != found.size())
        return fmt::format("{} points of time instead of {}", found.size(), expected.size());
    return {};
}

} // namespace tenon::check
