#include "tools/master/recorder.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/value_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tenon::master {
namespace {

bool is_recordable(const fmi::Variable& variable) {
    using enum fmi::Type;
    return variable.type != string && variable.type != binary && variable.type != clock &&
           !variable.clocked && variable.causality != fmi::Causality::independent;
}

bool is_wanted(const fmi::Variable& variable, const MasterOptions& options) {
    if (!is_recordable(variable))
        return false;
    using enum fmi::Causality;
    return options.record || variable.causality == output || (options.locals && variable.causality == local);
}

} // namespace

Recorder::Recorder(Ensemble& ensemble, const Scheme& scheme, const MasterOptions& options)
    : ensemble_(ensemble), scheme_(scheme), sources_(ensemble.participants.size()) {
    for (const Port& port : ensemble.wiring.outputs())
        if (port.block == Port::shared)
            connected_[{port.participant, port.reference}] = &port;
    for (std::size_t i = 0; i < sources_.size(); ++i)
        add(i, options);
    const std::vector<Column> own = scheme.columns();
    own_.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i)
        if (!options.record || options.record(own[i].name)) {
            own_places_.emplace_back(columns_.size(), i);
            columns_.push_back(own[i]);
        }
}

void Recorder::add(std::size_t fmu, const MasterOptions& options) {
    const system::Sizes sizes = sizes_of(ensemble_.system, fmu);
    const std::vector<fmi::Variable>& variables = ensemble_.participants[fmu]->description->variables;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (!is_wanted(variables[i], options))
            continue;
        std::vector<std::string> names;
        std::vector<std::size_t> wanted; // elements
        for (std::size_t e = 0; e < ensemble_.system.elements(fmu, i); ++e) {
            names.push_back(ensemble_.participants[fmu]->name + "." + value_name(variables[i], sizes, e));
            if (!options.record || options.record(names.back()))
                wanted.push_back(e);
        }
        if (!wanted.empty())
            add_variable(fmu, variables[i], names, wanted);
    }
}

const Port* Recorder::connected(std::size_t fmu, const fmi::Variable& variable) const {
    if (variable.type != fmi::Type::float64) // FMI 2.0 counts references for each type
        return nullptr;
    const auto found = connected_.find({fmu, variable.reference});
    return found == connected_.end() ? nullptr : found->second;
}

void Recorder::add_variable(std::size_t fmu, const fmi::Variable& variable,
                            const std::vector<std::string>& names, const std::vector<std::size_t>& wanted) {
    const Port* port = connected(fmu, variable);
    Source& source = sources_[fmu];
    std::size_t block = 0, first = 0;
    if (!port) {
        const auto found = std::ranges::find(source.blocks, variable.type, &ValueBlock::type);
        block = static_cast<std::size_t>(found - source.blocks.begin());
        if (found == source.blocks.end())
            source.blocks.emplace_back(variable.type);
        first = source.blocks[block].add(variable.reference, names.size());
    }
    for (const std::size_t element : wanted) {
        if (port)
            slots_.emplace_back(columns_.size(), port->first + element);
        else
            source.places.push_back({columns_.size(), block, first + element});
        columns_.push_back({names[element], variable.unit, variable.description, variable.type});
    }
}

void Recorder::read(double time, std::span<double> values) {
    for (const auto& [column, slot] : slots_)
        values[column] = ensemble_.signals.now[slot];
    scheme_.values(own_);
    for (const auto& [column, index] : own_places_)
        values[column] = own_[index];
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        if (sources_[i].blocks.empty())
            continue;
        Participant& participant = *ensemble_.participants[i];
        const Participant::Sample sample(participant, Participant::Work::record);
        for (ValueBlock& block : sources_[i].blocks)
            if (!participant.succeeded("Get", block.get(*participant.slave)))
                throw Error(ErrorKind::computation, describe(ensemble_, time, participant.failure),
                            participant.name);
        for (const Place& place : sources_[i].places)
            values[place.column] = sources_[i].blocks[place.block].number(place.index);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (fmi::is_float(columns_[i].type) && !std::isfinite(values[i]))
            throw Error(ErrorKind::computation,
                        fmt::format("t={}: '{}' is {}; --vars can leave it out", digits(time),
                                    printable(columns_[i].name, 120), values[i]),
                        columns_[i].name);
}

} // namespace tenon::master
