#pragma once
// What stands behind an fmi3Instance.

#include "core/math/error.hpp"
#include "fmu/instance.hpp"
#include "fmu/log.hpp"

#include <fmi3Functions.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace tenon::fmu {

/// What the importer may do from inside its intermediate update callback.
struct Window {
    bool open = false, set = false, get = false;
};

struct Component3 {
    fmi3InstanceEnvironment environment = nullptr;
    fmi3LogMessageCallback log_message = nullptr;
    fmi3IntermediateUpdateCallback intermediate_update = nullptr;
    bool early_return_allowed = false;
    bool wants_inputs = false; ///< an input is among the required intermediate variables
    Log log{nullptr};
    std::unique_ptr<Instance> instance;
    bool scalars = false; ///< value references are those of elements
    Window window;
    std::vector<std::size_t> unknowns, knowns;
};

/// Elements of variables by value reference: one after the other.
class Slots {
  public:
    /// Throws Error(usage) for references that do not exist.
    Slots(const Component3& component, const fmi3ValueReference vr[], size_t n);
    /// Calls f(variable, slot) for each element.
    template <class F> void each(F&& f) const {
        for (size_t i = 0; i < n_; ++i) {
            const std::size_t at = vr_[i] - first_reference3;
            if (scalars_) {
                f(interface_.variables()[interface_.variable_of(at)], at);
                continue;
            }
            const Variable& v = interface_.variables()[at];
            for (std::size_t e = 0; e < v.elements(); ++e)
                f(v, v.slot + e);
        }
    }
    std::size_t count() const { return count_; }
    void list(std::vector<std::size_t>& slots) const;

  private:
    const Interface& interface_;
    bool scalars_;
    const fmi3ValueReference* vr_;
    size_t n_;
    std::size_t count_ = 0;
};

constexpr std::initializer_list<Phase> any_phase = {Phase::instantiated, Phase::initialization, Phase::step,
                                                    Phase::terminated, Phase::error};

/// What a failure makes of the call: fmi3Error ends the instance, fmi3Discard leaves it as it was (arguments that make no
/// sense are errors all the same).
enum class OnFailure { error, discard, harmless_error };

void log_failure(Component3& component, const char* function, const std::string& text, OnFailure on_failure);
/// True where the phase is among the legal ones; otherwise the text is logged and the instance ended.
bool require_phase(Component3& component, const char* function, std::initializer_list<Phase> legal);

/// Does `work` if the instance is in one of the phases. From inside the intermediate update callback only those calls get
/// through that open their window first (`in_window`).
template <class Work>
fmi3Status call(fmi3Instance c, const char* function, std::initializer_list<Phase> legal, Work&& work,
                OnFailure on_failure = OnFailure::error, bool in_window = false) {
    if (c == nullptr)
        return fmi3Error;
    auto& component = *static_cast<Component3*>(c);
    if (component.window.open && !in_window) {
        log_failure(component, function, "not allowed from the intermediate update callback",
                    OnFailure::harmless_error);
        return fmi3Error;
    }
    if (!component.window.open && !require_phase(component, function, legal))
        return fmi3Error;
    try {
        work(component, *component.instance);
        return fmi3OK;
    } catch (const Error& error) {
        if (on_failure == OnFailure::discard && error.kind() == ErrorKind::usage)
            on_failure = OnFailure::error; // not the machine's failure, but the importer's
        log_failure(component, function, error.what(), on_failure);
    } catch (const std::exception& error) {
        log_failure(component, function, error.what(), on_failure);
    } catch (...) {
        log_failure(component, function, "unknown failure", on_failure);
    }
    return on_failure == OnFailure::discard ? fmi3Discard : fmi3Error;
}

void require_pointer(const void* pointer, size_t n);

} // namespace tenon::fmu
