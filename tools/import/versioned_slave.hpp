#pragma once
// The calls that are the same in FMI 2.0 and 3.0 but for the names of the functions.

#include "tools/import/local_slave.hpp"
#include "tools/import/missing_function.hpp"

#include <fmt/format.h>

#include <vector>

namespace tenon::fmi {

/// `Functions` is Functions2 or Functions3.
template <class Functions> class VersionedSlave : public LocalSlave {
  public:
    Status set_debug_logging(bool on, std::span<const std::string> categories) final {
        if (!may_call(Function::set_debug_logging))
            return Status::fatal;
        strings_.clear();
        for (const std::string& category : categories)
            strings_.push_back(category.c_str());
        return done(f_.set_debug_logging(instance_, on, strings_.size(),
                                         strings_.empty() ? nullptr : strings_.data()));
    }
    Status exit_initialization() final {
        return !may_call(Function::exit_initialization) ? Status::fatal
                                                        : done(f_.exit_initialization_mode(instance_));
    }
    Status terminate() final {
        if (!may_call(Function::terminate))
            return Status::fatal;
        return has_failed() ? refuse("terminate", "the instance has reported an error")
                            : done(f_.terminate(instance_));
    }
    Status reset() final {
        return !may_call(Function::reset) ? Status::fatal : recovered(done(f_.reset(instance_)));
    }

    Status save(StateHandle& state) final {
        if (!may_call(Function::get_state))
            return Status::fatal;
        return can().get_and_set_state ? done(f_.get_state(instance_, &state)) : refuse_state("save");
    }
    Status restore(StateHandle state) final {
        if (!may_call(Function::set_state))
            return Status::fatal;
        return can().get_and_set_state ? recovered(done(f_.set_state(instance_, state)))
                                       : refuse_state("restore");
    }
    Status discard(StateHandle& state) final {
        if (!state)
            return Status::ok;
        if (!may_call(Function::free_state)) {
            state = nullptr; // nobody may free it any more
            return Status::fatal;
        }
        const Status status = done(f_.free_state(instance_, &state));
        state = nullptr;
        return status;
    }
    Status serialize(StateHandle state, std::vector<unsigned char>& bytes) final;
    Status deserialize(std::span<const unsigned char> bytes, StateHandle& state) final;

  protected:
    /// A function that the loader does not find is missed when it is called.
    VersionedSlave(const SlaveParts& parts, const InstanceOptions& options) : LocalSlave(parts, options) {
        for_each_function(f_, [&]<class Name, class F>(Name name, F*& function) {
            void* const address = library().find(name);
            function = address ? reinterpret_cast<F*>(address) : &MissingFunction<Name, F>::call;
        });
    }
    /// The destructor of the slave itself does this first, while everything that the FMU may call is there.
    void free_instance() {
        if (!may_call(Function::free_instance))
            return;
        f_.free_instance(instance_);
        leave();
    }
    /// Null-terminated, as the FMU takes strings. False, with a line to the sink: a zero within would cut one.
    bool as_c_strings(const std::string* values, std::size_t count) {
        strings_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            if (values[i].find('\0') != std::string::npos) {
                refuse("set", fmt::format("string {} of {} has a zero in it", i + 1, count));
                return false;
            }
            strings_[i] = values[i].c_str();
        }
        return true;
    }
    void from_c_strings(std::string* values) const {
        for (const char* string : strings_)
            *values++ = string ? string : "";
    }

    Functions f_;
    void* instance_ = nullptr;
    std::vector<const char*> strings_; ///< on their way in or out; kept, so that nothing is allocated again

  private:
    using Byte = typename Functions::Byte;
    static constexpr std::size_t largest_state = std::size_t(1) << 32; ///< 4 GiB: more is an error of the FMU

    Status refuse_state(std::string_view call) {
        return refuse(call, "the FMU cannot get and set its state (canGetAndSetFMUState)");
    }
    Status refuse_bytes(std::string_view call) {
        return refuse(call, "the FMU cannot serialize its state (canSerializeFMUState)");
    }
};

template <class Functions>
Status VersionedSlave<Functions>::serialize(StateHandle state, std::vector<unsigned char>& bytes) {
    if (!may_call(Function::serialize))
        return Status::fatal;
    if (!can().serialize_state)
        return refuse_bytes("serialize");
    std::size_t size = 0;
    if (const Status status = done(f_.serialized_state_size(instance_, state, &size));
        status > Status::warning)
        return status;
    if (size > largest_state)
        return blame(fmt::format("the FMU says that its state has {} bytes (limit {})", size, largest_state));
    bytes.resize(size);
    enter(Function::serialize);
    return done(f_.serialize_state(instance_, state, reinterpret_cast<Byte*>(bytes.data()), size));
}

template <class Functions>
Status VersionedSlave<Functions>::deserialize(std::span<const unsigned char> bytes, StateHandle& state) {
    if (!may_call(Function::deserialize))
        return Status::fatal;
    if (!can().serialize_state)
        return refuse_bytes("deserialize");
    return done(
        f_.deserialize_state(instance_, reinterpret_cast<const Byte*>(bytes.data()), bytes.size(), &state));
}

} // namespace tenon::fmi
