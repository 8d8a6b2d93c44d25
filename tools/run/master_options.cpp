#include "tools/run/master_options.hpp"

#include "core/math/error.hpp"
#include "core/model/suggest.hpp"
#include "tools/files/errors.hpp"
#include "tools/glue/glue.hpp"
#include "tools/host/isolated_slave.hpp"
#include "tools/import/call_file.hpp"
#include "tools/run/names.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <thread>

namespace tenon::run {
namespace {

bool is_isolated(const SystemRequest& request, const system::CheckedSystem& checked, std::size_t fmu) {
    return request.settings.isolate || checked.system.fmus[fmu].isolate;
}

std::unique_ptr<fmi::Slave> make_slave(const SystemRequest& request, const system::CheckedSystem& system,
                                       std::size_t i, const fmi::InstanceOptions& instance) {
    if (!is_isolated(request, system, i))
        return system.fmus[i]->instantiate(instance);
    host::IsolationOptions isolation;
    isolation.deadline_seconds = request.deadline;
    return host::instantiate_isolated(*system.fmus[i], instance, isolation);
}

std::unique_ptr<fmi::Slave> make_traced(const SystemRequest& request, const system::CheckedSystem& system,
                                        std::size_t i, const fmi::InstanceOptions& instance) {
    const std::filesystem::path folder = request.trace;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw OutputError(folder.string(), error.message());
    const system::SystemFmu& fmu = system.system.fmus[i];
    const fmi::CallLines lines = fmi::call_file(folder / (fmu.name + ".calls"), fmu.file.filename().string());
    return std::make_unique<fmi::RecordedSlave>(
        make_slave(request, system, i, fmi::recorded(instance, lines)), lines);
}

} // namespace

master::MasterOptions master_options(const SystemRequest& request, const system::CheckedSystem& checked) {
    master::MasterOptions options = glue::with_joints();
    // More than there are processors would wait for each other; results are the same.
    options.threads = std::min(request.settings.threads,
                               std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    options.verbose = request.fmus_say_all;
    if (!request.settings.vars.empty())
        options.record = [patterns = single_patterns(request.settings.vars)](const std::string& name) {
            return std::ranges::any_of(patterns,
                                       [&](const std::string& pattern) { return matches(pattern, name); });
        };
    bool any = !request.trace.empty();
    for (std::size_t i = 0; i < checked.fmus.size(); ++i)
        any = any || is_isolated(request, checked, i);
    if (any)
        options.make_slave = [&request](const system::CheckedSystem& system, std::size_t i,
                                        const fmi::InstanceOptions& instance) {
            return request.trace.empty() ? make_slave(request, system, i, instance)
                                         : make_traced(request, system, i, instance);
        };
    return options;
}

void require_matches(const std::vector<std::string>& vars, const master::Master& master) {
    for (const std::string& pattern : single_patterns(vars)) {
        const auto fits = [&](const master::Column& column) { return matches(pattern, column.name); };
        if (std::ranges::any_of(master.columns(), fits))
            continue;
        const system::CheckedSystem& checked = master.system();
        std::vector<std::string> names;
        for (std::size_t i = 0; i < checked.fmus.size(); ++i)
            for (const fmi::Variable& variable : checked.fmus[i]->description().variables)
                names.push_back(checked.system.fmus[i].name + "." + variable.name);
        throw Error(ErrorKind::usage, fmt::format("no variable matches --vars '{}'; {}", printable(pattern),
                                                  suggestion(pattern, names)));
    }
}

void require_states(const master::Master& master) {
    if (const std::string fmu = master.cannot_checkpoint(); !fmu.empty())
        throw Error(ErrorKind::usage,
                    fmt::format("--checkpoint: fmu '{}' cannot write its state (canSerializeFMUState); run "
                                "the system without checkpoints",
                                printable(fmu)));
}

} // namespace tenon::run
