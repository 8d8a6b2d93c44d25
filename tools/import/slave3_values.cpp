// FMI 3.0: values. Its types are those of the Slave, but for enumerations (Int64), strings and binaries.

#include "tools/import/slave3.hpp"

namespace tenon::fmi {
namespace {

/// An FMU in another language may write any byte where C has true; more than 0 and 1 a bool cannot hold.
void make_boolean(void* values, std::size_t count) {
    auto* bytes = static_cast<unsigned char*>(values);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = bytes[i] != 0;
}

} // namespace

Status Slave3::get(Type type, std::span<const Reference> references, void* values, std::size_t count) {
    if (!may_call(Function::get))
        return Status::fatal;
    const auto plain =
        [&]<class T>(fmi3Status (*function)(fmi3Instance, const Reference*, std::size_t, T*, std::size_t)) {
            return done(
                function(instance_, references.data(), references.size(), static_cast<T*>(values), count));
        };
    switch (type) {
    case Type::float64:
        return plain(f_.get_float64);
    case Type::float32:
        return plain(f_.get_float32);
    case Type::int8:
        return plain(f_.get_int8);
    case Type::uint8:
        return plain(f_.get_uint8);
    case Type::int16:
        return plain(f_.get_int16);
    case Type::uint16:
        return plain(f_.get_uint16);
    case Type::int32:
        return plain(f_.get_int32);
    case Type::uint32:
        return plain(f_.get_uint32);
    case Type::int64:
    case Type::enumeration:
        return plain(f_.get_int64);
    case Type::uint64:
        return plain(f_.get_uint64);
    case Type::boolean: {
        const Status status = plain(f_.get_boolean);
        make_boolean(values, count);
        return status;
    }
    case Type::clock: {
        if (count != references.size())
            return refuse_count("fmi3GetClock", count, references.size());
        const Status status =
            done(f_.get_clock(instance_, references.data(), references.size(), static_cast<bool*>(values)));
        make_boolean(values, count);
        return status;
    }
    case Type::string:
        return get_strings(references, static_cast<std::string*>(values), count);
    case Type::binary:
        return get_binaries(references, static_cast<std::string*>(values), count);
    }
    return refuse("get", "there is no such type");
}

Status Slave3::set(Type type, std::span<const Reference> references, const void* values, std::size_t count) {
    if (!may_call(Function::set))
        return Status::fatal;
    const auto plain = [&]<class T>(fmi3Status (*function)(fmi3Instance, const Reference*, std::size_t,
                                                           const T*, std::size_t)) {
        return done(
            function(instance_, references.data(), references.size(), static_cast<const T*>(values), count));
    };
    switch (type) {
    case Type::float64:
        return plain(f_.set_float64);
    case Type::float32:
        return plain(f_.set_float32);
    case Type::int8:
        return plain(f_.set_int8);
    case Type::uint8:
        return plain(f_.set_uint8);
    case Type::int16:
        return plain(f_.set_int16);
    case Type::uint16:
        return plain(f_.set_uint16);
    case Type::int32:
        return plain(f_.set_int32);
    case Type::uint32:
        return plain(f_.set_uint32);
    case Type::int64:
    case Type::enumeration:
        return plain(f_.set_int64);
    case Type::uint64:
        return plain(f_.set_uint64);
    case Type::boolean:
        return plain(f_.set_boolean);
    case Type::clock:
        if (count != references.size())
            return refuse_count("fmi3SetClock", count, references.size());
        return done(
            f_.set_clock(instance_, references.data(), references.size(), static_cast<const bool*>(values)));
    case Type::string:
        return set_strings(references, static_cast<const std::string*>(values), count);
    case Type::binary:
        return set_binaries(references, static_cast<const std::string*>(values), count);
    }
    return refuse("set", "there is no such type");
}

Status Slave3::get_strings(std::span<const Reference> references, std::string* values, std::size_t count) {
    strings_.assign(count, nullptr);
    const Status status =
        done(f_.get_string(instance_, references.data(), references.size(), strings_.data(), count));
    if (status <= Status::warning)
        from_c_strings(values);
    return status;
}

Status Slave3::set_strings(std::span<const Reference> references, const std::string* values,
                           std::size_t count) {
    if (!as_c_strings(values, count))
        return Status::error;
    return done(f_.set_string(instance_, references.data(), references.size(), strings_.data(), count));
}

Status Slave3::get_binaries(std::span<const Reference> references, std::string* values, std::size_t count) {
    binaries_.assign(count, nullptr);
    sizes_.assign(count, 0);
    const Status status = done(f_.get_binary(instance_, references.data(), references.size(), sizes_.data(),
                                             binaries_.data(), count));
    if (status > Status::warning)
        return status;
    for (std::size_t i = 0; i < count; ++i) {
        if (sizes_[i] > 0 && !binaries_[i])
            return blame(
                fmt::format("fmi3GetBinary says {} bytes for value {}, and gives none", sizes_[i], i + 1));
        values[i].assign(reinterpret_cast<const char*>(binaries_[i]), sizes_[i]);
    }
    return status;
}

Status Slave3::set_binaries(std::span<const Reference> references, const std::string* values,
                            std::size_t count) {
    binaries_.resize(count);
    sizes_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        binaries_[i] = reinterpret_cast<fmi3Binary>(values[i].data());
        sizes_[i] = values[i].size();
    }
    return done(f_.set_binary(instance_, references.data(), references.size(), sizes_.data(),
                              binaries_.data(), count));
}

} // namespace tenon::fmi
