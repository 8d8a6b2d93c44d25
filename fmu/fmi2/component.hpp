#pragma once
// What stands behind an fmi2Component.

#include "fmu/instance.hpp"
#include "fmu/log.hpp"

#include <fmi2Functions.h>

#include <initializer_list>
#include <memory>
#include <string>

namespace tenon::fmu {

struct Component {
    fmi2CallbackFunctions callbacks{}; ///< copied: the importer's structure may be gone after fmi2Instantiate
    std::string name;
    Log log{nullptr};
    std::unique_ptr<Instance> instance;
    std::vector<std::size_t> unknowns, knowns; ///< of derivatives
};

/// Does `work` if the instance is in one of the phases; whatever goes wrong is logged and becomes fmi2Error, after which
/// only reset, free and the setting of a saved state are of use - unless the call cannot have harmed the instance.
template <class Work>
fmi2Status call(fmi2Component c, const char* function, std::initializer_list<Phase> legal, Work&& work,
                bool harmless = false) {
    if (c == nullptr)
        return fmi2Error;
    auto& component = *static_cast<Component*>(c);
    try {
        const Phase phase = component.instance->phase();
        bool allowed = false;
        for (const Phase p : legal)
            allowed = allowed || p == phase;
        if (!allowed) {
            static constexpr const char* names[] = {"after fmi2Instantiate", "in initialization mode",
                                                    "between steps", "after fmi2Terminate", "after an error"};
            component.log.write(Category::error,
                                std::string(function) + " is not allowed " + names[static_cast<int>(phase)]);
            component.instance->set_phase(Phase::error);
            return fmi2Error;
        }
        work(component, *component.instance);
        return fmi2OK;
    } catch (const std::exception& error) {
        component.log.write(Category::error, std::string(function) + ": " + error.what());
    } catch (...) {
        component.log.write(Category::error, std::string(function) + ": unknown failure");
    }
    if (!harmless)
        component.instance->set_phase(Phase::error);
    return fmi2Error;
}

} // namespace tenon::fmu
