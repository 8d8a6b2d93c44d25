// Taking turns, life and steps.

#include "tools/host/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace tenon::host {
namespace {

using namespace std::chrono_literals;
constexpr auto between_looks = 1s; ///< for the parent

std::optional<double> optional_of(MessageReader& in) {
    const bool given = in.flag();
    const auto value = in.value<double>();
    return given ? std::optional(value) : std::nullopt;
}

} // namespace

Server::Server(const ChannelEnd& channel, const LogRingWriter& log, Make make)
    : channel_(channel), log_(log), make_(std::move(make)) {}

void Server::run(const std::function<bool()>& orphaned) {
    try {
        while (serve_one(orphaned) == Next::request) {
        }
    } catch (const std::exception& error) {
        fail(error.what());
    } catch (...) {
        fail("an exception of unknown type");
    }
}

Server::Next Server::serve_one(const std::function<bool()>& orphaned) {
    if (!channel_.spin(spin_))
        while (!channel_.sleep(between_looks))
            if (orphaned && orphaned())
                return Next::end;
    message_ = channel_.take();
    spin_ = std::chrono::microseconds(message_.detail); // the other end knows how many hosts there are
    const auto operation = static_cast<Operation>(message_.kind);
    if (operation == Operation::resume)
        return Next::resumed;
    MessageReader in(message_.content);
    MessageWriter out(channel_.space());
    const fmi::Status status = handle(operation, in, out);
    answer(status, out);
    return operation == Operation::free ? Next::end : Next::request;
}

void Server::answer(fmi::Status status, const MessageWriter& content) {
    std::size_t size = content.size();
    if (content.overflown()) {
        log_.put(fmi::Status::error, "host",
                 fmt::format("an answer is too large for the channel (limit {} bytes, channel_bytes)",
                             content.capacity()));
        status = std::max(status, fmi::Status::error);
        size = 0;
    }
    channel_.send(static_cast<std::uint32_t>(Reply::answer), static_cast<std::uint32_t>(status), size);
}

void Server::fail(const std::string& why) {
    MessageWriter out(channel_.space());
    out.text(why);
    channel_.send(static_cast<std::uint32_t>(Reply::failed), 0, out.size());
}

/// Inside a step: the other end answers when it has got and set what it wants.
std::optional<double> Server::ask_for_update(const fmi::IntermediateUpdate& update) {
    MessageWriter out(channel_.space());
    out.value(update.time);
    for (const bool flag :
         {update.set_requested, update.get_allowed, update.step_finished, update.can_return_early})
        out.value(flag);
    channel_.send(static_cast<std::uint32_t>(Reply::update), 0, out.size());
    while (serve_one({}) == Next::request) {
    }
    MessageReader in(message_.content);
    return optional_of(in);
}

fmi::Status Server::handle(Operation operation, MessageReader& in, MessageWriter& out) {
    switch (operation) {
    case Operation::instantiate:
        return instantiate(in);
    case Operation::set_debug_logging:
        return set_debug_logging(in);
    case Operation::enter_initialization:
        return enter_initialization(in);
    case Operation::exit_initialization:
        return slave_->exit_initialization();
    case Operation::enter_configuration:
        return slave_->enter_configuration();
    case Operation::exit_configuration:
        return slave_->exit_configuration();
    case Operation::terminate:
        return slave_->terminate();
    case Operation::reset:
        return slave_->reset();
    case Operation::get:
        return get(in, out);
    case Operation::set:
        return set(in);
    case Operation::set_input_derivatives:
        return set_input_derivatives(in);
    case Operation::get_output_derivatives:
        return get_output_derivatives(in, out);
    case Operation::step:
        return step(in, out);
    case Operation::enter_event_mode:
        return slave_->enter_event_mode();
    case Operation::update_discrete_states:
        return update_discrete_states(out);
    case Operation::enter_step_mode:
        return slave_->enter_step_mode();
    case Operation::save:
        return save(in, out);
    case Operation::restore:
        return restore(in);
    case Operation::discard:
        return discard(in);
    case Operation::serialize:
        return serialize(in, out);
    case Operation::deserialize:
        return deserialize(in, out);
    case Operation::directional_derivative:
    case Operation::adjoint_derivative:
        return derivative(operation, in, out);
    case Operation::free:
        slave_.reset();
        return fmi::Status::ok;
    case Operation::resume:
        break;
    }
    throw std::logic_error("a request that there is not");
}

fmi::Status Server::instantiate(MessageReader& in) {
    fmi::InstanceOptions options;
    in.text(options.name);
    options.visible = in.flag();
    options.logging = in.flag();
    options.event_mode = in.flag();
    options.early_return = in.flag();
    const bool updates = in.flag();
    options.intermediate.resize(in.value<std::uint64_t>());
    in.copy(std::span(options.intermediate));
    if (updates)
        options.intermediate_update = [this](const fmi::IntermediateUpdate& update) {
            return ask_for_update(update);
        };
    options.log = [this](fmi::Status status, const std::string& category, const std::string& message) {
        log_.put(status, category, message);
    };
    slave_ = make_(options);
    return fmi::Status::ok;
}

fmi::Status Server::set_debug_logging(MessageReader& in) {
    const bool on = in.flag();
    strings_.resize(in.value<std::uint64_t>());
    in.texts(strings_);
    return slave_->set_debug_logging(on, strings_);
}

fmi::Status Server::enter_initialization(MessageReader& in) {
    const auto start = in.value<double>();
    const std::optional<double> stop = optional_of(in), tolerance = optional_of(in);
    return slave_->enter_initialization(start, stop, tolerance);
}

fmi::Status Server::step(MessageReader& in, MessageWriter& out) {
    const auto time = in.value<double>(), h = in.value<double>();
    const bool no_rollback_before = in.flag();
    const fmi::StepResult result = slave_->step(time, h, no_rollback_before);
    out.value(result.reached);
    for (const bool flag : {result.early, result.event, result.terminate})
        out.value(flag);
    return result.status;
}

fmi::Status Server::update_discrete_states(MessageWriter& out) {
    const fmi::EventResult result = slave_->update_discrete_states();
    for (const bool flag : {result.again, result.terminate, result.next_event.has_value()})
        out.value(flag);
    out.value(result.next_event.value_or(0));
    return result.status;
}

} // namespace tenon::host
