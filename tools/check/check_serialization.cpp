// States as bytes: valid in another process of the same FMU, refused when they are not what was written.

#include "tools/check/dynamic_checks.hpp"
#include "tools/check/session.hpp"

#include <algorithm>
#include <fmt/ranges.h>

namespace tenon::check {
namespace {

/// Bytes of a state in the middle of a run, and the run from there to its end.
struct Transfer {
    int index = 0;
    double time = 0;
    std::vector<unsigned char> bytes;
    Trajectory rest;
};

void write_state(Probe& probe) {
    const int steps = probe.experiment().steps;
    Session session(probe);
    session.initialize();
    session.run(steps / 2);
    const Session::Position position = session.position();
    fmi::StateHandle state = nullptr;
    std::vector<unsigned char> bytes, again;
    probe.require(session.slave().save(state));
    probe.require(session.slave().serialize(state, bytes));
    probe.require(session.slave().serialize(state, again));
    if (bytes.empty())
        throw CallFailed("the serialized state has 0 bytes");
    if (bytes != again)
        probe.warning("serialization-differs",
                      "the same state gives different bytes when it is serialized twice",
                      "padding or uninitialised memory is written");
    probe.require(session.slave().discard(state));
    Packer packer;
    packer.put(position.index).put(position.time).put(bytes);
    pack(packer, session.run(steps - position.index));
    probe.answer(packer);
}

std::optional<Transfer> get_transfer(Runner& runner) {
    const Runner::Answer answer = runner.in_child(write_state);
    if (answer.data.empty())
        return {};
    Unpacker unpacker(answer.data.front());
    Transfer transfer;
    unpacker.get(transfer.index);
    unpacker.get(transfer.time);
    unpacker.get(transfer.bytes);
    transfer.rest = unpack_trajectory(unpacker);
    return transfer;
}

void continue_from(Probe& probe, const Transfer& transfer) {
    // Forked from the same parent, both processes would have their memory at the same places, and addresses in the bytes
    // would mean the same in both.
    const std::vector<std::vector<char>> elsewhere(997, std::vector<char>(331));
    Session session(probe);
    fmi::StateHandle state = nullptr;
    probe.require(session.slave().deserialize(transfer.bytes, state));
    probe.require(session.slave().restore(state));
    probe.require(session.slave().discard(state));
    session.set_position({transfer.index, transfer.time});
    expect_run(
        probe, session, transfer.rest,
        {"serialization-differs",
         fmt::format("continued in another process from the bytes at t = {}, the run differs", transfer.time),
         "bytes must hold the whole state, and no addresses"});
}

/// A change to the bytes of a state, and its name.
struct Damage {
    std::string name;
    bool truncated = false;
    std::vector<unsigned char> bytes;
};

std::vector<Damage> damages(const std::vector<unsigned char>& good) {
    std::vector<Damage> list;
    const std::size_t n = good.size();
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, n / 2, n - 1})
        if (length < n &&
            std::none_of(list.begin(), list.end(), [&](const Damage& d) { return d.bytes.size() == length; }))
            list.push_back({fmt::format("cut to {} of {} bytes", length, n),
                            true,
                            {good.begin(), good.begin() + static_cast<long>(length)}});
    for (const std::size_t place : {std::size_t{0}, n / 3, n / 2, n - 1}) {
        Damage damage{fmt::format("byte {} of {} inverted", place + 1, n), false, good};
        damage.bytes[place] = static_cast<unsigned char>(~damage.bytes[place]);
        list.push_back(std::move(damage));
    }
    list.push_back({fmt::format("{} bytes of 255", n), false, std::vector<unsigned char>(n, 0xFF)});
    return list;
}

/// Refused at one of the two gates, or taken: then answered with its number. Whoever takes it must at least survive a step.
void try_damaged(Probe& probe, const Damage& damage, std::size_t number, const Transfer& transfer) {
    Session session(probe);
    fmi::StateHandle state = nullptr;
    if (session.slave().deserialize(damage.bytes, state) > fmi::Status::warning ||
        session.slave().restore(state) > fmi::Status::warning)
        return;
    probe.answer(Packer().put(number));
    session.slave().step(transfer.time, probe.experiment().step);
}

void report_accepted(Runner& runner, const std::vector<Damage>& list,
                     const std::vector<std::string>& answers) {
    std::vector<std::string> truncated, altered;
    for (const std::string& answer : answers) {
        const Damage& damage = list.at(Unpacker(answer).get<std::size_t>());
        (damage.truncated ? truncated : altered).push_back(damage.name);
    }
    if (!truncated.empty())
        runner.findings().error(
            "truncated-state", "broken-bytes",
            fmt::format("states that are not complete are accepted: {}", fmt::join(truncated, "; ")),
            "compare the size with the one that was written before anything is read");
    if (!altered.empty())
        runner.findings().warning(
            "altered-state", "broken-bytes",
            fmt::format("states that were altered are accepted: {}", fmt::join(altered, "; ")),
            "put a checksum and the instantiation token into the bytes");
}

} // namespace

void check_serialization(Runner& runner) {
    if (const auto transfer = get_transfer(runner))
        runner.in_child([&](Probe& probe) { continue_from(probe, *transfer); });
}

void check_broken_bytes(Runner& runner) {
    const auto transfer = get_transfer(runner);
    if (!transfer)
        return;
    const std::vector<Damage> list = damages(transfer->bytes);
    const auto answers = runner.each(
        list.size(),
        [&](Probe& probe, std::size_t i) {
            try_damaged(probe, list[i], i, *transfer);
            return false; // what was read in the last case must not disturb the next
        },
        [&](std::size_t i) { return "a state with " + list[i].name; });
    report_accepted(runner, list, answers);
}

} // namespace tenon::check
