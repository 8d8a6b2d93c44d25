// FMI 2.0 for Co-Simulation over Coupler.

#include "core/math/error.hpp"
#include "fmu/resources.hpp"
#include "tools/glue/coupler/coupler.hpp"

#include <fmi2Functions.h>

#include <cmath>
#include <cstring>

using tenon::Error;
using tenon::ErrorKind;
using tenon::glue::Coupler;
using tenon::glue::CouplerData;

namespace {

enum class Phase { instantiated, initialization, step, terminated };

struct Component {
    fmi2CallbackFunctions callbacks{}; ///< copied: the importer's structure may be gone after fmi2Instantiate
    std::string name;
    std::unique_ptr<Coupler> coupler;
    Phase phase = Phase::instantiated;

    void say(const std::string& text) const {
        if (callbacks.logger != nullptr)
            callbacks.logger(callbacks.componentEnvironment, name.c_str(), fmi2Error, "logStatusError", "%s",
                             text.c_str());
    }
};

/// A copy of an instance.
struct Copy {
    std::vector<double> values;
    double time = 0;
    Phase phase = Phase::instantiated;
};

/// What goes wrong is logged and becomes fmi2Error.
template <class Work> fmi2Status call(fmi2Component c, const char* function, Work&& work) {
    if (c == nullptr)
        return fmi2Error;
    Component& component = *static_cast<Component*>(c);
    try {
        work(component);
        return fmi2OK;
    } catch (const std::exception& error) {
        component.say(std::string(function) + ": " + error.what());
        return fmi2Error;
    }
}

void require(bool condition, const char* what) {
    if (!condition)
        throw Error(ErrorKind::usage, what);
}

void require_phase(const Component& component, Phase phase) {
    static constexpr const char* names[] = {"after fmi2Instantiate", "in initialization mode",
                                            "between steps", "after fmi2Terminate"};
    if (component.phase != phase)
        throw Error(ErrorKind::usage,
                    std::string("is not allowed ") + names[static_cast<int>(component.phase)]);
}

void require_none(size_t count) { require(count == 0, "all variables of this FMU are of type Real"); }

std::unique_ptr<Coupler> make_coupler(const Component& component, const char* guid, const char* resources) {
    std::string failures;
    for (const std::string& folder : tenon::fmu::resource_folders(tenon::fmu::path_of_uri(resources))) {
        try {
            const std::vector<unsigned char> bytes =
                tenon::fmu::read_file(folder + "/" + std::string(tenon::glue::coupler_file));
            CouplerData data = tenon::glue::coupler_from_text(std::string(bytes.begin(), bytes.end()));
            require(guid != nullptr && data.token == guid, "the guid is not that of this FMU");
            return std::make_unique<Coupler>(std::move(data));
        } catch (const std::exception& error) {
            failures += (failures.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    component.say("fmi2Instantiate: " + (failures.empty() ? "no resources" : failures));
    return nullptr;
}

constexpr std::size_t copy_header = 2 * sizeof(double);

} // namespace

extern "C" {

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean, fmi2Boolean) {
    try {
        auto component = std::make_unique<Component>();
        if (callbacks != nullptr)
            component->callbacks = *callbacks;
        component->name = name != nullptr ? name : "";
        if (component->name.empty() || type != fmi2CoSimulation) {
            component->say(component->name.empty() ? "fmi2Instantiate: the instance has no name"
                                                   : "fmi2Instantiate: this FMU is for Co-Simulation");
            return nullptr;
        }
        component->coupler = make_coupler(*component, guid, resources);
        return component->coupler ? component.release() : nullptr;
    } catch (...) {
        return nullptr; // no memory; there is nothing left to say it with
    }
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Component*>(c); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean, size_t, const fmi2String[]) {
    return call(c, "fmi2SetDebugLogging", [](Component&) {}); // errors are all it says
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean,
                               fmi2Real) {
    return call(c, "fmi2SetupExperiment", [&](Component& component) {
        require_phase(component, Phase::instantiated);
        component.coupler->time = start;
    });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return call(c, "fmi2EnterInitializationMode", [](Component& component) {
        require_phase(component, Phase::instantiated);
        component.phase = Phase::initialization;
    });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return call(c, "fmi2ExitInitializationMode", [](Component& component) {
        require_phase(component, Phase::initialization);
        component.phase = Phase::step;
    });
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return call(c, "fmi2Terminate", [](Component& component) {
        require_phase(component, Phase::step);
        component.phase = Phase::terminated;
    });
}

fmi2Status fmi2Reset(fmi2Component c) {
    return call(c, "fmi2Reset", [](Component& component) {
        component.coupler->reset();
        component.phase = Phase::instantiated;
    });
}

// ---- values --------------------------------------------------------------------------------------------------------

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    return call(c, "fmi2GetReal", [&](Component& component) {
        require(n == 0 || (vr != nullptr && value != nullptr), "an array of the call is a null pointer");
        for (size_t i = 0; i < n; ++i)
            value[i] = component.coupler->get(vr[i]);
    });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    return call(c, "fmi2SetReal", [&](Component& component) {
        require(n == 0 || (vr != nullptr && value != nullptr), "an array of the call is a null pointer");
        for (size_t i = 0; i < n; ++i) {
            require(std::isfinite(value[i]), "a value is not finite");
            component.coupler->set(vr[i], value[i]);
        }
    });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Integer[]) {
    return call(c, "fmi2GetInteger", [&](Component&) { require_none(n); });
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2Boolean[]) {
    return call(c, "fmi2GetBoolean", [&](Component&) { require_none(n); });
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String[]) {
    return call(c, "fmi2GetString", [&](Component&) { require_none(n); });
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2Integer[]) {
    return call(c, "fmi2SetInteger", [&](Component&) { require_none(n); });
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2Boolean[]) {
    return call(c, "fmi2SetBoolean", [&](Component&) { require_none(n); });
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2String[]) {
    return call(c, "fmi2SetString", [&](Component&) { require_none(n); });
}

// ---- steps ---------------------------------------------------------------------------------------------------------

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real h, fmi2Boolean) {
    return call(c, "fmi2DoStep", [&](Component& component) {
        require_phase(component, Phase::step);
        require(std::isfinite(time) && std::isfinite(h) && h > 0, "the step must be above 0");
        component.coupler->time = time + h;
    });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return call(c, "fmi2CancelStep", [](Component&) { require(false, "no step is under way"); });
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t n,
                                       const fmi2Integer[], const fmi2Real[]) {
    return call(c, "fmi2SetRealInputDerivatives",
                [&](Component&) { require(n == 0, "inputs have no derivatives here"); });
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference[], size_t n,
                                        const fmi2Integer[], fmi2Real[]) {
    return call(c, "fmi2GetRealOutputDerivatives",
                [&](Component&) { require(n == 0, "outputs have no derivatives here"); });
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference[], size_t,
                                        const fmi2ValueReference[], size_t, const fmi2Real[], fmi2Real[]) {
    return call(c, "fmi2GetDirectionalDerivative",
                [](Component&) { require(false, "this FMU has no directional derivatives"); });
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
    return call(c, "fmi2GetStatus", [&](Component&) {
        require(kind == fmi2DoStepStatus && value != nullptr, "this kind of status is not an fmi2Status");
        *value = fmi2OK;
    });
}
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
    return call(c, "fmi2GetRealStatus", [&](Component& component) {
        require(kind == fmi2LastSuccessfulTime && value != nullptr, "this kind of status is not a Real");
        *value = component.coupler->time;
    });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer*) {
    return call(c, "fmi2GetIntegerStatus",
                [](Component&) { require(false, "there is no status of type Integer"); });
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
    return call(c, "fmi2GetBooleanStatus", [&](Component&) {
        require(kind == fmi2Terminated && value != nullptr, "this kind of status is not a Boolean");
        *value = fmi2False;
    });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
    return call(c, "fmi2GetStringStatus", [&](Component&) {
        require(kind == fmi2PendingStatus && value != nullptr, "this kind of status is not a String");
        *value = "";
    });
}

