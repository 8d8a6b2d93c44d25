#pragma once
// A ring of small FMUs stepped by a bare loop over the C functions of their library: no checks but the sum of the returned
// statuses, no states, no records. What a master costs is what it needs on top of this.

#include "tools/files/temporary_folder.hpp"
#include "tools/import/fmu.hpp"
#include "tools/import/library.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace tenon::bench {

constexpr double step = 0.001;

/// `count` FMUs of one file, the input of each connected with the output of the one before, of the first with the last.
struct Ring {
    std::string model, input, output;
    int version = 2;
    std::size_t count = 1;
    std::filesystem::path folder;

    std::filesystem::path file() const { return folder / fmt::format("{}.{}.fmu", model, version); }
};

/// A library and the functions of it that a loop needs, of either version.
class BareRing {
  public:
    using Get = int (*)(void*, const std::uint32_t*, std::size_t, double*);
    using Set = int (*)(void*, const std::uint32_t*, std::size_t, const double*);
    using Get3 = int (*)(void*, const std::uint32_t*, std::size_t, double*, std::size_t);
    using Set3 = int (*)(void*, const std::uint32_t*, std::size_t, const double*, std::size_t);
    using Step = int (*)(void*, double, double, int);
    using Step3 = int (*)(void*, double, double, bool, bool*, bool*, bool*, double*);

    explicit BareRing(const Ring& what) : what_(what), fmu_(what.file()) {
        auto folder = std::make_shared<const TemporaryFolder>();
        fmu_.archive().unpack(folder->path());
        library_ = std::make_unique<fmi::Library>(folder->path() / fmu_.binary(), folder);
        for (const fmi::Variable& variable : fmu_.description().variables) {
            if (variable.name == what.input)
                input_ = variable.reference;
            if (variable.name == what.output)
                output_ = variable.reference;
        }
        for (std::size_t i = 0; i < what.count; ++i)
            instances_.push_back(what.version == 2 ? started2() : started3());
        u_.resize(what.count);
        y_.resize(what.count);
    }
    ~BareRing() {
        const auto release =
            function<void (*)(void*)>(what_.version == 2 ? "fmi2FreeInstance" : "fmi3FreeInstance");
        for (void* instance : instances_)
            release(instance);
    }
    BareRing(const BareRing&) = delete;
    BareRing& operator=(const BareRing&) = delete;

    /// `n` more steps of all. Throws where one has failed.
    void run(long n) {
        const int status = what_.version == 2 ? run2(done_, n) : run3(done_, n);
        if (status != 0)
            throw std::runtime_error("a step of the bare loop has failed");
        done_ += n;
    }

  private:
    template <class F> F function(const char* name) const {
        return reinterpret_cast<F>(library_->find(name));
    }

    static void silence(void*, const char*, int, const char*, const char*, ...) {}

    void* started2() {
        struct Callbacks {
            void (*log)(void*, const char*, int, const char*, const char*, ...);
            void* (*allocate)(std::size_t, std::size_t);
            void (*release)(void*);
            void (*finished)(void*, int);
            void* environment;
        };
        static const Callbacks callbacks{silence, std::calloc, std::free, nullptr, nullptr};
        void* instance =
            function<void* (*)(const char*, int, const char*, const char*, const Callbacks*, int, int)>(
                "fmi2Instantiate")("bare", 1, fmu_.description().token.c_str(), "file:///", &callbacks, 0, 0);
        function<int (*)(void*, int, double, double, int, double)>("fmi2SetupExperiment")(instance, 0, 0, 0,
                                                                                          0, 0);
        function<int (*)(void*)>("fmi2EnterInitializationMode")(instance);
        function<int (*)(void*)>("fmi2ExitInitializationMode")(instance);
        return instance;
    }
    void* started3() {
        void* instance = function<void* (*)(const char*, const char*, const char*, bool, bool, bool, bool,
                                            const std::uint32_t*, std::size_t, void*, void*, void*)>(
            "fmi3InstantiateCoSimulation")("bare", fmu_.description().token.c_str(), nullptr, false, false,
                                           false, false, nullptr, 0, nullptr, nullptr, nullptr);
        function<int (*)(void*, bool, double, double, bool, double)>("fmi3EnterInitializationMode")(
            instance, false, 0, 0, false, 0);
        function<int (*)(void*)>("fmi3ExitInitializationMode")(instance);
        return instance;
    }

    int run2(long first, long n) {
        const auto get = function<Get>("fmi2GetReal");
        const auto set = function<Set>("fmi2SetReal");
        const auto advance = function<Step>("fmi2DoStep");
        const std::size_t count = instances_.size();
        int status = 0;
        for (long k = first; k < first + n; ++k) {
            const double t = static_cast<double>(k) * step;
            for (std::size_t i = 0; i < count; ++i)
                u_[i] = y_[i == 0 ? count - 1 : i - 1];
            for (std::size_t i = 0; i < count; ++i) {
                status |= set(instances_[i], &input_, 1, &u_[i]);
                status |= advance(instances_[i], t, step, 0);
                status |= get(instances_[i], &output_, 1, &y_[i]);
            }
        }
        return status;
    }
    int run3(long first, long n) {
        const auto get = function<Get3>("fmi3GetFloat64");
        const auto set = function<Set3>("fmi3SetFloat64");
        const auto advance = function<Step3>("fmi3DoStep");
        const std::size_t count = instances_.size();
        int status = 0;
        for (long k = first; k < first + n; ++k) {
            const double t = static_cast<double>(k) * step;
            for (std::size_t i = 0; i < count; ++i)
                u_[i] = y_[i == 0 ? count - 1 : i - 1];
            for (std::size_t i = 0; i < count; ++i) {
                bool event = false, terminate = false, early = false;
                double last = 0;
                status |= set(instances_[i], &input_, 1, &u_[i], 1);
                status |= advance(instances_[i], t, step, false, &event, &terminate, &early, &last);
                status |= get(instances_[i], &output_, 1, &y_[i], 1);
            }
        }
        return status;
    }

    Ring what_;
    fmi::Fmu fmu_;
    std::unique_ptr<fmi::Library> library_;
    std::vector<void*> instances_;
    std::uint32_t input_ = 0, output_ = 0;
    std::vector<double> u_, y_;
    long done_ = 0;
};

} // namespace tenon::bench
