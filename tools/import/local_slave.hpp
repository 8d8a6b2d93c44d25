#pragma once
// What the slaves of both versions have in common when their library is in this process.

#include "tools/import/call_board.hpp"
#include "tools/import/library.hpp"
#include "tools/import/log_relay.hpp"
#include "tools/import/slave.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::fmi {

/// What an instance is made from.
struct SlaveParts {
    std::shared_ptr<Library> library;
    std::shared_ptr<const Description> description;
    std::filesystem::path resources; ///< the unpacked folder
    bool has_resources = false;      ///< the archive has any
};

/// Keeps the rules for what an FMU answers: after a fatal error the library is not called again,
/// after an error the instance is not terminated, and what the description does not promise is not asked for.
class LocalSlave : public Slave {
  public:
    const Description& description() const final { return *description_; }
    ~LocalSlave() override;
    LocalSlave(const LocalSlave&) = delete;
    LocalSlave& operator=(const LocalSlave&) = delete;

  protected:
    LocalSlave(const SlaveParts& parts, const InstanceOptions& options);

    bool is_fatal() const { return library_->is_fatal(); }
    /// Stands before each call of the library, as done() behind it. False where it must not be called any more.
    bool may_call(Function function) {
        if (is_fatal()) [[unlikely]]
            return false;
        enter(function);
        return true;
    }
    /// The library is about to be called.
    void enter(Function function) {
        constexpr std::uint64_t one_more = 1 << 24; // so that whoever watches sees that it is another call
        call_ += one_more;
        call_slot->call.store(call_ | static_cast<std::uint64_t>(function), std::memory_order_relaxed);
    }
    /// It is left.
    static void leave() { call_slot->call.store(0, std::memory_order_relaxed); }
    /// The status that a call of the FMU returned. Throws what a callback has thrown meanwhile.
    Status done(int status) {
        leave();
        if (static_cast<unsigned>(status) <= static_cast<unsigned>(Status::warning) && !relay_->has_kept())
            [[likely]]
            return static_cast<Status>(status);
        return settle(status);
    }
    /// A call that is not made: one line to the sink, and an error.
    Status refuse(std::string_view call, std::string_view reason);
    /// The same where the number of values is wrong.
    Status refuse_count(std::string_view call, std::size_t values, std::size_t expected);
    /// The FMU has done what it may not: one line to the sink, and an error as if it had returned one.
    Status blame(const std::string& message);
    /// The time that the FMU says a step from `time` has come to, without its round-off; nothing: it is not in the step.
    static std::optional<double> time_in_step(double last, double time, double h);
    bool has_failed() const { return failed_; }
    /// Reset and restored states make a failed instance usable again.
    Status recovered(Status status);

    const Capabilities& can() const { return description_->capabilities; }
    const Library& library() const { return *library_; }
    LogRelay& relay() { return *relay_; }
    unsigned number() const { return number_; }
    /// What the FMU is to pass back to its callbacks; it is looked up then, not followed.
    void* environment() { return this; }

    /// fmi2GetVersion and fmi3GetVersion must say what the description says. Throws LoadError.
    static void check_version(std::string_view call, const char* answer, std::string_view expected);
    /// The LoadError for an FMU that gave no instance.
    [[noreturn]] void fail_without_instance(std::string_view call, bool logging) const;

  private:
    Status settle(int status);

    std::shared_ptr<Library> library_;
    std::shared_ptr<const Description> description_;
    std::shared_ptr<LogRelay> relay_;
    unsigned number_;    ///< on the call board
    std::uint64_t call_; ///< the last one, as it stands there, without the function
    bool failed_ = false;
};

} // namespace tenon::fmi