// ---- copies --------------------------------------------------------------------------------------------------------

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
    return call(c, "fmi2GetFMUstate", [&](Component& component) {
        require(state != nullptr, "the place for the state is a null pointer");
        if (*state == nullptr)
            *state = new Copy;
        *static_cast<Copy*>(*state) = {component.coupler->values(), component.coupler->time, component.phase};
    });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    return call(c, "fmi2SetFMUstate", [&](Component& component) {
        require(state != nullptr, "the state is a null pointer");
        const Copy& copy = *static_cast<const Copy*>(state);
        component.coupler->restore(copy.values);
        component.coupler->time = copy.time;
        component.phase = copy.phase;
    });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
    return call(c, "fmi2FreeFMUstate", [&](Component&) {
        if (state == nullptr)
            return;
        delete static_cast<Copy*>(*state);
        *state = nullptr;
    });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
    return call(c, "fmi2SerializedFMUstateSize", [&](Component&) {
        require(state != nullptr && size != nullptr, "the state or the place for its size is a null pointer");
        *size = copy_header + static_cast<const Copy*>(state)->values.size() * sizeof(double);
    });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    return call(c, "fmi2SerializeFMUstate", [&](Component&) {
        require(state != nullptr && bytes != nullptr,
                "the state or the place for its bytes is a null pointer");
        const Copy& copy = *static_cast<const Copy*>(state);
        const std::size_t numbers = copy.values.size() * sizeof(double);
        require(size >= copy_header + numbers, "there is too little room for the state");
        const double header[2] = {copy.time, static_cast<double>(copy.phase)};
        std::memcpy(bytes, header, copy_header);
        std::memcpy(bytes + copy_header, copy.values.data(), numbers);
    });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate* state) {
    return call(c, "fmi2DeSerializeFMUstate", [&](Component& component) {
        require(bytes != nullptr && state != nullptr,
                "the bytes or the place for the state is a null pointer");
        const std::size_t numbers = component.coupler->values().size();
        require(size == copy_header + numbers * sizeof(double), "these bytes are not a state of this FMU");
        double header[2];
        std::memcpy(header, bytes, copy_header);
        require(std::isfinite(header[0]) && header[1] >= 0 && header[1] <= 3,
                "these bytes are not a state of this FMU");
        Copy copy{std::vector<double>(numbers), header[0], static_cast<Phase>(header[1])};
        std::memcpy(copy.values.data(), bytes + copy_header, numbers * sizeof(double));
        if (*state == nullptr)
            *state = new Copy;
        *static_cast<Copy*>(*state) = std::move(copy);
    });
}

} // extern "C"
