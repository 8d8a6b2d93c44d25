// Values, derivatives and states.

#include "tools/host/proxy_slave.hpp"

#include "tools/host/proxy_slave_call.hpp"
#include "tools/host/value_size.hpp"

namespace tenon::host {
namespace {

template <class T> void write_counted(MessageWriter& out, std::span<const T> values) {
    out.value(std::uint64_t(values.size()));
    out.array(values);
}

/// The number under which the host knows a state.
std::uint64_t number_of(fmi::StateHandle state) { return reinterpret_cast<std::uint64_t>(state); }
fmi::StateHandle handle_of(std::uint64_t number) { return reinterpret_cast<fmi::StateHandle>(number); }

/// More than 0 and 1 a bool cannot hold.
void make_boolean(std::span<unsigned char> values) {
    for (unsigned char& value : values)
        value = value != 0;
}

constexpr auto no_answer = [](MessageReader&) { return true; };

} // namespace

fmi::Status ProxySlave::get(fmi::Type type, std::span<const fmi::Reference> references, void* values,
                            std::size_t count) {
    const Call what{.operation = Operation::get, .type = type, .values = count};
    const std::size_t size = value_size(type);
    if (line_ && size > 0 && count > line_->space().size() / size)
        return refuse_size(what, line_->space().size());
    return call(
        what,
        [&](MessageWriter& request) {
            request.value(type);
            write_counted(request, references);
            request.value(std::uint64_t(count));
        },
        [&](MessageReader& answer) {
            if (size == 0) {
                answer.texts(std::span(static_cast<std::string*>(values), count));
                return true;
            }
            const std::span bytes(static_cast<unsigned char*>(values), count * size);
            answer.copy(bytes);
            if (type == fmi::Type::boolean || type == fmi::Type::clock)
                make_boolean(bytes);
            return true;
        });
}

fmi::Status ProxySlave::set(fmi::Type type, std::span<const fmi::Reference> references, const void* values,
                            std::size_t count) {
    return call(
        {.operation = Operation::set, .type = type, .values = count},
        [&](MessageWriter& request) {
            request.value(type);
            write_counted(request, references);
            request.value(std::uint64_t(count));
            if (const std::size_t size = value_size(type); size > 0)
                request.array(std::span(static_cast<const unsigned char*>(values), count * size));
            else
                request.texts(std::span(static_cast<const std::string*>(values), count));
        },
        no_answer);
}

fmi::Status ProxySlave::set_input_derivatives(std::span<const fmi::Reference> references,
                                              std::span<const std::int32_t> orders,
                                              std::span<const double> values) {
    return call(
        {.operation = Operation::set_input_derivatives},
        [&](MessageWriter& request) {
            write_counted(request, references);
            write_counted(request, orders);
            write_counted(request, values);
        },
        no_answer);
}

fmi::Status ProxySlave::get_output_derivatives(std::span<const fmi::Reference> references,
                                               std::span<const std::int32_t> orders,
                                               std::span<double> values) {
    return call(
        {.operation = Operation::get_output_derivatives},
        [&](MessageWriter& request) {
            write_counted(request, references);
            write_counted(request, orders);
            request.value(std::uint64_t(values.size()));
        },
        [&](MessageReader& answer) {
            answer.copy(values);
            return true;
        });
}

fmi::Status ProxySlave::derivative(Operation operation, std::span<const fmi::Reference> unknowns,
                                   std::span<const fmi::Reference> knowns, std::span<const double> seed,
                                   std::span<double> sensitivity) {
    return call(
        {.operation = operation},
        [&](MessageWriter& request) {
            write_counted(request, unknowns);
            write_counted(request, knowns);
            write_counted(request, seed);
            request.value(std::uint64_t(sensitivity.size()));
        },
        [&](MessageReader& answer) {
            answer.copy(sensitivity);
            return true;
        });
}

fmi::Status ProxySlave::directional_derivative(std::span<const fmi::Reference> unknowns,
                                               std::span<const fmi::Reference> knowns,
                                               std::span<const double> seed, std::span<double> sensitivity) {
    return derivative(Operation::directional_derivative, unknowns, knowns, seed, sensitivity);
}

fmi::Status ProxySlave::adjoint_derivative(std::span<const fmi::Reference> unknowns,
                                           std::span<const fmi::Reference> knowns,
                                           std::span<const double> seed, std::span<double> sensitivity) {
    return derivative(Operation::adjoint_derivative, unknowns, knowns, seed, sensitivity);
}

fmi::Status ProxySlave::save(fmi::StateHandle& state) {
    return call(
        {.operation = Operation::save}, [&](MessageWriter& request) { request.value(number_of(state)); },
        [&](MessageReader& answer) {
            state = handle_of(answer.value<std::uint64_t>());
            return true;
        });
}

fmi::Status ProxySlave::restore(fmi::StateHandle state) {
    return call(
        {.operation = Operation::restore}, [&](MessageWriter& request) { request.value(number_of(state)); },
        no_answer);
}

fmi::Status ProxySlave::discard(fmi::StateHandle& state) {
    if (!state)
        return fmi::Status::ok;
    const std::uint64_t number = number_of(state);
    state = nullptr;
    return call(
        {.operation = Operation::discard}, [&](MessageWriter& request) { request.value(number); }, no_answer);
}

fmi::Status ProxySlave::serialize(fmi::StateHandle state, std::vector<unsigned char>& bytes) {
    return call(
        {.operation = Operation::serialize}, [&](MessageWriter& request) { request.value(number_of(state)); },
        [&](MessageReader& answer) {
            const auto size = answer.value<std::uint64_t>();
            const std::span<const unsigned char> there = answer.array<unsigned char>(size);
            bytes.assign(there.begin(), there.end());
            return true;
        });
}

fmi::Status ProxySlave::deserialize(std::span<const unsigned char> bytes, fmi::StateHandle& state) {
    return call(
        {.operation = Operation::deserialize},
        [&](MessageWriter& request) {
            request.value(number_of(state));
            write_counted(request, bytes);
        },
        [&](MessageReader& answer) {
            state = handle_of(answer.value<std::uint64_t>());
            return true;
        });
}

} // namespace tenon::host
