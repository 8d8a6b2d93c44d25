// FMI 2.0 for Co-Simulation over Instance: life cycle, values, steps. State and derivatives are in the other files here.
// Value references are slots. Which call is legal when is the table of the standard; values may also be read and inputs be
// set right after fmi2Instantiate, as importers do.

#include "fmu/fmi2/component.hpp"

#include "core/math/error.hpp"
#include "fmu/resources.hpp"

#include <cmath>

using namespace tenon::fmu;
using tenon::Error;
using tenon::ErrorKind;

namespace {

constexpr fmi2Status status_of[] = {fmi2Error, fmi2Discard, fmi2Warning, fmi2OK};

/// Binds the messages of a component to the importer's logger. The environment is passed back as it came.
void bind_log(Component& component, bool logging) {
    Component* c = &component;
    component.log = Log([c](Category category, const char* name, const char* text) {
        if (c->callbacks.logger != nullptr)
            c->callbacks.logger(c->callbacks.componentEnvironment, c->name.c_str(),
                                status_of[static_cast<int>(category)], name, "%s", text);
    });
    component.log.enable(logging);
    component.log.always(Category::error);
}

std::unique_ptr<Instance> make_instance(const Component& component, const char* guid, const char* resources) {
    const std::string named = path_of_uri(resources);
    std::string failures;
    for (const std::string& folder : resource_folders(named)) {
        try {
            Blueprint blueprint = read_blueprint(folder);
            if (guid == nullptr || blueprint.token != guid)
                throw Error(ErrorKind::model,
                            std::string("the guid '") + (guid != nullptr ? guid : "") +
                                "' is not that of this FMU, '" + blueprint.token +
                                "'; modelDescription.xml and resources do not belong together");
            return std::make_unique<Instance>(std::move(blueprint));
        } catch (const std::exception& error) {
            failures += (failures.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    component.log.write(Category::error,
                        "fmi2Instantiate: " + (failures.empty() ? "no resources" : failures));
    return nullptr;
}

template <class T>
void get_values(Instance& instance, const fmi2ValueReference vr[], size_t n, T value[], ValueType first,
                ValueType second) {
    for (size_t i = 0; i < n; ++i) {
        const double x = instance.get(vr[i]);
        const Variable& v = instance.interface().variables()[instance.interface().variable_of(vr[i])];
        if (v.type != first && v.type != second)
            throw Error(ErrorKind::usage, "'" + v.name + "' has another type");
        value[i] = static_cast<T>(x);
    }
}

template <class T>
void set_values(Instance& instance, const fmi2ValueReference vr[], size_t n, const T value[], ValueType first,
                ValueType second) {
    for (size_t i = 0; i < n; ++i) {
        if (vr[i] >= instance.interface().slots())
            throw Error(ErrorKind::usage,
                        "there is no variable with value reference " + std::to_string(vr[i]));
        const Variable& v = instance.interface().variables()[instance.interface().variable_of(vr[i])];
        if (v.type != first && v.type != second)
            throw Error(ErrorKind::usage, "'" + v.name + "' has another type");
        if (instance.phase() == Phase::step && v.role == Role::parameter && !v.tunable)
            throw Error(ErrorKind::usage,
                        "parameter '" + v.name + "' is fixed; it can be set before the first step only");
        instance.set(vr[i], static_cast<double>(value[i]));
    }
}

void require(const void* pointer, size_t n) {
    if (n > 0 && pointer == nullptr)
        throw Error(ErrorKind::usage, "an array of the call is a null pointer");
}

void no_strings(size_t n) {
    if (n > 0)
        throw Error(ErrorKind::usage, "this FMU has no variables of type String");
}

} // namespace

extern "C" {

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean /*visible*/,
                              fmi2Boolean logging) {
    try {
        auto component = std::make_unique<Component>();
        if (callbacks != nullptr)
            component->callbacks = *callbacks;
        component->name = name != nullptr ? name : "";
        bind_log(*component, logging != fmi2False);
        if (component->name.empty() || type != fmi2CoSimulation) {
            component->log.write(Category::error, component->name.empty()
                                                      ? "fmi2Instantiate: the instance has no name"
                                                      : "fmi2Instantiate: this FMU is for Co-Simulation");
            return nullptr;
        }
        component->instance = make_instance(*component, guid, resources);
        if (!component->instance)
            return nullptr;
        component->log.write(Category::info, "Tenon " TENON_VERSION ", model '" +
                                                 component->instance->blueprint().model.name + "'");
        return component.release();
    } catch (...) {
        return nullptr; // no memory; there is nothing left to say it with
    }
}

void fmi2FreeInstance(fmi2Component c) { delete static_cast<Component*>(c); }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    return call(c, "fmi2SetDebugLogging",
                {Phase::instantiated, Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [&](Component& component, Instance&) {
                    require(categories, n);
                    if (n == 0)
                        component.log.enable(on != fmi2False);
                    for (size_t i = 0; i < n; ++i)
                        if (categories[i] == nullptr || !component.log.enable(categories[i], on != fmi2False))
                            throw Error(ErrorKind::usage,
                                        std::string("no log category '") +
                                            (categories[i] != nullptr ? categories[i] : "") + "'");
                });
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean /*tolerance_defined*/, fmi2Real /*tolerance*/,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    return call(c, "fmi2SetupExperiment", {Phase::instantiated}, [&](Component&, Instance& instance) {
        instance.set_experiment(start,
                                stop_defined != fmi2False ? std::optional<double>(stop) : std::nullopt);
    });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return call(c, "fmi2EnterInitializationMode", {Phase::instantiated}, [](Component&, Instance& instance) {
        if (!instance.experiment_set())
            throw Error(ErrorKind::usage, "fmi2SetupExperiment must come first");
        instance.set_phase(Phase::initialization);
    });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return call(c, "fmi2ExitInitializationMode", {Phase::initialization},
                [](Component& component, Instance& instance) {
                    if (const std::string remark = instance.start(); !remark.empty())
                        component.log.write(Category::warning, remark);
                    instance.set_phase(Phase::step);
                });
}

fmi2Status fmi2Terminate(fmi2Component c) {
    return call(c, "fmi2Terminate", {Phase::step},
                [](Component&, Instance& instance) { instance.set_phase(Phase::terminated); });
}

fmi2Status fmi2Reset(fmi2Component c) {
    return call(c, "fmi2Reset",
                {Phase::instantiated, Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [](Component&, Instance& instance) { instance.reset(); });
}

// ---- values --------------------------------------------------------------------------------------------------------

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    return call(c, "fmi2GetReal",
                {Phase::instantiated, Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(value, n);
                    get_values(instance, vr, n, value, ValueType::real, ValueType::real);
                });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer value[]) {
    return call(c, "fmi2GetInteger",
                {Phase::instantiated, Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(value, n);
                    get_values(instance, vr, n, value, ValueType::enumeration, ValueType::enumeration);
                });
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean value[]) {
    return call(c, "fmi2GetBoolean",
                {Phase::instantiated, Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(value, n);
                    get_values(instance, vr, n, value, ValueType::boolean, ValueType::boolean);
                });
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference[], size_t n, fmi2String[]) {
    return call(c, "fmi2GetString",
                {Phase::instantiated, Phase::initialization, Phase::step, Phase::terminated, Phase::error},
                [&](Component&, Instance&) { no_strings(n); });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    return call(c, "fmi2SetReal", {Phase::instantiated, Phase::initialization, Phase::step},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(value, n);
                    set_values(instance, vr, n, value, ValueType::real, ValueType::real);
                });
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Integer value[]) {
    return call(c, "fmi2SetInteger", {Phase::instantiated, Phase::initialization, Phase::step},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(value, n);
                    set_values(instance, vr, n, value, ValueType::enumeration, ValueType::enumeration);
                });
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                          const fmi2Boolean value[]) {
    return call(c, "fmi2SetBoolean", {Phase::instantiated, Phase::initialization, Phase::step},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(value, n);
                    set_values(instance, vr, n, value, ValueType::boolean, ValueType::boolean);
                });
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference[], size_t n, const fmi2String[]) {
    return call(c, "fmi2SetString", {Phase::instantiated, Phase::initialization, Phase::step},
                [&](Component&, Instance&) { no_strings(n); });
}

