#pragma once
// A slave that does what a test wants, behind the description of a TestFmu, which has no binary.

#include "tests/files/scratch.hpp"
#include "tests/master/run_support.hpp"
#include "tests/system/test_fmu.hpp"

#include <functional>
#include <map>
#include <memory>

namespace tenon::master {

class FakeSlave;

/// What a test can change. All are optional.
struct Behaviour {
    std::function<void(FakeSlave&)> calculate; ///< outputs from inputs and states, before each get
    std::function<fmi::StepResult(FakeSlave&, double t, double h)> step;
    std::function<fmi::EventResult(FakeSlave&)> update;
    std::function<fmi::Status(FakeSlave&, const std::string& call)> answer; ///< to any other call
};

class FakeSlave final : public fmi::Slave {
  public:
    using Status = fmi::Status;
    FakeSlave(const fmi::Description& description, Behaviour behaviour,
              std::vector<std::string>* trace = nullptr, fmi::InstanceOptions options = {})
        : instance(std::move(options)), description_(description), behaviour_(std::move(behaviour)),
          trace_(trace) {
        for (const fmi::Variable& variable : description.variables)
            for (std::size_t i = 0; i < variable.elements(); ++i)
                values[{variable.name, i}] = 0;
    }

    std::map<std::pair<std::string, std::size_t>, double> values;
    fmi::InstanceOptions instance;
    double& operator[](const std::string& name) { return values.at({name, 0}); }

    const fmi::Description& description() const override { return description_; }
    Status set_debug_logging(bool, std::span<const std::string>) override { return call("SetDebugLogging"); }
    Status enter_initialization(double start, std::optional<double>, std::optional<double>) override {
        time_ = start;
        return call("EnterInitializationMode");
    }
    Status exit_initialization() override { return call("ExitInitializationMode"); }
    Status enter_configuration() override { return call("EnterConfigurationMode"); }
    Status exit_configuration() override { return call("ExitConfigurationMode"); }
    Status terminate() override { return call("Terminate"); }
    Status reset() override { return call("Reset"); }

    Status get(fmi::Type type, std::span<const fmi::Reference> references, void* to, std::size_t) override {
        if (behaviour_.calculate)
            behaviour_.calculate(*this);
        each(references, [&, i = std::size_t{0}](double& value) mutable {
            if (type == fmi::Type::float64)
                static_cast<double*>(to)[i++] = value;
            else if (type == fmi::Type::int32)
                static_cast<std::int32_t*>(to)[i++] = static_cast<std::int32_t>(value);
            else
                static_cast<bool*>(to)[i++] = value != 0;
        });
        return call("Get");
    }
    Status set(fmi::Type type, std::span<const fmi::Reference> references, const void* from,
               std::size_t) override {
        const Status status = call("Set");
        if (status > Status::warning)
            return status;
        each(references, [&, i = std::size_t{0}](double& value) mutable {
            if (type == fmi::Type::float64)
                value = static_cast<const double*>(from)[i++];
            else if (type == fmi::Type::int32)
                value = static_cast<const std::int32_t*>(from)[i++];
            else
                value = static_cast<const bool*>(from)[i++];
        });
        return status;
    }
    Status set_input_derivatives(std::span<const fmi::Reference>, std::span<const std::int32_t>,
                                 std::span<const double>) override {
        return call("SetRealInputDerivatives");
    }
    Status get_output_derivatives(std::span<const fmi::Reference>, std::span<const std::int32_t>,
                                  std::span<double>) override {
        return call("GetOutputDerivatives");
    }
    fmi::StepResult step(double t, double h, bool) override {
        note("DoStep");
        steps.emplace_back(t, h);
        fmi::StepResult result{.status = Status::ok, .reached = t + h};
        if (behaviour_.step)
            result = behaviour_.step(*this, t, h);
        time_ = result.reached;
        return result;
    }
    Status enter_event_mode() override { return call("EnterEventMode"); }
    fmi::EventResult update_discrete_states() override {
        note("UpdateDiscreteStates");
        return behaviour_.update ? behaviour_.update(*this) : fmi::EventResult{};
    }
    Status enter_step_mode() override { return call("EnterStepMode"); }

