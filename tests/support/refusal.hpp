#pragma once
// What a call refuses to do, and why.

#include "tools/files/errors.hpp"

#include <catch2/catch.hpp>

#include <concepts>
#include <string>

namespace tenon::tests {

/// The message, of one line, of the Exception that `act` throws; "" where it throws nothing. Where the exception has a
/// fault, it must be this one.
template <class Exception = InputError, std::invocable Act>
std::string refusal(Act&& act, InputFault fault = InputFault::malformed) {
    try {
        act();
    } catch (const Exception& error) {
        const std::string message = error.what();
        CHECK(message.find('\n') == std::string::npos);
        if constexpr (requires { error.fault(); })
            CHECK(error.fault() == fault);
        return message;
    }
    return {};
}

} // namespace tenon::tests