// ---- steps ---------------------------------------------------------------------------------------------------------

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                       const fmi2Integer order[], const fmi2Real value[]) {
    return call(c, "fmi2SetRealInputDerivatives", {Phase::instantiated, Phase::initialization, Phase::step},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(order, n);
                    require(value, n);
                    for (size_t i = 0; i < n; ++i)
                        instance.set_input_derivative(vr[i], order[i], value[i]);
                });
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                        const fmi2Integer order[], fmi2Real value[]) {
    return call(c, "fmi2GetRealOutputDerivatives", {Phase::step, Phase::terminated, Phase::error},
                [&](Component&, Instance& instance) {
                    require(vr, n);
                    require(order, n);
                    require(value, n);
                    for (size_t i = 0; i < n; ++i)
                        value[i] = instance.output_derivative(vr[i], order[i]);
                });
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real h, fmi2Boolean /*no_set_prior*/) {
    return call(c, "fmi2DoStep", {Phase::step},
                [&](Component&, Instance& instance) { instance.step(time, h); });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
    return call(c, "fmi2CancelStep", {},
                [](Component&, Instance&) {}); // steps are never under way when it returns
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status* value) {
    return call(c, "fmi2GetStatus", {Phase::step, Phase::terminated}, [&](Component&, Instance&) {
        require(value, 1);
        if (kind != fmi2DoStepStatus)
            throw Error(ErrorKind::usage, "this kind of status is not an fmi2Status");
        *value = fmi2OK;
    });
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
    return call(c, "fmi2GetRealStatus", {Phase::step, Phase::terminated},
                [&](Component&, Instance& instance) {
                    require(value, 1);
                    if (kind != fmi2LastSuccessfulTime)
                        throw Error(ErrorKind::usage, "this kind of status is not a Real");
                    *value = instance.time();
                });
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer*) {
    return call(c, "fmi2GetIntegerStatus", {Phase::step, Phase::terminated}, [](Component&, Instance&) {
        throw Error(ErrorKind::usage, "there is no status of type Integer");
    });
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
    return call(c, "fmi2GetBooleanStatus", {Phase::step, Phase::terminated}, [&](Component&, Instance&) {
        require(value, 1);
        if (kind != fmi2Terminated)
            throw Error(ErrorKind::usage, "this kind of status is not a Boolean");
        *value = fmi2False;
    });
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String* value) {
    return call(c, "fmi2GetStringStatus", {Phase::step, Phase::terminated}, [&](Component&, Instance&) {
        require(value, 1);
        if (kind != fmi2PendingStatus)
            throw Error(ErrorKind::usage, "this kind of status is not a String");
        *value = "";
    });
}

} // extern "C"
