#pragma once

#include "modelDescription/description.hpp"

#include <cstddef>

namespace tenon::fmi {

/// Bytes of one value as Slave::get and set take it; 0 for strings and binaries, which are as long as they are.
constexpr std::size_t value_size(Type type) {
    switch (type) {
    case Type::int8:
    case Type::uint8:
    case Type::boolean:
    case Type::clock:
        return 1;
    case Type::int16:
    case Type::uint16:
        return 2;
    case Type::float32:
    case Type::int32:
    case Type::uint32:
        return 4;
    case Type::float64:
    case Type::int64:
    case Type::uint64:
    case Type::enumeration:
        return 8;
    case Type::string:
    case Type::binary:
        break;
    }
    return 0;
}
static_assert(sizeof(bool) == 1);

} // namespace tenon::fmi
