// FMI 3.0 for Co-Simulation over Instance: instantiation, modes, steps.

#include "fmu/fmi3/component.hpp"

#include "core/math/error.hpp"
#include "fmu/resources.hpp"

using namespace tenon::fmu;
using tenon::Error;
using tenon::ErrorKind;

namespace {

constexpr fmi3Status status_of[] = {fmi3Error, fmi3Discard, fmi3Warning, fmi3OK};

void bind_log(Component3& component, bool logging) {
    Component3* c = &component;
    component.log = Log([c](Category category, const char* name, const char* text) {
        if (c->log_message != nullptr)
            c->log_message(c->environment, status_of[static_cast<int>(category)], name, text);
    });
    component.log.enable(logging); // without it FMI 3.0 wants no message at all
}

/// With the instance, whether its value references are those of elements.
void make_instance(Component3& component, const char* token, const char* resources) {
    std::string failures;
    for (const std::string& folder : resource_folders(path_of_native(resources))) {
        try {
            Blueprint blueprint = read_blueprint(folder);
            component.scalars = token != nullptr && blueprint.token + scalars_mark == token;
            if (token == nullptr || (blueprint.token != token && !component.scalars))
                throw Error(ErrorKind::model,
                            std::string("the instantiation token '") + (token != nullptr ? token : "") +
                                "' is not that of this FMU, '" + blueprint.token +
                                "'; modelDescription.xml and resources do not belong together");
            component.instance = std::make_unique<Instance>(std::move(blueprint));
            return;
        } catch (const std::exception& error) {
            failures += (failures.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    throw Error(ErrorKind::model, failures.empty() ? "no resources" : failures);
}

/// Asks the importer for inputs and tells it of internal steps, by its callback.
class ImporterObserver final : public StepObserver {
  public:
    explicit ImporterObserver(Component3& component) : component_(component) {}

    void inputs_wanted(double time) override {
        if (component_.wants_inputs)
            update(time, true, false);
    }
    std::optional<double> finished(double time) override {
        const std::optional<double> wanted = update(time, false, true);
        early = early || wanted;
        return wanted;
    }
    bool early = false; ///< the importer asked for an early return

  private:
    std::optional<double> update(double time, bool set, bool finished) {
        bool requested = false;
        double at = time;
        component_.window = {true, set, finished};
        component_.intermediate_update(component_.environment, time, set, finished, finished,
                                       finished && component_.early_return_allowed, &requested, &at);
        component_.window = {};
        if (!requested || !finished || !component_.early_return_allowed)
            return {};
        return at;
    }
    Component3& component_;
};

} // namespace

extern "C" {

const char* fmi3GetVersion(void) { return fmi3Version; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean /*visible*/, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early_return, const fmi3ValueReference required[],
                                         size_t n, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log_message,
                                         fmi3IntermediateUpdateCallback intermediate_update) {
    try {
        auto component = std::make_unique<Component3>();
        component->environment = environment;
        component->log_message = log_message;
        component->intermediate_update = intermediate_update;
        component->early_return_allowed = early_return;
        bind_log(*component, logging);
        try {
            if (name == nullptr || *name == '\0')
                throw Error(ErrorKind::usage, "the instance has no name");
            if (event_mode)
                throw Error(ErrorKind::usage, "this FMU has no event mode");
            make_instance(*component, token, resources);
            Slots(*component, required, n).each([&](const Variable& v, std::size_t) {
                component->wants_inputs = component->wants_inputs || v.role == Role::input;
            });
        } catch (const std::exception& error) {
            component->log.write(Category::error,
                                 std::string("fmi3InstantiateCoSimulation: ") + error.what());
            return nullptr;
        }
        component->log.write(Category::info, "Tenon " TENON_VERSION ", model '" +
                                                 component->instance->blueprint().model.name + "'");
        return component.release();
    } catch (...) {
        return nullptr; // no memory; there is nothing left to say it with
    }
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log_message) {
    if (logging && log_message != nullptr)
        log_message(environment, fmi3Error, log_categories[0].name, "this FMU is for Co-Simulation");
    return nullptr;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean,
                                               fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log_message, fmi3ClockUpdateCallback,
                                               fmi3LockPreemptionCallback, fmi3UnlockPreemptionCallback) {
    if (logging && log_message != nullptr)
        log_message(environment, fmi3Error, log_categories[0].name, "this FMU is for Co-Simulation");
    return nullptr;
}

void fmi3FreeInstance(fmi3Instance c) {
    auto* component = static_cast<Component3*>(c);
    if (component == nullptr || component->window.open)
        return; // from its own callback the instance cannot be freed
    delete component;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    return call(c, "fmi3SetDebugLogging", any_phase, [&](Component3& component, Instance&) {
        require_pointer(categories, n);
        if (n == 0)
            component.log.enable(on);
        for (size_t i = 0; i < n; ++i)
            if (categories[i] == nullptr || !component.log.enable(categories[i], on))
                throw Error(ErrorKind::usage, std::string("no log category '") +
                                                  (categories[i] != nullptr ? categories[i] : "") + "'");
    });
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean /*tolerance_defined*/,
                                       fmi3Float64 /*tolerance*/, fmi3Float64 start, fmi3Boolean stop_defined,
                                       fmi3Float64 stop) {
    return call(c, "fmi3EnterInitializationMode", {Phase::instantiated},
                [&](Component3&, Instance& instance) {
                    instance.set_experiment(start, stop_defined ? std::optional<double>(stop) : std::nullopt);
                    instance.set_phase(Phase::initialization);
                });
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    return call(c, "fmi3ExitInitializationMode", {Phase::initialization},
                [](Component3& component, Instance& instance) {
                    if (const std::string remark = instance.start(); !remark.empty())
                        component.log.write(Category::warning, remark);
                    instance.set_phase(Phase::step);
                });
}

fmi3Status fmi3Terminate(fmi3Instance c) {
    return call(c, "fmi3Terminate", {Phase::step},
                [](Component3&, Instance& instance) { instance.set_phase(Phase::terminated); });
}

fmi3Status fmi3Reset(fmi3Instance c) {
    return call(c, "fmi3Reset", any_phase, [](Component3&, Instance& instance) { instance.reset(); });
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 h, fmi3Boolean /*no_set_prior*/,
                      fmi3Boolean* event, fmi3Boolean* terminate, fmi3Boolean* early, fmi3Float64* reached) {
    if (event != nullptr)
        *event = false;
    if (terminate != nullptr)
        *terminate = false;
    if (early != nullptr)
        *early = false;
    if (reached != nullptr && c != nullptr)
        *reached = static_cast<Component3*>(c)->instance->time();
    return call(
        c, "fmi3DoStep", {Phase::step},
        [&](Component3& component, Instance& instance) {
            double end = 0;
            if (component.intermediate_update != nullptr) {
                ImporterObserver observer(component);
                end = instance.step(time, h, &observer);
                if (early != nullptr)
                    *early = observer.early && end < time + h;
            } else {
                end = instance.step(time, h);
            }
            if (reached != nullptr)
                *reached = end;
        },
        OnFailure::discard);
}

} // extern "C"
