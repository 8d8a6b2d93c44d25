#pragma once
// Makes the calls of a record again (recorded_calls.hpp) and compares the answers, bit for bit.

#include "tools/import/slave.hpp"

#include <filesystem>

namespace tenon::fmi {

/// Makes the instance with these options.
using MakeSlave = std::function<std::unique_ptr<Slave>(const InstanceOptions& options)>;

struct ReplayResult {
    std::size_t calls = 0;
    std::size_t line = 0;   ///< of the file, from 1, where the first difference is; 0: none
    std::string difference; ///< one clause; empty: none
};

/// Stops at the first difference. `log` gets what the FMU says meanwhile. Throws InputError where the file is not a record, and
/// LoadError as `make` does.
ReplayResult replay_calls(const std::filesystem::path& file, const MakeSlave& make, LogSink log = {});

} // namespace tenon::fmi
