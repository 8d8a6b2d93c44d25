#include "tools/check/inputs.hpp"
#include "tools/check/raw.hpp"
#include "tools/import/functions3.hpp"

namespace tenon::check {
namespace {

extern "C" void raw3_logger(fmi3InstanceEnvironment environment, fmi3Status, fmi3String category,
                            fmi3String text) {
    RawMessage message;
    message.right_environment = environment == &raw_messages();
    if (category)
        message.category = category;
    if (text)
        message.text = text;
    raw_messages().push_back(std::move(message));
}

class Raw3 : public RawInstance {
  public:
    Raw3(Probe& probe, void* library, std::shared_ptr<bool> fatal)
        : RawInstance(probe, std::move(fatal)), f_(load_functions<fmi::Functions3>(library)),
          time_(probe.experiment().start) {
        add_life_cycle();
        add_values();
        add_the_rest();
    }
    ~Raw3() override { free(); }
    Raw3(const Raw3&) = delete;
    Raw3& operator=(const Raw3&) = delete;

    bool instantiate(const RawOptions& options) override {
        const Target& target = probe_.target();
        const std::string token = options.token.value_or(target.description().token);
        const std::string resources = (target.resources / "").string(); // with a slash at its end
        time_ = target.experiment.start;
        const TracedCall traced(probe_.trace(), "fmi3InstantiateCoSimulation");
        instance_ = f_.instantiate(raw_instance_name, token.c_str(),
                                   target.has_resources ? resources.c_str() : nullptr, false, options.logging,
                                   options.event_mode, false, nullptr, 0, &raw_messages(),
                                   options.logger ? raw3_logger : nullptr, nullptr);
        return instance_ != nullptr;
    }

    void free() override {
        if (instance_ && !*fatal_) {
            const TracedCall traced(probe_.trace(), "fmi3FreeInstance");
            f_.free_instance(instance_);
        }
        instance_ = nullptr;
    }

    void free_null() override {
        const TracedCall traced(probe_.trace(), "fmi3FreeInstance(NULL)");
        f_.free_instance(nullptr);
    }

    std::string version_problem() override {
        const TracedCall traced(probe_.trace(), "fmi3GetVersion");
        const std::string version = words_of(f_.get_version());
        return std::exchange(fmi::missing_function, nullptr) || version == "3.0" ||
                       version.starts_with("3.0.")
                   ? std::string()
                   : fmt::format("fmi3GetVersion says '{}' instead of '3.0'", version);
    }

  private:
    void add_life_cycle() {
        const double start = probe_.experiment().start;
        calls_["fmi3EnterInitializationMode"] = [this, start] {
            return f_.enter_initialization_mode(instance_, false, 0, start, false, 0);
        };
        calls_["fmi3ExitInitializationMode"] = [this] { return f_.exit_initialization_mode(instance_); };
        calls_["fmi3EnterConfigurationMode"] = [this] { return f_.enter_configuration_mode(instance_); };
        calls_["fmi3ExitConfigurationMode"] = [this] { return f_.exit_configuration_mode(instance_); };
        calls_["fmi3EnterEventMode"] = [this] { return f_.enter_event_mode(instance_); };
        calls_["fmi3EnterStepMode"] = [this] { return f_.enter_step_mode(instance_); };
        calls_["fmi3UpdateDiscreteStates"] = [this] {
            bool again = false, terminate = false, nominals = false, states = false, defined = false;
            double time = 0;
            return f_.update_discrete_states(instance_, &again, &terminate, &nominals, &states, &defined,
                                             &time);
        };
        calls_["fmi3Terminate"] = [this] { return f_.terminate(instance_); };
        calls_["fmi3DoStep"] = [this] { return step(probe_.experiment().step); };
        calls_["fmi3DoStep(h<0)"] = [this] { return step(-probe_.experiment().step); };
    }

    int step(double h) {
        bool event = false, terminate = false, early = false;
        double reached = time_;
        const int status = f_.do_step(instance_, time_, h, false, &event, &terminate, &early, &reached);
        time_ += status <= raw_warning ? h : 0;
        return status;
    }

    void add_values() {
        const fmi::Description& description = probe_.description();
        const auto get = [this](fmi3ValueReference reference, std::size_t values) {
            std::array<double, 2> value{};
            return f_.get_float64(instance_, &reference, 1, value.data(), values);
        };
        const auto set = [this](fmi3ValueReference reference, double value) {
            return f_.set_float64(instance_, &reference, 1, &value, 1);
        };
        const fmi3ValueReference none = unused_reference(description);
        calls_["fmi3GetFloat64(unknown reference)"] = [=] { return get(none, 1); };
        calls_["fmi3SetFloat64(unknown reference)"] = [=] { return set(none, 0); };
        calls_["fmi3GetFloat64(nothing)"] = [this] {
            return f_.get_float64(instance_, nullptr, 0, nullptr, 0);
        };
        if (const fmi::Variable* output = some_output(description)) {
            calls_["fmi3GetFloat64"] = [=, reference = output->reference] { return get(reference, 1); };
            calls_["fmi3GetFloat64(nValues too large)"] = [=, reference = output->reference] {
                return get(reference, 2);
            };
            calls_["fmi3GetFloat64(nValues too small)"] = [=, reference = output->reference] {
                return get(reference, 0);
            };
            calls_["fmi3SetFloat64(output)"] = [=, reference = output->reference] {
                return set(reference, 0);
            };
        }
        if (const fmi::Variable* input = some_input(description)) {
            const double value = start_numbers(*input).front();
            calls_["fmi3SetFloat64"] = [=, reference = input->reference] { return set(reference, value); };
        }
    }

    void add_the_rest() {
        const fmi::Variable* output = some_output(probe_.description());
        const fmi::Variable* input = some_input(probe_.description());
        const fmi3ValueReference y = output ? output->reference : 0, u = input ? input->reference : 0;
        calls_["fmi3GetFMUState"] = [this] {
            fmi3FMUState state = nullptr;
            const int status = f_.get_state(instance_, &state);
            if (status <= raw_warning)
                f_.free_state(instance_, &state);
            return status;
        };
        calls_["fmi3FreeFMUState(NULL)"] = [this] {
            fmi3FMUState state = nullptr;
            return f_.free_state(instance_, &state);
        };
        const auto derivative = [this, y, u](auto function) {
            const double seed = 1;
            double sensitivity = 0;
            return function(instance_, &y, 1, &u, 1, &seed, 1, &sensitivity, 1);
        };
        calls_["fmi3GetDirectionalDerivative"] = [=, this] {
            return derivative(f_.get_directional_derivative);
        };
        calls_["fmi3GetAdjointDerivative"] = [=, this] { return derivative(f_.get_adjoint_derivative); };
        calls_["fmi3GetOutputDerivatives"] = [this, y] {
            const fmi3Int32 order = 1;
            double value = 0;
            return f_.get_output_derivatives(instance_, &y, 1, &order, &value, 1);
        };
    }

    fmi::Functions3 f_;
    fmi3Instance instance_ = nullptr;
    double time_;
};

} // namespace

std::unique_ptr<RawInstance> make_raw3(Probe& probe, void* library, std::shared_ptr<bool> fatal) {
    return std::make_unique<Raw3>(probe, library, std::move(fatal));
}

} // namespace tenon::check
