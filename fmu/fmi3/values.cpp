// FMI 3.0: values by value reference. This FMU has Float64, Boolean and Enumeration (as Int64); the other types exist as
// functions and refuse.

#include "fmu/fmi3/component.hpp"

#include "core/math/error.hpp"

#include <cmath>

using namespace tenon::fmu;
using tenon::Error;
using tenon::ErrorKind;

namespace {

constexpr std::initializer_list<Phase> settable = {Phase::instantiated, Phase::initialization, Phase::step};

void require_count(std::size_t there, size_t given) {
    if (there != given)
        throw Error(ErrorKind::usage, "the variables have " + std::to_string(there) +
                                          " values, the call has " + std::to_string(given));
}

void require_type(const Variable& v, ValueType type) {
    if (v.type != type)
        throw Error(ErrorKind::usage, "'" + v.name + "' has another type");
}

template <class T>
fmi3Status get(fmi3Instance c, const char* function, ValueType type, const fmi3ValueReference vr[], size_t n,
               T values[], size_t count) {
    return call(
        c, function, any_phase,
        [&](Component3& component, Instance& instance) {
            if (component.window.open && !component.window.get)
                throw Error(ErrorKind::usage, "values cannot be read at this intermediate update");
            const Slots slots(component, vr, n);
            require_pointer(values, count);
            require_count(slots.count(), count);
            T* value = values;
            slots.each([&](const Variable& v, std::size_t slot) {
                require_type(v, type);
                *value++ = static_cast<T>(instance.get(slot));
            });
        },
        OnFailure::error, true);
}

/// A value that cannot be taken (not finite) is discarded; everything else that is wrong is an error.
template <class T>
fmi3Status set(fmi3Instance c, const char* function, ValueType type, const fmi3ValueReference vr[], size_t n,
               const T values[], size_t count) {
    const fmi3Status checked = call(
        c, function, settable,
        [&](Component3& component, Instance& instance) {
            const Slots slots(component, vr, n);
            require_pointer(values, count);
            require_count(slots.count(), count);
            slots.each([&](const Variable& v, std::size_t) {
                require_type(v, type);
                if (v.role != Role::parameter && v.role != Role::input)
                    throw Error(ErrorKind::usage, "'" + v.name + "' cannot be set; it is computed");
                if (component.window.open && (!component.window.set || v.role != Role::input))
                    throw Error(ErrorKind::usage,
                                "'" + v.name + "' cannot be set at this intermediate update");
                if (instance.phase() == Phase::step && v.role == Role::parameter && !v.tunable)
                    throw Error(ErrorKind::usage, "parameter '" + v.name +
                                                      "' is fixed; it can be set before the first step only");
            });
        },
        OnFailure::error, true);
    if (checked != fmi3OK)
        return checked;
    return call(
        c, function, settable,
        [&](Component3& component, Instance& instance) {
            const Slots slots(component, vr, n);
            const T* value = values;
            slots.each([&](const Variable& v, std::size_t slot) {
                if (!std::isfinite(static_cast<double>(*value++)))
                    throw Error(ErrorKind::computation, "'" + v.element_name(slot - v.slot) +
                                                            "' was given a value that is not finite");
            });
            value = values;
            slots.each([&](const Variable&, std::size_t slot) {
                instance.set(slot, static_cast<double>(*value++));
            });
        },
        OnFailure::discard, true);
}

fmi3Status none(fmi3Instance c, const char* function, size_t n) {
    return call(
        c, function, any_phase,
        [&](Component3&, Instance&) {
            if (n > 0)
                throw Error(ErrorKind::usage, "this FMU has no variable of this type");
        },
        OnFailure::error, true);
}

} // namespace

extern "C" {

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 values[],
                          size_t count) {
    return get(c, "fmi3GetFloat64", ValueType::real, vr, n, values, count);
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 values[],
                          size_t count) {
    return set(c, "fmi3SetFloat64", ValueType::real, vr, n, values, count);
}
fmi3Status fmi3GetInt64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Int64 values[],
                        size_t count) {
    return get(c, "fmi3GetInt64", ValueType::enumeration, vr, n, values, count);
}
fmi3Status fmi3SetInt64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int64 values[],
                        size_t count) {
    return set(c, "fmi3SetInt64", ValueType::enumeration, vr, n, values, count);
}
fmi3Status fmi3GetBoolean(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Boolean values[],
                          size_t count) {
    return get(c, "fmi3GetBoolean", ValueType::boolean, vr, n, values, count);
}
fmi3Status fmi3SetBoolean(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Boolean values[],
                          size_t count) {
    return set(c, "fmi3SetBoolean", ValueType::boolean, vr, n, values, count);
}

fmi3Status fmi3GetFloat32(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3Float32[], size_t) {
    return none(c, "fmi3GetFloat32", n);
}
fmi3Status fmi3SetFloat32(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3Float32[], size_t) {
    return none(c, "fmi3SetFloat32", n);
}
fmi3Status fmi3GetInt8(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3Int8[], size_t) {
    return none(c, "fmi3GetInt8", n);
}
fmi3Status fmi3SetInt8(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3Int8[], size_t) {
    return none(c, "fmi3SetInt8", n);
}
fmi3Status fmi3GetUInt8(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3UInt8[], size_t) {
    return none(c, "fmi3GetUInt8", n);
}
fmi3Status fmi3SetUInt8(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3UInt8[], size_t) {
    return none(c, "fmi3SetUInt8", n);
}
fmi3Status fmi3GetInt16(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3Int16[], size_t) {
    return none(c, "fmi3GetInt16", n);
}
fmi3Status fmi3SetInt16(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3Int16[], size_t) {
    return none(c, "fmi3SetInt16", n);
}
fmi3Status fmi3GetUInt16(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3UInt16[], size_t) {
    return none(c, "fmi3GetUInt16", n);
}
fmi3Status fmi3SetUInt16(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3UInt16[], size_t) {
    return none(c, "fmi3SetUInt16", n);
}
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3Int32[], size_t) {
    return none(c, "fmi3GetInt32", n);
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3Int32[], size_t) {
    return none(c, "fmi3SetInt32", n);
}
fmi3Status fmi3GetUInt32(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3UInt32[], size_t) {
    return none(c, "fmi3GetUInt32", n);
}
fmi3Status fmi3SetUInt32(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3UInt32[], size_t) {
    return none(c, "fmi3SetUInt32", n);
}
fmi3Status fmi3GetUInt64(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3UInt64[], size_t) {
    return none(c, "fmi3GetUInt64", n);
}
fmi3Status fmi3SetUInt64(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3UInt64[], size_t) {
    return none(c, "fmi3SetUInt64", n);
}
fmi3Status fmi3GetString(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3String[], size_t) {
    return none(c, "fmi3GetString", n);
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3String[], size_t) {
    return none(c, "fmi3SetString", n);
}
fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference[], size_t n, size_t[], fmi3Binary[],
                         size_t) {
    return none(c, "fmi3GetBinary", n);
}
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference[], size_t n, const size_t[],
                         const fmi3Binary[], size_t) {
    return none(c, "fmi3SetBinary", n);
}
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference[], size_t n, fmi3Clock[]) {
    return none(c, "fmi3GetClock", n);
}
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference[], size_t n, const fmi3Clock[]) {
    return none(c, "fmi3SetClock", n);
}

} // extern "C"
