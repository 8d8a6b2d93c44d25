#pragma once
// The stand-in for a slave that lives elsewhere: turns calls into requests and answers into results. It knows nothing of
// processes or networks, and believes nothing that comes over the line.

#include "tools/host/call_times.hpp"
#include "tools/host/line.hpp"
#include "tools/host/message.hpp"
#include "tools/import/log_relay.hpp"
#include "tools/import/slave.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tenon::host {

class ProxySlave final : public fmi::Slave {
  public:
    /// Makes the line to a host that has the FMU and no instance of it yet. Called once; a restart after a crash would
    /// call it again.
    using Dial = std::function<std::unique_ptr<Line>(fmi::LogRelay&)>;

    /// `file` is the FMU's name in messages. Throws what `dial` throws, and LoadError where there is no instance.
    ProxySlave(std::shared_ptr<const fmi::Description> description, std::string file,
               const fmi::InstanceOptions& options, const DeadlineRule& deadline, const Dial& dial);
    ~ProxySlave() override;

    const fmi::Description& description() const override { return *description_; }

    fmi::Status set_debug_logging(bool on, std::span<const std::string> categories) override;
    fmi::Status enter_initialization(double start, std::optional<double> stop,
                                     std::optional<double> tolerance) override;
    fmi::Status exit_initialization() override { return plain(Operation::exit_initialization); }
    fmi::Status enter_configuration() override { return plain(Operation::enter_configuration); }
    fmi::Status exit_configuration() override { return plain(Operation::exit_configuration); }
    fmi::Status terminate() override { return plain(Operation::terminate); }
    fmi::Status reset() override { return plain(Operation::reset); }

    fmi::Status get(fmi::Type type, std::span<const fmi::Reference> references, void* values,
                    std::size_t count) override;
    fmi::Status set(fmi::Type type, std::span<const fmi::Reference> references, const void* values,
                    std::size_t count) override;
    fmi::Status set_input_derivatives(std::span<const fmi::Reference> references,
                                      std::span<const std::int32_t> orders,
                                      std::span<const double> values) override;
    fmi::Status get_output_derivatives(std::span<const fmi::Reference> references,
                                       std::span<const std::int32_t> orders,
                                       std::span<double> values) override;

    fmi::StepResult step(double time, double h, bool no_rollback_before) override;

    fmi::Status enter_event_mode() override { return plain(Operation::enter_event_mode); }
    fmi::EventResult update_discrete_states() override;
    fmi::Status enter_step_mode() override { return plain(Operation::enter_step_mode); }

    fmi::Status save(fmi::StateHandle& state) override;
    fmi::Status restore(fmi::StateHandle state) override;
    fmi::Status discard(fmi::StateHandle& state) override;
    fmi::Status serialize(fmi::StateHandle state, std::vector<unsigned char>& bytes) override;
    fmi::Status deserialize(std::span<const unsigned char> bytes, fmi::StateHandle& state) override;

    fmi::Status directional_derivative(std::span<const fmi::Reference> unknowns,
                                       std::span<const fmi::Reference> knowns, std::span<const double> seed,
                                       std::span<double> sensitivity) override;
    fmi::Status adjoint_derivative(std::span<const fmi::Reference> unknowns,
                                   std::span<const fmi::Reference> knowns, std::span<const double> seed,
                                   std::span<double> sensitivity) override;

  private:
    /// Which answers have a content.
    enum class Content { always, unless_failed };

    /// One call: `fill` writes the request, `read` takes the answer apart and says whether it makes sense.
    template <class Fill, class Read>
    fmi::Status call(const Call& call, Fill&& fill, Read&& read, Content content = Content::unless_failed);
    template <class Fill, class Read>
    fmi::Status attempt(const Call& call, Fill& fill, Read& read, Content content);
    fmi::Status plain(Operation operation);
    fmi::Status derivative(Operation operation, std::span<const fmi::Reference> unknowns,
                           std::span<const fmi::Reference> knowns, std::span<const double> seed,
                           std::span<double> sensitivity);

    void instantiate(const fmi::InstanceOptions& options);
    /// Sends a request and lets callbacks be called until there is an answer, or nothing more can come.
    Arrival exchange(const Call& call, std::size_t size, double at_most);
    Arrival answer_update(const Arrival& update, Patience& patience);
    std::optional<double> ask_callback(const fmi::IntermediateUpdate& update);

    /// A call that is not made: one line to the sink, and an error.
    fmi::Status refuse(const Call& call, const std::string& reason);
    fmi::Status refuse_size(const Call& call, std::size_t limit);
    /// The slave is gone: one line to the sink, and fatal for ever.
    fmi::Status lose(const Call& call, const std::string& why);
    std::string reason_for_loss(const Arrival& arrival) const;
    void tell(fmi::Status status, const std::string& message) noexcept;
    bool is_fatal() const { return !line_; }

    std::shared_ptr<const fmi::Description> description_;
    std::string file_, name_;
    fmi::LogSink sink_;
    fmi::IntermediateCallback intermediate_update_;
    fmi::LogRelay relay_;
    CallTimes times_;
    std::unique_ptr<Line> line_;  ///< none: fatal
    bool busy_ = false;           ///< a request is under way, and the slave does not listen
    const Call* outer_ = nullptr; ///< the step around a call from the intermediate update
};

} // namespace tenon::host
