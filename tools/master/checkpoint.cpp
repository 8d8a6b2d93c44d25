#include "tools/master/checkpoint.hpp"

#include "core/math/bytes.hpp"
#include "core/math/error.hpp"
#include "core/model/model_bytes.hpp"
#include "tools/master/failure_text.hpp"

namespace tenon::master {
namespace {

constexpr std::uint64_t magic = 0x314b434e4f4e4554; // "TENONCK1"
constexpr std::string_view own_name = "the checkpoint";

void put(ByteWriter& bytes, const fmi::Start& start) {
    std::visit(
        [&]<class T>(const T& values) {
            if constexpr (!std::is_same_v<T, std::monostate>)
                for (const auto& value : values)
                    bytes.put(value);
        },
        start);
}

void put(ByteWriter& bytes, const std::vector<ValueBlock>& blocks) {
    for (const ValueBlock& block : blocks) {
        bytes.put(block.bytes());
        for (const std::string& text : block.texts())
            bytes.put(text);
    }
}

void get(ByteReader& bytes, std::vector<ValueBlock>& blocks) {
    for (ValueBlock& block : blocks) {
        const std::vector<unsigned char> numbers = bytes.get_bytes();
        std::vector<std::string> texts(block.texts().size());
        for (std::string& text : texts)
            text = bytes.get_text();
        if (!block.assign(numbers, texts))
            throw Error(ErrorKind::model, "the checkpoint is damaged: values of another size");
    }
}

void put(ByteWriter& bytes, const MasterReport& report) {
    for (const long count : {report.steps, report.dosteps, report.rollbacks, report.iterations})
        bytes.put<std::int64_t>(count);
    bytes.put<std::int64_t>(report.halvings);
    bytes.put(report.smallest_step);
}

void get(ByteReader& bytes, MasterReport& report) {
    for (long* count : {&report.steps, &report.dosteps, &report.rollbacks, &report.iterations})
        *count = static_cast<long>(bytes.get<std::int64_t>());
    report.halvings = static_cast<int>(bytes.get<std::int64_t>());
    report.smallest_step = bytes.get<double>();
}

void put_curves(ByteWriter& bytes, const InputCurves& curves) {
    bytes.put<std::uint64_t>(curves.known());
    for (std::size_t i = 0; i < curves.known(); ++i) {
        bytes.put(curves.times()[i]);
        bytes.put(std::span<const double>(curves.values(i)));
    }
}

void get_curves(ByteReader& bytes, InputCurves& curves, std::size_t inputs) {
    curves.forget();
    std::vector<double> values(inputs);
    for (std::uint64_t n = bytes.get<std::uint64_t>(); n > 0; --n) {
        const double time = bytes.get<double>();
        bytes.get(values);
        curves.begin(time, values);
    }
}

void require(bool success, const Ensemble& ensemble, const Participant& participant, double time) {
    if (!success)
        throw Error(ErrorKind::computation, describe(ensemble, time, participant.failure), participant.name);
}

std::uint64_t number_at(std::span<const unsigned char> bytes, std::size_t at) {
    return ByteReader(bytes.subspan(at), own_name).get<std::uint64_t>();
}

/// The content between the head and the checksum. Throws Error(model) where the bytes are not what was written.
std::span<const unsigned char> checked(std::span<const unsigned char> bytes,
                                       const system::CheckedSystem& system) {
    constexpr std::size_t head = 2 * sizeof(std::uint64_t), tail = sizeof(std::uint64_t);
    if (bytes.size() < head + tail || number_at(bytes, 0) != magic)
        throw Error(ErrorKind::model, "these bytes are not a checkpoint of this version");
    const std::span content = bytes.first(bytes.size() - tail);
    if (number_at(bytes, content.size()) != checksum(content))
        throw Error(ErrorKind::model, "the checkpoint is damaged: its checksum is wrong");
    if (number_at(bytes, sizeof magic) != fingerprint(system))
        throw Error(
            ErrorKind::model,
            "the checkpoint belongs to another system: FMUs, connections, values or settings have changed");
    return content.subspan(head);
}

} // namespace

std::string cannot_checkpoint(const Ensemble& ensemble) {
    for (const auto& participant : ensemble.participants)
        if (!participant->rollback || !participant->description->capabilities.serialize_state)
            return participant->name;
    return {};
}

std::uint64_t fingerprint(const system::CheckedSystem& system) {
    ByteWriter bytes;
    for (std::size_t i = 0; i < system.fmus.size(); ++i) {
        const fmi::Description& description = system.fmus[i]->description();
        bytes.put(system.system.fmus[i].name);
        bytes.put(description.token);
        for (const ArchiveEntry& entry : system.fmus[i]->archive().entries()) {
            bytes.put(entry.name);
            bytes.put(entry.size);
            bytes.put(entry.packed);
        }
        for (const system::CheckedSystem::Assignment& assignment : system.assignments[i]) {
            bytes.put<std::uint64_t>(assignment.variable);
            put(bytes, assignment.values);
        }
    }
    for (const system::CheckedSystem::Wire& wire : system.wires) {
        for (const std::size_t number : {wire.from_fmu, wire.from_variable, wire.from_element, wire.to_fmu,
                                         wire.to_variable, wire.to_element})
            bytes.put<std::uint64_t>(number);
        bytes.put(wire.factor);
        bytes.put(wire.offset);
        for (const auto& [from, to] : wire.map) {
            bytes.put(from);
            bytes.put(to);
        }
    }
    const system::MasterSettings& master = system.system.master;
    bytes.put(master.method);
    bytes.put(master.iteration);
    bytes.put(master.corrections);
    bytes.put(master.polynomial);
    for (const system::GlueJoint& joint : system.system.joints) {
        for (const std::string* text :
             {&joint.name, &joint.type, &joint.a.terminal, &joint.b.terminal, &joint.method})
            bytes.put(*text);
        for (const system::Side* side : {&joint.a, &joint.b})
            bytes.put<std::uint64_t>(side->fmu.value_or(system.fmus.size()));
        for (const auto& [key, numbers] : joint.numbers) {
            bytes.put(key);
            bytes.put(std::span<const double>(numbers));
        }
    }
    for (const double number : {master.start, master.step, master.tolerance})
        bytes.put(number);
    for (const int number : {master.extrapolation, master.max_iterations, int{master.adaptive}})
        bytes.put(number);
    return checksum(bytes.bytes);
}

std::vector<unsigned char> write_checkpoint(Ensemble& ensemble, const Scheme& scheme, Driver& driver) {
    ByteWriter bytes;
    bytes.put(magic);
    bytes.put(fingerprint(ensemble.system));
    driver.write(bytes);
    scheme.write(bytes);
    put_curves(bytes, ensemble.curves);
    bytes.put(std::span<const double>(ensemble.signals.inputs));
    bytes.put(std::span<const double>(ensemble.signals.now));
    put(bytes, ensemble.report);
    driver.cut(); // what follows overwrites the states for the way back
    std::vector<unsigned char> state;
    for (const auto& participant : ensemble.participants) {
        require(participant->serialize(state), ensemble, *participant, driver.time());
        bytes.put(state);
        put(bytes, participant->other_inputs);
        put(bytes, participant->other_outputs);
        bytes.put(participant->next_event);
        bytes.put<std::int64_t>(participant->dosteps);
        bytes.put(participant->seconds);
    }
    bytes.put(checksum(bytes.bytes));
    return std::move(bytes.bytes);
}

void read_checkpoint(Ensemble& ensemble, Scheme& scheme, Driver& driver, std::span<const unsigned char> all) {
    ByteReader bytes(checked(all, ensemble.system), own_name);
    driver.read(bytes);
    scheme.read(bytes);
    get_curves(bytes, ensemble.curves, ensemble.signals.inputs.size());
    bytes.get(ensemble.signals.inputs);
    bytes.get(ensemble.signals.now);
    get(bytes, ensemble.report);
    for (const auto& participant : ensemble.participants) {
        require(participant->deserialize(bytes.get_bytes()), ensemble, *participant, driver.time());
        get(bytes, participant->other_inputs);
        get(bytes, participant->other_outputs);
        participant->next_event = bytes.get<double>();
        participant->dosteps = static_cast<long>(bytes.get<std::int64_t>());
        participant->seconds = bytes.get<double>();
    }
    if (!bytes.is_empty())
        throw Error(ErrorKind::model, "the checkpoint is damaged: there are bytes behind its end");
}

} // namespace tenon::master
