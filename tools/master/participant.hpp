#pragma once
// An FMU in the run: its slave, what of it is connected, its saved states, and what it has cost. Calls that fail leave a
// Failure behind and return false; after a fatal one nothing is called any more.

#include "tools/import/slave.hpp"
#include "tools/master/failure.hpp"
#include "tools/master/same_time.hpp"
#include "tools/master/value_block.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon::master {

/// How inputs that change during a step reach the FMU.
enum class Delivery {
    constant,    ///< not at all: one value per step
    derivatives, ///< 2.0: fmi2SetRealInputDerivatives
    callback     ///< 3.0: set in the intermediate update
};

/// What a step has come to, as bits, so that the steps of many FMUs are one number.
enum Flags : unsigned { flag_failed = 1, flag_early = 2, flag_event = 4, flag_terminate = 8 };

/// Its own cache lines: participants are stepped by different threads.
class alignas(64) Participant {
  public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    // What it is; fixed before the run.
    std::size_t number = 0;
    std::string name, file;
    std::unique_ptr<fmi::Slave> slave;
    const fmi::Description* description = nullptr;
    bool rollback = false, variable_step = false, event_mode = false;
    Delivery delivery = Delivery::constant;

    // Connected float64 variables: their place among those of all participants, and in the slave.
    std::size_t first_input = 0, input_count = 0, first_output = 0, output_count = 0;
    std::vector<fmi::Reference> input_references, output_references;
    // Those of the inputs that can change during a step, and their places among the inputs of all.
    // With derivatives: references and values for each order one after the other.
    std::vector<fmi::Reference> smooth_references;
    std::vector<std::int32_t> smooth_orders;
    std::vector<std::size_t> smooth_slots;
    std::vector<double> smooth_values;
    // Of all other types.
    std::vector<ValueBlock> other_inputs, other_outputs;

    // What happens to it.
    double next_event = never;
    double way_back = never; ///< the earliest time of which a state may be restored; never: none will be
    bool in_event_mode = false, callback_failed = false;
    fmi::StepResult result;
    Failure failure;
    long dosteps = 0;
    double seconds = 0; ///< inside its library, estimated from samples

    bool is_dead() const { return dead_; }

    /// One step with the inputs already in the slave, to the outputs behind it. Returns Flags.
    unsigned advance(double t, double h);
    /// Connected inputs from `inputs`, which are those of all participants.
    bool send(const double* inputs);
    bool send_others();
    /// Connected outputs to `outputs`, which are those of all participants; float64 are checked for being finite.
    bool receive(double* outputs);
    bool receive_others();

    /// The three in the order of a step; the usual way. Returns Flags.
    unsigned exchange(const double* inputs, double t, double h, double* outputs) {
        const Sample sample(*this);
        if (!send(inputs))
            return flag_failed;
        return step_and_receive(t, h, outputs);
    }
    /// The same where the inputs have been sent in another way.
    unsigned step_and_receive(double t, double h, double* outputs) {
        const unsigned flags = advance(t, h);
        if ((flags & flag_failed) || !receive(outputs))
            return flags | flag_failed;
        return flags;
    }

    /// States are kept on levels: 0 for the step that the master makes, 1 for a part of it.
    static constexpr std::size_t levels = 2;
    bool save(std::size_t level);
    bool restore(std::size_t level);
    void discard_states();
    bool serialize(std::vector<unsigned char>& bytes);
    bool deserialize(std::span<const unsigned char> bytes);

    /// Notes what a call of the slave returned; true where it may go on.
    bool succeeded(const char* call, fmi::Status status) {
        return status <= fmi::Status::warning ? true : failed(call, status);
    }

    /// What is measured together: a quick call must not stand for slow ones of another kind.
    enum class Work { step, state, record, derivative };

    /// Measures the time in the library: of each call where they take long, otherwise of one, which then counts for the 15
    /// of its kind that follow. Reading the clock costs as much as a step of a small FMU.
    class Sample {
      public:
        explicit Sample(Participant& participant, Work work = Work::step)
            : unmeasured_(participant.unmeasured_[static_cast<std::size_t>(work)]),
              participant_(unmeasured_ == 0 ? &participant : nullptr) {
            if (participant_)
                begin_ = Clock::now();
            else
                --unmeasured_;
        }
        ~Sample() {
            if (participant_)
                unmeasured_ = participant_->note_time(Clock::now() - begin_);
        }
        Sample(const Sample&) = delete;
        Sample& operator=(const Sample&) = delete;

      private:
        using Clock = std::chrono::steady_clock;
        unsigned& unmeasured_;
        Participant* participant_;
        Clock::time_point begin_{};
    };

  private:
    /// Returns for how many more calls this one stands.
    unsigned note_time(std::chrono::steady_clock::duration time);
    bool failed(const char* call, fmi::Status status);
    bool not_finite(const double* outputs);

    std::array<fmi::StateHandle, levels> states_{};
    std::array<unsigned, 4> unmeasured_{}; ///< by Work: calls to come that the last measured one stands for
    bool dead_ = false;
};

inline unsigned Participant::advance(double t, double h) {
    ++dosteps;
    callback_failed = false;
    result = slave->step(t, h, !(way_back < t));
    // FMI 2.0 asks for the end of the simulation by a Discard.
    const bool wants_to_end = result.status == fmi::Status::discard && result.terminate;
    if (result.status > fmi::Status::warning && !wants_to_end) [[unlikely]] {
        failed("DoStep", result.status);
        failure.h = h;
        return flag_failed;
    }
    if (callback_failed) [[unlikely]]
        return flag_failed; // the failure is that of the callback
    unsigned flags = 0;
    if (result.early && is_before(result.reached, t + h, h))
        flags |= flag_early;
    if (result.event)
        flags |= flag_event;
    if (result.terminate)
        flags |= flag_terminate;
    return flags;
}

inline bool Participant::send(const double* inputs) {
    if (input_count > 0 &&
        !succeeded("Set", slave->set(input_references, std::span(inputs + first_input, input_count))))
        return false;
    return other_inputs.empty() || send_others();
}

inline bool Participant::receive(double* outputs) {
    if (output_count > 0) {
        const std::span values(outputs + first_output, output_count);
        if (!succeeded("Get", slave->get(output_references, values)))
            return false;
        double sum = 0; // stays zero unless one of them is not finite
        for (const double value : values)
            sum += value * 0;
        if (sum != 0 || std::isnan(sum)) [[unlikely]]
            return not_finite(outputs);
    }
    return other_outputs.empty() || receive_others();
}

} // namespace tenon::master
