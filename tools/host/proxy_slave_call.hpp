#pragma once
// How the two files of ProxySlave make a call.

#include "tools/host/proxy_slave.hpp"

#include <limits>

namespace tenon::host {

template <class Fill, class Read>
fmi::Status ProxySlave::call(const Call& call, Fill&& fill, Read&& read, Content content) {
    const fmi::Status status = attempt(call, fill, read, content);
    if (relay_.has_kept()) // what a callback has thrown meanwhile
        relay_.rethrow_kept();
    return status;
}

template <class Fill, class Read>
fmi::Status ProxySlave::attempt(const Call& call, Fill& fill, Read& read, Content content) {
    if (is_fatal())
        return fmi::Status::fatal;
    if (busy_)
        return refuse(call, "another call of the same instance is under way");
    MessageWriter request(line_->space());
    fill(request);
    if (request.overflown())
        return refuse_size(call, request.capacity());

    const Arrival arrival = exchange(call, request.size(), std::numeric_limits<double>::infinity());
    if (is_fatal())
        return fmi::Status::fatal; // lost in a call from the intermediate update, which has told it
    if (arrival.lost || arrival.reply != Reply::answer)
        return lose(call, reason_for_loss(arrival));
    if (content == Content::always || arrival.status <= fmi::Status::warning) {
        MessageReader answer(arrival.content);
        if (!read(answer) || !answer.complete())
            return lose(call, "its answer cannot be understood");
    }
    if (arrival.status == fmi::Status::fatal)
        line_.reset();
    return arrival.status;
}

} // namespace tenon::host
