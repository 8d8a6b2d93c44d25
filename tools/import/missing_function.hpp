#pragma once
// What stands in for a function of FMI that a library does not have. A run that never calls it never knows; where it is
// called, the call is an error, and the slave says which function it was. The calls themselves stay as they are.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tenon::fmi {

template <std::size_t size> struct FunctionName {
    char text[size];
    consteval FunctionName(const char (&name)[size]) { std::copy_n(name, size, text); }
};

/// The name of a function as a type.
template <FunctionName name> struct Named {
    static constexpr const char* text = name.text;
    constexpr operator const char*() const { return text; }
};

/// The function that was last called in this thread without being there; whoever reports it sets it back.
inline thread_local const char* missing_function = nullptr;

/// A run is not wrong without them: they say goodbye, or switch messages on.
constexpr bool can_do_without(std::string_view name) {
    constexpr std::array<std::string_view, 4> names{"fmi2Terminate", "fmi3Terminate", "fmi2SetDebugLogging",
                                                    "fmi3SetDebugLogging"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

template <class Name, class Function> struct MissingFunction;
template <class Name, class Result, class... Arguments> struct MissingFunction<Name, Result(Arguments...)> {
    static Result call(Arguments...) {
        constexpr int ok = 0, error = 3; // of both versions
        if constexpr (!std::is_void_v<Result>) {
            if (!can_do_without(Name::text))
                missing_function = Name::text;
            if constexpr (std::is_pointer_v<Result>)
                return nullptr;
            else
                return static_cast<Result>(can_do_without(Name::text) ? ok : error);
        }
    }
};

} // namespace tenon::fmi
