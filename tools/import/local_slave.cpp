#include "tools/import/local_slave.hpp"

#include "tools/files/errors.hpp"
#include "tools/import/fmu.hpp"
#include "tools/import/missing_function.hpp"
#include "tools/import/slave_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::fmi {

LocalSlave::LocalSlave(const SlaveParts& parts, const InstanceOptions& options)
    : library_(parts.library), description_(parts.description),
      relay_(std::make_shared<LogRelay>(options.log)), number_(add_slave(*this, options.name, relay_)),
      call_(std::uint64_t{number_} << 8) {}

LocalSlave::~LocalSlave() {
    remove_slave(*this);
    relay_->close();
}

Status LocalSlave::settle(int status) {
    constexpr int pending = 5; // fmi2Pending
    Status result = Status::error;
    if (status >= 0 && status <= static_cast<int>(Status::fatal))
        result = static_cast<Status>(status);
    else if (status == pending)
        relay_->say(Status::error,
                    "the FMU returned Pending, although it was not allowed to run asynchronously");
    else
        relay_->say(Status::error, fmt::format("the FMU returned {}, which is not a status", status));
    if (const char* const name = std::exchange(missing_function, nullptr))
        relay_->say(Status::error,
                    fmt::format("the library of the FMU does not export {}, which is needed here", name));
    if (result == Status::error)
        failed_ = true;
    if (result == Status::fatal)
        library_->set_fatal();
    relay_->rethrow_kept();
    return result;
}

Status LocalSlave::refuse(std::string_view call, std::string_view reason) {
    leave();
    relay_->say(Status::error, fmt::format("{} was not called: {}", call, reason));
    relay_->rethrow_kept();
    return Status::error;
}

Status LocalSlave::refuse_count(std::string_view call, std::size_t values, std::size_t expected) {
    return refuse(call, fmt::format("{} values were given for {}", values, expected));
}

Status LocalSlave::blame(const std::string& message) {
    failed_ = true;
    relay_->say(Status::error, message);
    relay_->rethrow_kept();
    return Status::error;
}

std::optional<double> LocalSlave::time_in_step(double last, double time, double h) {
    const double round_off = 1e-9 * std::max(h, 1e-6 * std::abs(time));
    if (!(last >= time - round_off && last <= time + h + round_off)) // nor where it is not a number
        return std::nullopt;
    return std::clamp(last, time, time + h);
}

Status LocalSlave::recovered(Status status) {
    if (status <= Status::warning)
        failed_ = false;
    return status;
}

void LocalSlave::check_version(std::string_view call, const char* answer, std::string_view expected) {
    if (std::exchange(missing_function, nullptr))
        return; // nobody knows
    const std::string_view text = answer ? answer : "";
    if (!text.starts_with(expected) || (text.size() > expected.size() && text[expected.size()] != '.'))
        throw LoadError(
            fmt::format("{} returns '{}', but the description says {}", call, printable(text), expected));
}

void LocalSlave::fail_without_instance(std::string_view call, bool logging) const {
    constexpr std::size_t longest = 500;
    if (std::exchange(missing_function, nullptr))
        throw LoadError(fmt::format("does not export {}; the FMU was linked incompletely", call));
    const std::string reason = relay_->reason();
    throw LoadError(fmt::format(
        "{} gave no instance; {}", call,
        !reason.empty() ? fmt::format("the FMU says: {}", printable(reason, longest))
        : logging       ? std::string("the FMU does not say why")
                        : std::string("the FMU does not say why; it may do so with logging switched on")));
}

} // namespace tenon::fmi
