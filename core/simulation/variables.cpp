#include "core/simulation/variables.hpp"

#include "core/math/error.hpp"
#include "core/model/suggest.hpp"
#include "core/model/unit.hpp"

#include <algorithm>

namespace tenon {

int VariableList::add(Quantity quantity, int group, int rate_of) {
    Variable variable{std::move(quantity), group, rate_of, columns, on_request};
    columns += variable.elements();
    variables.push_back(std::move(variable));
    return static_cast<int>(variables.size()) - 1;
}

ResultVariables::ResultVariables(const Mechanism& mechanism) {
    const std::vector<Alias>& outputs = mechanism.model().outputs;
    add_readers(list_, mechanism);
    own_columns_ = list_.columns;
    const std::size_t first_output = list_.variables.size();
    for (const Alias& output : outputs)
        list_.add({output.name, {}, output.unit, output.description});
    usual_columns_ = list_.columns;
    list_.on_request = true;
    add_readers_on_request(list_, mechanism);
    resolve_outputs(outputs, first_output);
    for (const Variable& variable : list_.variables)
        for (std::size_t i = 0; i < variable.elements(); ++i)
            columns_.push_back({variable.element_name(i), variable.unit, variable.description});
}

/// An output is an element of any variable that is not an output itself.
void ResultVariables::resolve_outputs(const std::vector<Alias>& outputs, std::size_t first) {
    if (outputs.empty())
        return;
    std::vector<std::string> names;
    std::vector<const Variable*> owners;
    for (std::size_t v = 0; v < list_.variables.size(); ++v) {
        if (v >= first && v < first + outputs.size())
            continue;
        for (std::size_t i = 0; i < list_.variables[v].elements(); ++i) {
            names.push_back(list_.variables[v].element_name(i));
            owners.push_back(&list_.variables[v]);
        }
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Alias& output = outputs[i];
        const auto found = std::find(names.begin(), names.end(), output.variable);
        if (found == names.end())
            throw Error(ErrorKind::model,
                        "output '" + output.name + "' comes from '" + output.variable +
                            "', which is not a variable; " + suggestion(output.variable, names),
                        output.name);
        const auto at = static_cast<std::size_t>(found - names.begin());
        const Variable& source = *owners[at];
        Variable& variable = list_.variables[first + i];
        const double scale = output.unit.empty() ? 1.0 : conversion(source.unit, output.unit, output.name);
        outputs_.push_back({variable.column, at < own_columns_ ? at : at + outputs.size(), scale});
        if (source.on_request) {
            const VariableList::Entry& entry = entry_of(outputs_.back().source);
            apart_.resize(std::max(apart_.size(), entry.end - entry.first));
        }
        if (output.unit.empty())
            variable.unit = source.unit;
        if (output.description.empty())
            variable.description = source.description;
        variable.group = source.group;
    }
}

const VariableList::Entry& ResultVariables::entry_of(std::size_t column) const {
    return *std::find_if(list_.entries.begin(), list_.entries.end(),
                         [&](const VariableList::Entry& entry) { return column < entry.end; });
}

template <class Read> void ResultVariables::fill(std::span<double> values, Read read) const {
    for (const VariableList::Entry& entry : list_.entries) {
        if (entry.end > values.size())
            break;
        read(*entry.reader, ValueSink(values.data() + entry.first));
    }
    for (const Output& output : outputs_) {
        double value = 0;
        if (output.source < own_columns_) {
            value = values[output.source];
        } else { // on request: perhaps not among the values
            const VariableList::Entry& entry = entry_of(output.source);
            std::fill(apart_.begin(), apart_.end(), 0.0);
            read(*entry.reader, ValueSink(apart_.data()));
            value = apart_[output.source - entry.first];
        }
        values[output.column] = output.scale * value;
    }
}

void ResultVariables::read(const Solution& solution, std::span<double> values) const {
    fill(values, [&](const VariableReader& reader, ValueSink out) { reader.read(solution, out); });
}

void ResultVariables::read_rates(const Solution& solution, std::span<double> values) const {
    std::fill(values.begin(), values.end(), 0.0);
    fill(values, [&](const VariableReader& reader, ValueSink out) { reader.rates(solution, out); });
}

void ResultVariables::read_response(const Response& response, std::span<double> values) const {
    std::fill(values.begin(), values.end(), 0.0);
    fill(values, [&](const VariableReader& reader, ValueSink out) { reader.response(response, out); });
}

} // namespace tenon
