// FMI 2.0: values. It has four types; booleans and enumerations are integers to it.

#include "tools/import/slave2.hpp"

#include <algorithm>
#include <limits>

namespace tenon::fmi {

Status Slave2::get(Type type, std::span<const Reference> references, void* values, std::size_t count) {
    if (!may_call(Function::get))
        return Status::fatal;
    if (count != references.size()) [[unlikely]]
        return refuse_count("get", count, references.size());
    switch (type) {
    case Type::float64:
        return done(f_.get_real(instance_, references.data(), count, static_cast<double*>(values)));
    case Type::int32:
        return done(f_.get_integer(instance_, references.data(), count, static_cast<std::int32_t*>(values)));
    case Type::boolean:
        return get_booleans(references, static_cast<bool*>(values));
    case Type::enumeration:
        return get_enumerations(references, static_cast<std::int64_t*>(values));
    case Type::string:
        return get_strings(references, static_cast<std::string*>(values));
    default:
        return refuse("get", "FMI 2.0 has no such type");
    }
}

Status Slave2::set(Type type, std::span<const Reference> references, const void* values, std::size_t count) {
    if (!may_call(Function::set))
        return Status::fatal;
    if (count != references.size()) [[unlikely]]
        return refuse_count("set", count, references.size());
    switch (type) {
    case Type::float64:
        return done(f_.set_real(instance_, references.data(), count, static_cast<const double*>(values)));
    case Type::int32:
        return done(
            f_.set_integer(instance_, references.data(), count, static_cast<const std::int32_t*>(values)));
    case Type::boolean:
        return set_booleans(references, static_cast<const bool*>(values));
    case Type::enumeration:
        return set_enumerations(references, static_cast<const std::int64_t*>(values));
    case Type::string:
        return set_strings(references, static_cast<const std::string*>(values));
    default:
        return refuse("set", "FMI 2.0 has no such type");
    }
}

Status Slave2::get_enumerations(std::span<const Reference> references, std::int64_t* values) {
    numbers_.assign(references.size(), 0);
    const Status status =
        done(f_.get_integer(instance_, references.data(), references.size(), numbers_.data()));
    std::ranges::copy(numbers_, values);
    return status;
}

Status Slave2::get_booleans(std::span<const Reference> references, bool* values) {
    numbers_.assign(references.size(), 0);
    const Status status =
        done(f_.get_boolean(instance_, references.data(), references.size(), numbers_.data()));
    std::ranges::transform(numbers_, values, [](fmi2Boolean value) { return value != fmi2False; });
    return status;
}

Status Slave2::get_strings(std::span<const Reference> references, std::string* values) {
    strings_.assign(references.size(), nullptr);
    const Status status =
        done(f_.get_string(instance_, references.data(), references.size(), strings_.data()));
    if (status <= Status::warning)
        from_c_strings(values);
    return status;
}

Status Slave2::set_enumerations(std::span<const Reference> references, const std::int64_t* values) {
    using Limits = std::numeric_limits<fmi2Integer>;
    numbers_.resize(references.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        if (values[i] < Limits::min() || values[i] > Limits::max())
            return refuse("fmi2SetInteger", fmt::format("{} is out of range ({} to {})", values[i],
                                                        Limits::min(), Limits::max()));
        numbers_[i] = static_cast<fmi2Integer>(values[i]);
    }
    return done(f_.set_integer(instance_, references.data(), references.size(), numbers_.data()));
}

Status Slave2::set_booleans(std::span<const Reference> references, const bool* values) {
    numbers_.resize(references.size());
    std::transform(values, values + references.size(), numbers_.begin(),
                   [](bool value) { return value ? fmi2True : fmi2False; });
    return done(f_.set_boolean(instance_, references.data(), references.size(), numbers_.data()));
}

Status Slave2::set_strings(std::span<const Reference> references, const std::string* values) {
    if (!as_c_strings(values, references.size()))
        return Status::error;
    return done(f_.set_string(instance_, references.data(), references.size(), strings_.data()));
}

} // namespace tenon::fmi
