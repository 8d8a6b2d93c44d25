#pragma once
// The end of a channel at which the slave is: takes requests, calls the slave, answers. The requests come from the master
// and are trusted; what comes out of the slave is checked at the other end.

#include "tools/host/channel.hpp"
#include "tools/host/log_ring.hpp"
#include "tools/host/message.hpp"
#include "tools/host/operation.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tenon::host {

class Server {
  public:
    using Make = std::function<std::unique_ptr<fmi::Slave>(const fmi::InstanceOptions&)>;
    /// `make` is called for the first request; what it throws is the answer.
    Server(const ChannelEnd& channel, const LogRingWriter& log, Make make);

    /// Serves until the slave has been freed, or an exception has ended it, which is told. `orphaned` is asked now and
    /// then while nobody asks anything; true: returns.
    void run(const std::function<bool()>& orphaned);

  private:
    enum class Next { request, resumed, end };

    /// Waits for a request and answers it; `resumed` where it was Operation::resume, whose content is not read.
    Next serve_one(const std::function<bool()>& orphaned);
    void answer(fmi::Status status, const MessageWriter& content);
    void fail(const std::string& why);
    std::optional<double> ask_for_update(const fmi::IntermediateUpdate& update);

    // One for each kind of content; they fill `out` and return the status.
    fmi::Status instantiate(MessageReader& in);
    fmi::Status handle(Operation operation, MessageReader& in, MessageWriter& out);
    fmi::Status set_debug_logging(MessageReader& in);
    fmi::Status enter_initialization(MessageReader& in);
    fmi::Status get(MessageReader& in, MessageWriter& out);
    fmi::Status set(MessageReader& in);
    fmi::Status set_input_derivatives(MessageReader& in);
    fmi::Status get_output_derivatives(MessageReader& in, MessageWriter& out);
    fmi::Status step(MessageReader& in, MessageWriter& out);
    fmi::Status update_discrete_states(MessageWriter& out);
    fmi::Status save(MessageReader& in, MessageWriter& out);
    fmi::Status restore(MessageReader& in);
    fmi::Status discard(MessageReader& in);
    fmi::Status serialize(MessageReader& in, MessageWriter& out);
    fmi::Status deserialize(MessageReader& in, MessageWriter& out);
    fmi::Status derivative(Operation operation, MessageReader& in, MessageWriter& out);

    /// States are known outside by their number, from 1; 0 is none, which is the slave's to judge.
    bool find(std::uint64_t number, fmi::StateHandle& state) const;
    /// Puts it in its place, or in a new one; the number.
    std::uint64_t keep(std::uint64_t number, fmi::StateHandle state);
    fmi::Status no_such_state(std::uint64_t number);

    ChannelEnd channel_;
    LogRingWriter log_;
    Make make_;
    std::unique_ptr<fmi::Slave> slave_;
    std::vector<fmi::StateHandle> states_; ///< null: the number is free
    std::vector<std::string> strings_;     ///< on their way, kept for their memory, as the next
    std::vector<unsigned char> bytes_;
    ChannelMessage message_; ///< the last one
    std::chrono::microseconds spin_{0};
};

} // namespace tenon::host
