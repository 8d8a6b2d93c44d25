#include "tools/check/probe.hpp"

#include "tools/check/tracing_slave.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/slave2.hpp"
#include "tools/import/slave3.hpp"

namespace tenon::check {
namespace {

constexpr std::size_t longest_log = 300;

std::string with_kind(ProbeMessage kind, const std::string& bytes) { return static_cast<char>(kind) + bytes; }

} // namespace

Probe::Probe(const Target& target, std::string_view check, CallTrace& trace,
             const host::ChildChannel& channel)
    : target_(target), check_(check), trace_(trace), channel_(channel) {}

void Probe::report(const fmi::Finding& finding) {
    channel_.send(with_kind(ProbeMessage::finding, Packer().put(finding).bytes()));
}

void Probe::error(std::string rule, std::string message, std::string hint) {
    report({fmi::Severity::error, std::move(rule), check_, std::move(message), std::move(hint)});
}

void Probe::warning(std::string rule, std::string message, std::string hint) {
    report({fmi::Severity::warning, std::move(rule), check_, std::move(message), std::move(hint)});
}

void Probe::note(std::string rule, std::string message, std::string hint) {
    report({fmi::Severity::note, std::move(rule), check_, std::move(message), std::move(hint)});
}

void Probe::answer(const Packer& data) { channel_.send(with_kind(ProbeMessage::answer, data.bytes())); }

void Probe::begin_item(std::size_t item) {
    channel_.send(with_kind(ProbeMessage::item, Packer().put(item).bytes()));
}

std::unique_ptr<fmi::Slave> Probe::instantiate(fmi::InstanceOptions options) {
    options.event_mode = options.event_mode || target_.experiment.event_mode;
    if (description().version == fmi::Version::fmi3)
        options.logging = true; // or it may not even log its errors
    const fmi::LogSink also = options.log;
    options.log = [this, also](fmi::Status status, const std::string& category, const std::string& message) {
        const std::scoped_lock lock(mutex_); // instances in two threads log at the same time
        if (status > fmi::Status::ok)
            last_log_ = printable(message, longest_log);
        if (also)
            also(status, category, message);
    };
    const TracedCall call(trace_, "{}",
                          description().version == fmi::Version::fmi2 ? "fmi2Instantiate"
                                                                      : "fmi3InstantiateCoSimulation");
    const fmi::SlaveParts parts{
        library_for_one_more(),
        {std::shared_ptr<const void>(), &description()}, // the target outlives every slave
        target_.resources,
        target_.has_resources};
    std::unique_ptr<fmi::Slave> slave;
    if (description().version == fmi::Version::fmi2)
        slave = std::make_unique<fmi::Slave2>(parts, options);
    else
        slave = std::make_unique<fmi::Slave3>(parts, options);
    return std::make_unique<TracingSlave>(std::move(slave), trace_);
}

/// Like Fmu::instantiate(), but from files that all children share. An FMU that allows one instance in a process gets a
/// copy of its library for each further one: the loader takes another file for another library.
std::shared_ptr<fmi::Library> Probe::library_for_one_more() {
    if (!library_)
        library_ = std::make_shared<fmi::Library>(target_.library, nullptr);
    if (instances_++ == 0 || !description().capabilities.only_once_per_process)
        return library_;
    const auto copy = std::filesystem::temp_directory_path() / fmt::format("copy-{}.so", instances_);
    std::filesystem::copy_file(target_.library, copy);
    return std::make_shared<fmi::Library>(copy, nullptr);
}

void Probe::require(fmi::Status status) {
    if (status == fmi::Status::ok)
        return;
    const std::string what = describe_answer(status);
    if (status > fmi::Status::warning)
        throw CallFailed(what);
    note("warning", what);
}

/// The last call, what it returned, and why.
std::string Probe::describe_answer(fmi::Status status) {
    const std::vector<std::string> calls = trace_.calls();
    const std::scoped_lock lock(mutex_);
    return fmt::format("{} returned {}{}", calls.empty() ? "a call" : calls.back(), status_name(status),
                       last_log_.empty() ? std::string(" and logged nothing")
                                         : fmt::format("; it logged: {}", last_log_));
}

} // namespace tenon::check
