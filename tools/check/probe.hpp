#pragma once
// A check's view from inside its child process: the FMU to be checked, and the way to tell what was found.

#include "tools/check/call_trace.hpp"
#include "tools/check/target.hpp"
#include "tools/check/wire.hpp"
#include "tools/host/child.hpp"
#include "tools/import/library.hpp"

#include <mutex>
#include <stdexcept>

namespace tenon::check {

/// A call that had to succeed did not. Ends the check; becomes a finding.
class CallFailed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What a message from a child to the checker carries; its first byte.
enum class ProbeMessage : char { finding = 'f', answer = 'a', item = 'i' };

class Probe {
  public:
    Probe(const Target& target, std::string_view check, CallTrace& trace, const host::ChildChannel& channel);

    const Target& target() const { return target_; }
    const fmi::Description& description() const { return target_.description(); }
    const Experiment& experiment() const { return target_.experiment; }
    CallTrace& trace() { return trace_; }

    /// Findings arrive even if the process dies the moment after. Their place is the name of the check.
    void error(std::string rule, std::string message, std::string hint = {});
    void warning(std::string rule, std::string message, std::string hint = {});
    void note(std::string rule, std::string message, std::string hint = {});
    void report(const fmi::Finding& finding);
    /// Data for the parent.
    void answer(const Packer& data);
    /// Work on this item of a list begins.
    void begin_item(std::size_t item);

    /// A traced instance whose log is kept for require(). Throws LoadError.
    std::unique_ptr<fmi::Slave> instantiate(fmi::InstanceOptions options = {});
    /// Throws CallFailed, with the last call and what the FMU logged, where the status is worse than a warning; notes a
    /// warning.
    void require(fmi::Status status);

  private:
    std::shared_ptr<fmi::Library> library_for_one_more();
    std::string describe_answer(fmi::Status status);

    const Target& target_;
    std::string check_;
    CallTrace& trace_;
    const host::ChildChannel& channel_;
    std::shared_ptr<fmi::Library> library_; ///< null: not loaded yet
    int instances_ = 0;
    std::mutex mutex_; ///< of what follows
    std::string last_log_;
};

} // namespace tenon::check
