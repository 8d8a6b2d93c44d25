#pragma once
// An FMU in the run: its slave, what of it is connected, its saved states, and what it has cost. Calls that fail leave a
// Failure behind and return false; after a fatal one nothing is called any more.

#include "tools/import/slave.hpp"
#include "tools/master/failure.hpp"
#include "tools/master/value_block.hpp"

#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tenon::master {

/// How inputs that change during a step reach the FMU.
enum class Delivery {
    constant,    ///< not at all: one value a step
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

    /// Measures the time in the library in every 16th call, in each one where they take long: reading the clock costs as
    /// much as a step of a small FMU.
    class Sample {
      public:
        explicit Sample(Participant& participant)
            : participant_((participant.calls_++ & participant.sample_mask_) == 0 ? &participant : nullptr) {
            if (participant_)
                begin_ = Clock::now();
        }
        ~Sample() {
            if (participant_)
                participant_->note_time(Clock::now() - begin_);
        }
        Sample(const Sample&) = delete;
        Sample& operator=(const Sample&) = delete;

      private:
        using Clock = std::chrono::steady_clock;
        Participant* participant_;
        Clock::time_point begin_{};
    };

  private:
    void note_time(std::chrono::steady_clock::duration time);
    bool failed(const char* call, fmi::Status status);
    bool not_finite(const double* outputs);

    std::array<fmi::StateHandle, levels> states_{};
    unsigned calls_ = 0, sample_mask_ = 15;
    bool dead_ = false;
};

} // namespace tenon::master