    Status save(fmi::StateHandle& state) override {
        if (!state)
            state = states_.emplace_back(std::make_unique<State>()).get();
        *static_cast<State*>(state) = {values, time_};
        return call("GetFMUState");
    }
    Status restore(fmi::StateHandle state) override {
        values = static_cast<State*>(state)->values;
        time_ = static_cast<State*>(state)->time;
        return call("SetFMUState");
    }
    Status discard(fmi::StateHandle& state) override {
        std::erase_if(states_, [&](const auto& one) { return one.get() == state; });
        state = nullptr;
        return call("FreeFMUState");
    }
    Status serialize(fmi::StateHandle, std::vector<unsigned char>&) override { return Status::error; }
    Status deserialize(std::span<const unsigned char>, fmi::StateHandle&) override { return Status::error; }
    Status directional_derivative(std::span<const fmi::Reference>, std::span<const fmi::Reference>,
                                  std::span<const double>, std::span<double>) override {
        return Status::error;
    }
    Status adjoint_derivative(std::span<const fmi::Reference>, std::span<const fmi::Reference>,
                              std::span<const double>, std::span<double>) override {
        return Status::error;
    }

    double time() const { return time_; }
    std::vector<std::pair<double, double>> steps; ///< all that were asked for: t and h

  private:
    struct State {
        decltype(FakeSlave::values) values;
        double time = 0;
    };

    void note(const std::string& name) {
        if (trace_)
            trace_->push_back(name);
    }
    Status call(const std::string& name) {
        note(name);
        return behaviour_.answer ? behaviour_.answer(*this, name) : Status::ok;
    }
    template <class F> void each(std::span<const fmi::Reference> references, F&& f) {
        for (const fmi::Reference reference : references)
            for (const fmi::Variable& variable : description_.variables)
                if (variable.reference == reference)
                    for (std::size_t i = 0; i < variable.elements(); ++i)
                        f(values.at({variable.name, i}));
    }

    const fmi::Description& description_;
    Behaviour behaviour_;
    std::vector<std::string>* trace_;
    double time_ = 0;
    std::vector<std::unique_ptr<State>>
        states_; ///< freed with the slave, which a fatal one does not do otherwise
};

/// A system of fakes.
struct Fakes {
    Scratch scratch;
    SystemBuilder builder;
    std::vector<Behaviour> behaviours;
    std::vector<FakeSlave*> slaves; ///< once the master is made
    std::vector<std::vector<std::string>> traces;

    Fakes& add(const std::string& name, const TestFmu& description, Behaviour behaviour) {
        description.save(scratch / (name + ".fmu"));
        builder.fmu(name, scratch / (name + ".fmu"));
        behaviours.push_back(std::move(behaviour));
        traces.emplace_back();
        slaves.push_back(nullptr);
        return *this;
    }
    MasterOptions options() {
        MasterOptions result;
        result.make_slave = [this](const CheckedSystem& system, std::size_t i,
                                   const fmi::InstanceOptions& options) {
            auto slave = std::make_unique<FakeSlave>(system.fmus[i]->description(), behaviours[i], &traces[i],
                                                     options);
            slaves[i] = slave.get();
            return slave;
        };
        return result;
    }
    Run run() { return Run(builder.check(), options()); }
};

/// `u` in, `y` out, steps of any size, rollback.
inline TestFmu simple_part(fmi::Version version = fmi::Version::fmi3) {
    TestFmu fmu(version);
    fmu.input("u").output("y");
    fmu.description().capabilities.variable_step = true;
    fmu.description().capabilities.get_and_set_state = true;
    return fmu;
}

} // namespace tenon::master
