#include "tools/check/inputs.hpp"
#include "tools/check/raw.hpp"
#include "tools/import/functions2.hpp"
#include "tools/import/resource_uri.hpp"

#include <cstdarg>
#include <cstdlib>
#include <cstring>

namespace tenon::check {
namespace {

void keep(fmi2ComponentEnvironment environment, fmi2String instance, fmi2String category, fmi2String format,
          std::va_list arguments, bool lent) {
    RawMessage message;
    message.right_environment = environment == &raw_messages();
    message.right_instance = instance && std::strcmp(instance, raw_instance_name) == 0;
    message.after_instantiate = lent;
    if (category)
        message.category = category;
    if (format) {
        std::array<char, 1024> text{};
        std::vsnprintf(text.data(), text.size(), format, arguments);
        message.text = text.data();
    }
    raw_messages().push_back(std::move(message));
}

extern "C" void raw2_logger(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status,
                            fmi2String category, fmi2String format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    keep(environment, instance, category, format, arguments, false);
    va_end(arguments);
}

/// Stands in the struct of callbacks once fmi2Instantiate has returned.
extern "C" void raw2_late_logger(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status,
                                 fmi2String category, fmi2String format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    keep(environment, instance, category, format, arguments, true);
    va_end(arguments);
}

class Raw2 : public RawInstance {
  public:
    Raw2(Probe& probe, void* library, std::shared_ptr<bool> fatal)
        : RawInstance(probe, std::move(fatal)), f_(load_functions<fmi::Functions2>(library)),
          time_(probe.experiment().start) {
        add_life_cycle();
        add_values();
        add_the_rest();
    }
    ~Raw2() override { free(); }
    Raw2(const Raw2&) = delete;
    Raw2& operator=(const Raw2&) = delete;

    bool instantiate(const RawOptions& options) override {
        const Target& target = probe_.target();
        callbacks_ = {options.logger ? raw2_logger : nullptr, std::calloc, std::free, nullptr,
                      &raw_messages()};
        const std::string token = options.token.value_or(target.description().token);
        const std::string resources = fmi::resource_uri(target.resources);
        time_ = target.experiment.start;
        const TracedCall traced(probe_.trace(), "fmi2Instantiate");
        component_ = f_.instantiate(raw_instance_name, fmi2CoSimulation, token.c_str(), resources.c_str(),
                                    &callbacks_, fmi2False, options.logging ? fmi2True : fmi2False);
        if (options.logger)
            callbacks_.logger = raw2_late_logger;
        return component_ != nullptr;
    }

    void free() override {
        if (component_ && !*fatal_) {
            const TracedCall traced(probe_.trace(), "fmi2FreeInstance");
            f_.free_instance(component_);
        }
        component_ = nullptr;
    }

    void free_null() override {
        const TracedCall traced(probe_.trace(), "fmi2FreeInstance(NULL)");
        f_.free_instance(nullptr);
    }

    std::string version_problem() override {
        const TracedCall traced(probe_.trace(), "fmi2GetVersion or fmi2GetTypesPlatform");
        const std::string version = words_of(f_.get_version()), platform = words_of(f_.get_types_platform());
        if (std::exchange(fmi::missing_function, nullptr))
            return {}; // nobody knows
        if (version != "2.0")
            return fmt::format("fmi2GetVersion says '{}' instead of '2.0'", version);
        if (platform != fmi2TypesPlatform)
            return fmt::format("fmi2GetTypesPlatform says '{}' instead of 'default'", platform);
        return {};
    }

  private:
    void add_life_cycle() {
        const double start = probe_.experiment().start;
        calls_["fmi2SetupExperiment"] = [this, start] {
            return f_.setup_experiment(component_, fmi2False, 0, start, fmi2False, 0);
        };
        calls_["fmi2EnterInitializationMode"] = [this] { return f_.enter_initialization_mode(component_); };
        calls_["fmi2ExitInitializationMode"] = [this] { return f_.exit_initialization_mode(component_); };
        calls_["fmi2Terminate"] = [this] { return f_.terminate(component_); };
        calls_["fmi2DoStep"] = [this] {
            const double h = probe_.experiment().step;
            const int status = f_.do_step(component_, time_, h, fmi2False);
            time_ += status <= raw_warning ? h : 0;
            return status;
        };
        calls_["fmi2DoStep(h<0)"] = [this] {
            return f_.do_step(component_, time_, -probe_.experiment().step, fmi2False);
        };
    }

    void add_values() {
        const fmi::Description& description = probe_.description();
        const auto get = [this](fmi2ValueReference reference, std::size_t n) {
            double value = 0;
            return f_.get_real(component_, &reference, n, &value);
        };
        const auto set = [this](fmi2ValueReference reference) {
            const double value = 0;
            return f_.set_real(component_, &reference, 1, &value);
        };
        const fmi2ValueReference none = unused_reference(description);
        calls_["fmi2GetReal(unknown reference)"] = [=] { return get(none, 1); };
        calls_["fmi2SetReal(unknown reference)"] = [=] { return set(none); };
        calls_["fmi2GetReal(nothing)"] = [this] { return f_.get_real(component_, nullptr, 0, nullptr); };
        if (const fmi::Variable* output = some_output(description)) {
            calls_["fmi2GetReal"] = [=, reference = output->reference] { return get(reference, 1); };
            calls_["fmi2SetReal(output)"] = [=, reference = output->reference] { return set(reference); };
        }
        if (const fmi::Variable* input = some_input(description)) {
            const double start = start_numbers(*input).front();
            calls_["fmi2SetReal"] = [this, start, reference = input->reference] {
                return f_.set_real(component_, &reference, 1, &start);
            };
        }
    }

    void add_the_rest() {
        const fmi::Variable* output = some_output(probe_.description());
        const fmi::Variable* input = some_input(probe_.description());
        const fmi2ValueReference y = output ? output->reference : 0, u = input ? input->reference : 0;
        calls_["fmi2GetFMUstate"] = [this] {
            fmi2FMUstate state = nullptr;
            const int status = f_.get_state(component_, &state);
            if (status <= raw_warning)
                f_.free_state(component_, &state);
            return status;
        };
        calls_["fmi2FreeFMUstate(NULL)"] = [this] {
            fmi2FMUstate state = nullptr;
            return f_.free_state(component_, &state);
        };
        calls_["fmi2GetDirectionalDerivative"] = [this, y, u] {
            const double seed = 1;
            double sensitivity = 0;
            return f_.get_directional_derivative(component_, &y, 1, &u, 1, &seed, &sensitivity);
        };
        calls_["fmi2SetRealInputDerivatives"] = [this, u] {
            const fmi2Integer order = 1;
            const double value = 0;
            return f_.set_input_derivatives(component_, &u, 1, &order, &value);
        };
        calls_["fmi2GetRealOutputDerivatives"] = [this, y] {
            const fmi2Integer order = 1;
            double value = 0;
            return f_.get_output_derivatives(component_, &y, 1, &order, &value);
        };
        calls_["fmi2CancelStep"] = [this] { return f_.cancel_step(component_); };
        calls_["fmi2GetRealStatus"] = [this] {
            double value = 0;
            return f_.get_real_status(component_, fmi2LastSuccessfulTime, &value);
        };
    }

    fmi::Functions2 f_;
    fmi2CallbackFunctions callbacks_{};
    fmi2Component component_ = nullptr;
    double time_;
};

} // namespace

std::unique_ptr<RawInstance> make_raw2(Probe& probe, void* library, std::shared_ptr<bool> fatal) {
    return std::make_unique<Raw2>(probe, library, std::move(fatal));
}

} // namespace tenon::check
