#pragma once

#include "modelDescription/description.hpp"

#include <cstddef>

namespace tenon::host {

/// Bytes of one value as Slave::get and set take it; 0 for strings and binaries, which are as long as they are.
constexpr std::size_t value_size(fmi::Type type) {
    switch (type) {
    case fmi::Type::int8:
    case fmi::Type::uint8:
    case fmi::Type::boolean:
    case fmi::Type::clock:
        return 1;
    case fmi::Type::int16:
    case fmi::Type::uint16:
        return 2;
    case fmi::Type::float32:
    case fmi::Type::int32:
    case fmi::Type::uint32:
        return 4;
    case fmi::Type::float64:
    case fmi::Type::int64:
    case fmi::Type::uint64:
    case fmi::Type::enumeration:
        return 8;
    case fmi::Type::string:
    case fmi::Type::binary:
        break;
    }
    return 0;
}
static_assert(sizeof(bool) == 1);

} // namespace tenon::host
