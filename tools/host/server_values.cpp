// Values, derivatives and states. Arrays of numbers are used where they lie in the channel: nothing is copied twice.

#include "tools/host/server.hpp"

#include "tools/host/value_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tenon::host {
namespace {

/// Values in order of the request: their number, then themselves.
template <class T> std::span<const T> counted(MessageReader& in) {
    return in.array<T>(in.value<std::uint64_t>());
}

/// Values that the slave fills, zero before: a slave that leaves one out must not find an older message in it.
template <class T> std::span<T> zeros(MessageWriter& out, std::size_t count) {
    T* place = out.room<T>(count);
    if (place)
        std::memset(place, 0, count * sizeof(T));
    return place ? std::span(place, count) : std::span<T>();
}

} // namespace

fmi::Status Server::get(MessageReader& in, MessageWriter& out) {
    const auto type = in.value<fmi::Type>();
    const std::span<const fmi::Reference> references = counted<fmi::Reference>(in);
    const auto count = static_cast<std::size_t>(in.value<std::uint64_t>());
    if (const std::size_t size = value_size(type); size > 0) {
        const std::span<unsigned char> values = zeros<unsigned char>(out, count * size);
        return out.overflown() ? fmi::Status::error : slave_->get(type, references, values.data(), count);
    }
    strings_.resize(count);
    const fmi::Status status = slave_->get(type, references, strings_.data(), count);
    if (status <= fmi::Status::warning)
        out.texts(strings_);
    return status;
}

fmi::Status Server::set(MessageReader& in) {
    const auto type = in.value<fmi::Type>();
    const std::span<const fmi::Reference> references = counted<fmi::Reference>(in);
    const auto count = static_cast<std::size_t>(in.value<std::uint64_t>());
    if (const std::size_t size = value_size(type); size > 0)
        return slave_->set(type, references, in.array<unsigned char>(count * size).data(), count);
    strings_.resize(count);
    in.texts(strings_);
    return slave_->set(type, references, strings_.data(), count);
}

fmi::Status Server::set_input_derivatives(MessageReader& in) {
    const auto references = counted<fmi::Reference>(in);
    const auto orders = counted<std::int32_t>(in);
    const auto values = counted<double>(in);
    return slave_->set_input_derivatives(references, orders, values);
}

fmi::Status Server::get_output_derivatives(MessageReader& in, MessageWriter& out) {
    const auto references = counted<fmi::Reference>(in);
    const auto orders = counted<std::int32_t>(in);
    const std::span<double> values = zeros<double>(out, in.value<std::uint64_t>());
    return out.overflown() ? fmi::Status::error : slave_->get_output_derivatives(references, orders, values);
}

fmi::Status Server::derivative(Operation operation, MessageReader& in, MessageWriter& out) {
    const auto unknowns = counted<fmi::Reference>(in), knowns = counted<fmi::Reference>(in);
    const auto seed = counted<double>(in);
    const std::span<double> sensitivity = zeros<double>(out, in.value<std::uint64_t>());
    if (out.overflown())
        return fmi::Status::error;
    return operation == Operation::directional_derivative
               ? slave_->directional_derivative(unknowns, knowns, seed, sensitivity)
               : slave_->adjoint_derivative(unknowns, knowns, seed, sensitivity);
}

bool Server::find(std::uint64_t number, fmi::StateHandle& state) const {
    state = number > 0 && number <= states_.size() ? states_[number - 1] : nullptr;
    return number == 0 || state;
}

std::uint64_t Server::keep(std::uint64_t number, fmi::StateHandle state) {
    if (number == 0 && state) {
        number = static_cast<std::uint64_t>(std::ranges::find(states_, nullptr) - states_.begin()) + 1;
        states_.resize(std::max(states_.size(), number));
    }
    if (number > 0)
        states_[number - 1] = state;
    return state ? number : 0;
}

fmi::Status Server::no_such_state(std::uint64_t number) {
    log_.put(fmi::Status::error, "host", fmt::format("there is no state {} in this instance", number));
    return fmi::Status::error;
}

fmi::Status Server::save(MessageReader& in, MessageWriter& out) {
    const auto number = in.value<std::uint64_t>();
    fmi::StateHandle state = nullptr;
    if (!find(number, state))
        return no_such_state(number);
    const fmi::Status status = slave_->save(state);
    out.value(keep(number, state));
    return status;
}

fmi::Status Server::restore(MessageReader& in) {
    const auto number = in.value<std::uint64_t>();
    fmi::StateHandle state = nullptr;
    return find(number, state) ? slave_->restore(state) : no_such_state(number);
}

fmi::Status Server::discard(MessageReader& in) {
    const auto number = in.value<std::uint64_t>();
    fmi::StateHandle state = nullptr;
    if (!find(number, state))
        return no_such_state(number);
    const fmi::Status status = slave_->discard(state);
    keep(number, state);
    return status;
}

fmi::Status Server::serialize(MessageReader& in, MessageWriter& out) {
    const auto number = in.value<std::uint64_t>();
    fmi::StateHandle state = nullptr;
    if (!find(number, state))
        return no_such_state(number);
    const fmi::Status status = slave_->serialize(state, bytes_);
    if (status <= fmi::Status::warning) {
        out.value(std::uint64_t(bytes_.size()));
        out.array(std::span<const unsigned char>(bytes_));
    }
    return status;
}

fmi::Status Server::deserialize(MessageReader& in, MessageWriter& out) {
    const auto number = in.value<std::uint64_t>();
    const auto bytes = counted<unsigned char>(in);
    fmi::StateHandle state = nullptr;
    if (!find(number, state))
        return no_such_state(number);
    const fmi::Status status = slave_->deserialize(bytes, state);
    out.value(keep(number, state));
    return status;
}

} // namespace tenon::host
