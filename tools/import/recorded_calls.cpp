#include "tools/import/recorded_calls.hpp"

#include "modelDescription/words.hpp"
#include "tools/import/call_text.hpp"

#include <utility>

namespace tenon::fmi {
namespace {

std::string optional_word(const std::optional<double>& value) { return value ? value_word(*value) : "-"; }

std::string words(std::span<const Reference> references) { return value_words(references); }
std::string words(std::span<const double> values) { return value_words(values); }

std::string values_text(Type type, const void* values, std::size_t count) {
    return with_value_type(type, [&]<class Value>(Value*) {
        return value_words(std::span(static_cast<const Value*>(values), count));
    });
}

} // namespace

InstanceOptions recorded(InstanceOptions options, const CallLines& lines) {
    lines(fmt::format("instance {} {:d} {:d} {:d} :{}", quoted_word(options.name), options.event_mode,
                      options.early_return, static_cast<bool>(options.intermediate_update),
                      words(options.intermediate)));
    if (options.intermediate_update)
        options.intermediate_update =
            [lines, answer = std::move(options.intermediate_update)](const IntermediateUpdate& update) {
                lines(fmt::format("update {} {:d} {:d} {:d} {:d}", update.time, update.set_requested,
                                  update.get_allowed, update.step_finished, update.can_return_early));
                const std::optional<double> end = answer(update);
                lines("updated " + optional_word(end));
                return end;
            };
    return options;
}

RecordedSlave::RecordedSlave(std::unique_ptr<Slave> slave, CallLines lines)
    : slave_(std::move(slave)), lines_(std::move(lines)) {}

Status RecordedSlave::answered(Status status, const std::string& values) {
    lines_(fmt::format("= {}{}", status_words[static_cast<std::size_t>(status)],
                       status <= Status::warning ? values : ""));
    return status;
}

Status RecordedSlave::set_debug_logging(bool on, std::span<const std::string> categories) {
    lines_(fmt::format("set_debug_logging {:d} :{}", on, value_words(categories)));
    return answered(slave_->set_debug_logging(on, categories));
}

Status RecordedSlave::enter_initialization(double start, std::optional<double> stop,
                                           std::optional<double> tolerance) {
    lines_(
        fmt::format("enter_initialization {} {} {}", start, optional_word(stop), optional_word(tolerance)));
    return answered(slave_->enter_initialization(start, stop, tolerance));
}

Status RecordedSlave::exit_initialization() {
    lines_("exit_initialization");
    return answered(slave_->exit_initialization());
}

Status RecordedSlave::enter_configuration() {
    lines_("enter_configuration");
    return answered(slave_->enter_configuration());
}

Status RecordedSlave::exit_configuration() {
    lines_("exit_configuration");
    return answered(slave_->exit_configuration());
}

Status RecordedSlave::terminate() {
    lines_("terminate");
    return answered(slave_->terminate());
}

Status RecordedSlave::reset() {
    lines_("reset");
    return answered(slave_->reset());
}

Status RecordedSlave::get(Type type, std::span<const Reference> references, void* values, std::size_t count) {
    lines_(fmt::format("get {}{} : {}", word(type), words(references), count));
    const Status status = slave_->get(type, references, values, count);
    return answered(status, status <= Status::warning ? values_text(type, values, count) : "");
}

Status RecordedSlave::set(Type type, std::span<const Reference> references, const void* values,
                          std::size_t count) {
    lines_(fmt::format("set {}{} :{}", word(type), words(references), values_text(type, values, count)));
    return answered(slave_->set(type, references, values, count));
}

Status RecordedSlave::set_input_derivatives(std::span<const Reference> references,
                                            std::span<const std::int32_t> orders,
                                            std::span<const double> values) {
    lines_(fmt::format("set_input_derivatives{} :{} :{}", words(references), value_words(orders),
                       words(values)));
    return answered(slave_->set_input_derivatives(references, orders, values));
}

Status RecordedSlave::get_output_derivatives(std::span<const Reference> references,
                                             std::span<const std::int32_t> orders, std::span<double> values) {
    lines_(fmt::format("get_output_derivatives{} :{} : {}", words(references), value_words(orders),
                       values.size()));
    const Status status = slave_->get_output_derivatives(references, orders, values);
    return answered(status, words(values));
}

StepResult RecordedSlave::step(double time, double h, bool no_rollback_before) {
    lines_(fmt::format("step {} {} {:d}", time, h, no_rollback_before));
    const StepResult result = slave_->step(time, h, no_rollback_before);
    // Also of a step that was discarded: how far it came is a part of the answer.
    lines_(fmt::format("= {} {:d} {:d} {:d} {}", status_words[static_cast<std::size_t>(result.status)],
                       result.early, result.event, result.terminate, result.reached));
    return result;
}

Status RecordedSlave::enter_event_mode() {
    lines_("enter_event_mode");
    return answered(slave_->enter_event_mode());
}

EventResult RecordedSlave::update_discrete_states() {
    lines_("update_discrete_states");
    const EventResult result = slave_->update_discrete_states();
    answered(result.status,
             fmt::format(" {:d} {:d} {}", result.again, result.terminate, optional_word(result.next_event)));
    return result;
}

Status RecordedSlave::enter_step_mode() {
    lines_("enter_step_mode");
    return answered(slave_->enter_step_mode());
}

std::size_t RecordedSlave::number_of(StateHandle state) {
    const auto found = numbers_.find(state);
    return found == numbers_.end() ? ++states_ : found->second;
}

void RecordedSlave::named(StateHandle state, std::size_t number) {
    if (state)
        numbers_[state] = number;
}

Status RecordedSlave::save(StateHandle& state) {
    const std::size_t number = number_of(state);
    lines_(fmt::format("save {}", number));
    const Status status = slave_->save(state);
    named(state, number);
    return answered(status);
}

Status RecordedSlave::restore(StateHandle state) {
    lines_(fmt::format("restore {}", number_of(state)));
    return answered(slave_->restore(state));
}

Status RecordedSlave::discard(StateHandle& state) {
    lines_(fmt::format("discard {}", number_of(state)));
    numbers_.erase(state);
    return answered(slave_->discard(state));
}

/// The size alone: bytes may hold what means nothing, and what they mean shows when they are restored.
Status RecordedSlave::serialize(StateHandle state, std::vector<unsigned char>& bytes) {
    lines_(fmt::format("serialize {}", number_of(state)));
    const Status status = slave_->serialize(state, bytes);
    return answered(status, fmt::format(" {}", bytes.size()));
}

Status RecordedSlave::deserialize(std::span<const unsigned char> bytes, StateHandle& state) {
    const std::size_t number = number_of(state);
    const std::string text(bytes.begin(), bytes.end());
    lines_(fmt::format("deserialize {} {}", number, quoted_word(text)));
    const Status status = slave_->deserialize(bytes, state);
    named(state, number);
    return answered(status);
}

Status RecordedSlave::directional_derivative(std::span<const Reference> unknowns,
                                             std::span<const Reference> knowns, std::span<const double> seed,
                                             std::span<double> sensitivity) {
    lines_(fmt::format("directional_derivative{} :{} :{} : {}", words(unknowns), words(knowns), words(seed),
                       sensitivity.size()));
    const Status status = slave_->directional_derivative(unknowns, knowns, seed, sensitivity);
    return answered(status, words(sensitivity));
}

Status RecordedSlave::adjoint_derivative(std::span<const Reference> unknowns,
                                         std::span<const Reference> knowns, std::span<const double> seed,
                                         std::span<double> sensitivity) {
    lines_(fmt::format("adjoint_derivative{} :{} :{} : {}", words(unknowns), words(knowns), words(seed),
                       sensitivity.size()));
    const Status status = slave_->adjoint_derivative(unknowns, knowns, seed, sensitivity);
    return answered(status, words(sensitivity));
}

} // namespace tenon::fmi
