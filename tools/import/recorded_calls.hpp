#pragma once
// All calls of one FMU as lines of text, for reports of bugs: written while they are made, and made again by replayed_calls.hpp.
//
//     instance "spring" 0 0 1 : 4           name, event mode, early return, updates wanted : intermediate variables
//     enter_initialization 0 10 -           a call with what it is given, written before it is made...
//     = ok                                  ...and its answer: of a crash, the call is the last line
//     set Float64 4 : 2.5
//     = ok
//     step 0 0.01 0
//     update 0.005 1 1 0 1                  an intermediate update; calls that are made in it follow
//     updated -
//     = ok 0 0 0 0.01                       early, event, terminate, the time it came to
//     save 1                                states are known by numbers
//     = ok
//
// Numbers have the fewest digits that read back as the same number; texts and binaries are in quotes, with % and two
// hexadecimal digits for what is no plain character. '-' stands for nothing.

#include "tools/import/slave.hpp"

#include <map>
#include <memory>

namespace tenon::fmi {

using CallLines = std::function<void(const std::string& line)>;

/// For making the instance that is to be recorded: `options` whose intermediate updates are recorded, too. Begins the record.
InstanceOptions recorded(InstanceOptions options, const CallLines& lines);

/// Passes every call on. What `lines` throws comes out of the call.
class RecordedSlave : public Slave {
  public:
    RecordedSlave(std::unique_ptr<Slave> slave, CallLines lines);
    const Description& description() const override { return slave_->description(); }

    Status set_debug_logging(bool on, std::span<const std::string> categories) override;
    Status enter_initialization(double start, std::optional<double> stop,
                                std::optional<double> tolerance) override;
    Status exit_initialization() override;
    Status enter_configuration() override;
    Status exit_configuration() override;
    Status terminate() override;
    Status reset() override;
    using Slave::get;
    using Slave::set;
    Status get(Type type, std::span<const Reference> references, void* values, std::size_t count) override;
    Status set(Type type, std::span<const Reference> references, const void* values,
               std::size_t count) override;
    Status set_input_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                 std::span<const double> values) override;
    Status get_output_derivatives(std::span<const Reference> references, std::span<const std::int32_t> orders,
                                  std::span<double> values) override;
    StepResult step(double time, double h, bool no_rollback_before) override;
    Status enter_event_mode() override;
    EventResult update_discrete_states() override;
    Status enter_step_mode() override;
    Status save(StateHandle& state) override;
    Status restore(StateHandle state) override;
    Status discard(StateHandle& state) override;
    Status serialize(StateHandle state, std::vector<unsigned char>& bytes) override;
    Status deserialize(std::span<const unsigned char> bytes, StateHandle& state) override;
    Status directional_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                                  std::span<const double> seed, std::span<double> sensitivity) override;
    Status adjoint_derivative(std::span<const Reference> unknowns, std::span<const Reference> knowns,
                              std::span<const double> seed, std::span<double> sensitivity) override;

  private:
    Status answered(Status status, const std::string& values = {});
    std::size_t number_of(StateHandle state);
    void named(StateHandle state, std::size_t number);

    std::unique_ptr<Slave> slave_;
    CallLines lines_;
    std::map<StateHandle, std::size_t> numbers_;
    std::size_t states_ = 0; ///< numbers given so far
};

} // namespace tenon::fmi
