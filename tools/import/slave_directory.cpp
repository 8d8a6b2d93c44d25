#include "tools/import/slave_directory.hpp"

#include "tools/import/call_board.hpp"
#include "tools/import/foreign_text.hpp"
#include "tools/import/local_slave.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

namespace tenon::fmi {
namespace {

struct Entry {
    LocalSlave* slave = nullptr; ///< null: the place is free
    std::string name;
    std::shared_ptr<LogRelay> relay;
};

struct Directory {
    std::mutex mutex;
    std::vector<Entry> entries = std::vector<Entry>(1); ///< the first place stays free

    Entry* of(const void* environment) {
        const auto given = [&](const Entry& entry) { return entry.slave == environment; };
        const auto found = std::ranges::find_if(entries.begin() + 1, entries.end(), given);
        return environment && found != entries.end() ? &*found : nullptr;
    }
    Entry* of_this_thread() {
        const std::uint64_t word = call_slot->call.load(std::memory_order_relaxed);
        const auto number = static_cast<std::size_t>(word >> 8 & 0xffff);
        return number > 0 && number < entries.size() && entries[number].slave ? &entries[number] : nullptr;
    }
    Entry* named(const std::string& name) {
        Entry* found = nullptr;
        for (Entry& entry : entries)
            if (entry.slave && entry.name == name) {
                if (found)
                    return nullptr;
                found = &entry;
            }
        return found;
    }
};

/// Lives as long as the process: threads of an FMU may log until its very end.
Directory& directory() {
    static auto& only = *new Directory;
    return only;
}

} // namespace

unsigned add_slave(LocalSlave& slave, const std::string& name, std::shared_ptr<LogRelay> relay) {
    Directory& all = directory();
    const std::lock_guard lock(all.mutex);
    auto place = std::ranges::find(all.entries.begin() + 1, all.entries.end(), nullptr,
                                   [](const Entry& e) { return e.slave; });
    if (place == all.entries.end())
        place = all.entries.insert(place, Entry());
    *place = {&slave, name, std::move(relay)};
    const auto number = static_cast<std::size_t>(place - all.entries.begin());
    if (number >= CallBoard::most_fmus)
        return 0;
    char* shown = call_board->names[number];
    shown[name.copy(shown, CallBoard::longest_name - 1)] = '\0';
    return static_cast<unsigned>(number);
}

void remove_slave(const LocalSlave& slave) {
    Directory& all = directory();
    const std::lock_guard lock(all.mutex);
    if (Entry* entry = all.of(&slave))
        *entry = {};
}

LocalSlave* find_slave(const void* environment) {
    Directory& all = directory();
    const std::lock_guard lock(all.mutex);
    Entry* entry = all.of(environment);
    if (!entry)
        entry = all.of_this_thread();
    return entry ? entry->slave : nullptr;
}

std::shared_ptr<LogRelay> find_relay(const void* environment, const char* instance) {
    Directory& all = directory();
    const std::lock_guard lock(all.mutex);
    if (const Entry* entry = all.of(environment))
        return entry->relay;
    if (const Entry* entry = all.of_this_thread())
        return entry->relay;
    const Entry* entry = all.named(foreign_text(instance));
    return entry ? entry->relay : nullptr;
}

} // namespace tenon::fmi
