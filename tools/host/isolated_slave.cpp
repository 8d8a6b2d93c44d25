#include "tools/host/isolated_slave.hpp"

#include "tools/files/errors.hpp"
#include "tools/host/process_line.hpp"
#include "tools/host/proxy_slave.hpp"

#include <fmt/format.h>

#include <system_error>

namespace tenon::host {
namespace {

constexpr std::size_t longest_path = 4096;

/// What the sandbox may have to do with a refusal.
std::string hint(const std::string& message, const IsolationOptions& options) {
    const bool refused =
        message.find("Permission denied") != message.npos || message.find("not permitted") != message.npos;
    return options.sandbox && refused
               ? "; the sandbox lets it read its own files and the system's libraries only"
               : "";
}

DeadlineRule deadline_rule(const IsolationOptions& options) {
    DeadlineRule rule;
    rule.fixed = options.deadline_seconds;
    rule.first = options.first_deadline_seconds;
    return rule;
}

} // namespace

std::unique_ptr<fmi::Slave> instantiate_isolated(const fmi::Fmu& fmu, const fmi::InstanceOptions& options,
                                                 const IsolationOptions& isolation) {
    const auto failure = [&](const std::string& what) {
        return fmi::LoadError(fmt::format("{}: {}{}", printable(fmu.file().string(), longest_path), what,
                                          hint(what, isolation)));
    };
    try {
        fmi::UnpackedFmu unpacked = unpack_fmu(fmu.archive(), fmu.description());
        const std::shared_ptr<const fmi::Description> description = unpacked.description;
        return std::make_unique<ProxySlave>(
            description, fmu.file().filename().string(), options, deadline_rule(isolation),
            [&](fmi::LogRelay& relay) -> std::unique_ptr<Line> {
                return std::make_unique<ProcessLine>(std::move(unpacked), isolation, relay);
            });
    } catch (const fmi::LoadError& error) {
        throw failure(error.what());
    } catch (const std::filesystem::filesystem_error& error) {
        throw failure(fmt::format("cannot be unpacked: {}", error.what()));
    } catch (const std::system_error& error) {
        throw failure(fmt::format("cannot be isolated: {}", error.what()));
    }
}

} // namespace tenon::host
