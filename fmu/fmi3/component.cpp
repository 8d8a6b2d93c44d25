#include "fmu/fmi3/component.hpp"

#include "core/math/error.hpp"

namespace tenon::fmu {

Slots::Slots(const Component3& component, const fmi3ValueReference vr[], size_t n)
    : interface_(component.instance->interface()), scalars_(component.scalars), vr_(vr), n_(n) {
    require_pointer(vr, n);
    const std::size_t there = scalars_ ? interface_.slots() : interface_.variables().size();
    for (size_t i = 0; i < n; ++i) {
        const fmi3ValueReference at = vr[i] - first_reference3; // 0 becomes the largest of all
        if (at >= there)
            throw Error(ErrorKind::usage,
                        "there is no variable with value reference " + std::to_string(vr[i]));
        count_ += scalars_ ? 1 : interface_.variables()[at].elements();
    }
}

void Slots::list(std::vector<std::size_t>& slots) const {
    slots.clear();
    each([&](const Variable&, std::size_t slot) { slots.push_back(slot); });
}

void log_failure(Component3& component, const char* function, const std::string& text, OnFailure on_failure) {
    component.log.write(on_failure == OnFailure::discard ? Category::discard : Category::error,
                        std::string(function) + ": " + text);
    if (on_failure == OnFailure::error)
        component.instance->set_phase(Phase::error);
}

bool require_phase(Component3& component, const char* function, std::initializer_list<Phase> legal) {
    const Phase phase = component.instance->phase();
    for (const Phase p : legal)
        if (p == phase)
            return true;
    static constexpr const char* names[] = {"after instantiation", "in initialization mode", "in step mode",
                                            "after fmi3Terminate", "after an error"};
    log_failure(component, function, std::string("not allowed ") + names[static_cast<int>(phase)],
                OnFailure::error);
    return false;
}

void require_pointer(const void* pointer, size_t n) {
    if (n > 0 && pointer == nullptr)
        throw Error(ErrorKind::usage, "an argument of the call is a null pointer");
}

} // namespace tenon::fmu
