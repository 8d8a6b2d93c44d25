// Life, steps, and what happens when the line breaks.

#include "tools/host/proxy_slave.hpp"

#include "tools/files/errors.hpp"
#include "tools/host/proxy_slave_call.hpp"
#include "tools/import/fmu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::host {
namespace {

constexpr std::size_t longest_name = 200, longest_reason = 500;
/// An FMU that does not let itself be freed is not waited for any longer, seconds.
constexpr double longest_farewell = 5;
constexpr double no_limit = std::numeric_limits<double>::infinity();

void write_optional(MessageWriter& out, const std::optional<double>& number) {
    out.value(number.has_value());
    out.value(number.value_or(0));
}

constexpr auto nothing = [](auto&) { return true; };

} // namespace

ProxySlave::ProxySlave(std::shared_ptr<const fmi::Description> description, std::string file,
                       const fmi::InstanceOptions& options, const DeadlineRule& deadline, const Dial& dial)
    : description_(std::move(description)), file_(printable(file, longest_name)),
      name_(printable(options.name, longest_name)), sink_(options.log),
      intermediate_update_(options.intermediate_update), relay_(options.log), times_(deadline),
      line_(dial(relay_)) {
    instantiate(options);
}

ProxySlave::~ProxySlave() {
    if (is_fatal())
        return;
    const Call call{.operation = Operation::free};
    const Arrival arrival = exchange(call, 0, longest_farewell);
    if (arrival.lost || arrival.reply != Reply::answer)
        lose(call, reason_for_loss(arrival));
}

void ProxySlave::instantiate(const fmi::InstanceOptions& options) {
    const Call call{.operation = Operation::instantiate};
    MessageWriter request(line_->space());
    request.text(options.name);
    for (const bool flag : {options.visible, options.logging, options.event_mode, options.early_return,
                            static_cast<bool>(options.intermediate_update)})
        request.value(flag);
    request.value(std::uint64_t(options.intermediate.size()));
    request.array(std::span(options.intermediate));
    if (request.overflown())
        throw fmi::LoadError(fmt::format(
            "the options of the instance do not fit into a message (limit {} bytes)", request.capacity()));
    const Arrival arrival = exchange(call, request.size(), no_limit);
    if (arrival.lost)
        throw fmi::LoadError(fmt::format("cannot be instantiated: {}", reason_for_loss(arrival)));
    if (arrival.reply != Reply::answer)
        throw fmi::LoadError(reason_for_loss(arrival));
    relay_.rethrow_kept();
}

Arrival ProxySlave::exchange(const Call& call, std::size_t size, double at_most) {
    Patience patience(times_, call.operation, at_most);
    const Call* const outer = std::exchange(outer_, &call);
    busy_ = true;
    Arrival arrival = line_->exchange(call.operation, size, patience);
    while (!arrival.lost && arrival.reply == Reply::update)
        arrival = answer_update(arrival, patience);
    busy_ = false;
    outer_ = outer;
    if (!arrival.lost)
        times_.add(call.operation, patience.used);
    return arrival;
}

/// The slave listens while the callback runs, and then goes on with its step.
Arrival ProxySlave::answer_update(const Arrival& arrival, Patience& patience) {
    MessageReader in(arrival.content);
    fmi::IntermediateUpdate update;
    update.time = in.value<double>();
    for (bool* flag :
         {&update.set_requested, &update.get_allowed, &update.step_finished, &update.can_return_early})
        *flag = in.flag();
    if (!in.complete() || !intermediate_update_ || outer_->operation != Operation::step)
        return {.reply = Reply::failed};
    const std::optional<double> end = ask_callback(update);
    if (is_fatal())
        return {.lost = true};
    MessageWriter out(line_->space());
    write_optional(out, end);
    return line_->exchange(Operation::resume, out.size(), patience);
}

std::optional<double> ProxySlave::ask_callback(const fmi::IntermediateUpdate& update) {
    std::optional<double> end;
    busy_ = false;
    try {
        end = intermediate_update_(update);
    } catch (...) {
        relay_.keep(std::current_exception());
    }
    busy_ = true;
    return end;
}

fmi::Status ProxySlave::refuse(const Call& call, const std::string& reason) {
    relay_.say(fmi::Status::error, fmt::format("{} was not called: {}", describe(call), reason));
    return fmi::Status::error;
}

fmi::Status ProxySlave::refuse_size(const Call& call, std::size_t limit) {
    return refuse(call, fmt::format("it does not fit into a message (limit {} bytes, channel_bytes)", limit));
}

std::string ProxySlave::reason_for_loss(const Arrival& arrival) const {
    if (arrival.lost)
        return line_->why_lost();
    std::string why;
    MessageReader content(arrival.content);
    content.text(why);
    return arrival.reply == Reply::failed && content.complete() ? printable(why, longest_reason)
                                                                : "its answer cannot be understood";
}

fmi::Status ProxySlave::lose(const Call& call, const std::string& why) {
    line_.reset();
    const std::string inside = outer_ ? fmt::format(" inside {}", describe(*outer_)) : std::string();
    tell(fmi::Status::fatal, fmt::format("{} ('{}'): {}{}: {}", file_, name_, describe(call), inside, why));
    return fmi::Status::fatal;
}

/// Not through the relay: this line must not be one of those that a flood of others has left out.
void ProxySlave::tell(fmi::Status status, const std::string& message) noexcept {
    try {
        if (sink_)
            sink_(status, "host", message);
    } catch (...) {
        relay_.keep(std::current_exception());
    }
}

fmi::Status ProxySlave::plain(Operation operation) {
    return call({.operation = operation}, nothing, nothing);
}

fmi::Status ProxySlave::set_debug_logging(bool on, std::span<const std::string> categories) {
    return call(
        {.operation = Operation::set_debug_logging},
        [&](MessageWriter& request) {
            request.value(on);
            request.value(std::uint64_t(categories.size()));
            request.texts(categories);
        },
        nothing);
}

fmi::Status ProxySlave::enter_initialization(double start, std::optional<double> stop,
                                             std::optional<double> tolerance) {
    return call(
        {.operation = Operation::enter_initialization},
        [&](MessageWriter& request) {
            request.value(start);
            write_optional(request, stop);
            write_optional(request, tolerance);
        },
        nothing);
}

fmi::StepResult ProxySlave::step(double time, double h, bool no_rollback_before) {
    fmi::StepResult result{.status = fmi::Status::fatal, .reached = time};
    fmi::StepResult answered = result;
    const auto [begin, end] = std::minmax({time, time + h});
    result.status = call(
        {.operation = Operation::step, .time = time, .step = h},
        [&](MessageWriter& request) {
            request.value(time);
            request.value(h);
            request.value(no_rollback_before);
        },
        [&](MessageReader& answer) {
            answered.reached = answer.value<double>();
            for (bool* flag : {&answered.early, &answered.event, &answered.terminate})
                *flag = answer.flag();
            return (answered.reached >= begin && answered.reached <= end) || std::isnan(time + h);
        },
        Content::always);
    if (result.status == fmi::Status::fatal)
        return result;
    answered.status = result.status;
    return answered;
}

fmi::EventResult ProxySlave::update_discrete_states() {
    fmi::EventResult result;
    bool has_next = false;
    double next = 0;
    result.status = call(
        {.operation = Operation::update_discrete_states}, nothing,
        [&](MessageReader& answer) {
            for (bool* flag : {&result.again, &result.terminate, &has_next})
                *flag = answer.flag();
            next = answer.value<double>();
            return true;
        },
        Content::always);
    if (has_next)
        result.next_event = next;
    return result;
}

} // namespace tenon::host
