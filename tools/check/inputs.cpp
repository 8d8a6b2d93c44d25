#include "tools/check/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

namespace tenon::check {

std::vector<double> start_numbers(const fmi::Variable& variable) {
    std::vector<double> numbers(variable.elements());
    std::visit(
        [&](const auto& start) {
            using List = std::decay_t<decltype(start)>;
            if constexpr (!std::is_same_v<List, std::monostate> &&
                          !std::is_same_v<List, std::vector<std::string>>)
                for (std::size_t i = 0; i < std::min(numbers.size(), start.size()); ++i)
                    numbers[i] = static_cast<double>(start[i]);
        },
        variable.start);
    return numbers;
}

double scale_of(const fmi::Variable& variable) {
    double scale = std::abs(variable.nominal.value_or(0));
    for (const double start : start_numbers(variable))
        scale = std::max(scale, std::abs(start));
    return scale > 0 && std::isfinite(scale) ? scale : 1;
}

namespace {

template <class Element>
fmi::Status set_as(fmi::Slave& slave, const fmi::Variable& variable, const std::vector<double>& values) {
    const auto elements = std::make_unique<Element[]>(values.size()); // no vector: that of bool has no data()
    std::transform(values.begin(), values.end(), elements.get(),
                   [](double value) { return static_cast<Element>(value); });
    return slave.set(variable.type, std::span(&variable.reference, 1), elements.get(), values.size());
}

} // namespace

fmi::Status set_numbers(fmi::Slave& slave, const fmi::Variable& variable, const std::vector<double>& values) {
    switch (variable.type) {
    case fmi::Type::float32:
        return set_as<float>(slave, variable, values);
    case fmi::Type::float64:
        return set_as<double>(slave, variable, values);
    case fmi::Type::int8:
        return set_as<std::int8_t>(slave, variable, values);
    case fmi::Type::uint8:
        return set_as<std::uint8_t>(slave, variable, values);
    case fmi::Type::int16:
        return set_as<std::int16_t>(slave, variable, values);
    case fmi::Type::uint16:
        return set_as<std::uint16_t>(slave, variable, values);
    case fmi::Type::int32:
        return set_as<std::int32_t>(slave, variable, values);
    case fmi::Type::uint32:
        return set_as<std::uint32_t>(slave, variable, values);
    case fmi::Type::int64:
    case fmi::Type::enumeration:
        return set_as<std::int64_t>(slave, variable, values);
    case fmi::Type::uint64:
        return set_as<std::uint64_t>(slave, variable, values);
    case fmi::Type::boolean:
        return set_as<bool>(slave, variable, values);
    case fmi::Type::string:
    case fmi::Type::binary:
    case fmi::Type::clock:
        break;
    }
    return fmi::Status::error;
}

Inputs::Inputs(const fmi::Description& description) {
    constexpr double amplitude = 0.01;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const fmi::Variable& variable : description.variables) {
        if (variable.causality != fmi::Causality::input || variable.type != fmi::Type::float64 ||
            variable.clocked || variable.variability != fmi::Variability::continuous)
            continue;
        references_.push_back(variable.reference);
        for (const double start : start_numbers(variable))
            elements_.push_back({start, amplitude * scale_of(variable), variable.min.value_or(-infinity),
                                 variable.max.value_or(infinity)});
    }
}

std::vector<double> Inputs::moved(int index, double phase) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        const Element& e = elements_[i];
        const double angle = 0.4 * index + phase * (1 + static_cast<double>(i));
        values.push_back(std::max(e.min, std::min(e.max, e.start + e.amplitude * std::sin(angle))));
    }
    return values;
}

fmi::Status Inputs::set(fmi::Slave& slave, const std::vector<double>& values) const {
    return references_.empty() ? fmi::Status::ok : slave.set(references_, values);
}

} // namespace tenon::check
