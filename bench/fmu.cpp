// What an FMU costs on top of the core: empty get and set, a step, save and restore, a directional derivative; and how long
// the export of a large model takes. Prints JSON.

#include "tools/import/fmu.hpp"
#include "bench/machines.hpp"
#include "fmu/instance.hpp"
#include "tools/export/export_fmu.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/model_file/model_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

using namespace tenon;

namespace {

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Nanoseconds a call, the least of several rounds.
template <class F> double nanoseconds(int calls, F&& f) {
    double best = 1e300;
    for (int round = 0; round < 7; ++round) {
        const double begin = cpu_seconds();
        for (int i = 0; i < calls; ++i)
            f();
        best = std::min(best, (cpu_seconds() - begin) / calls);
    }
    return 1e9 * best;
}

void measure(const char* name, const Model& model, fmi::Version version, bool last) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "machine.fmu";
    write_archive(file, fmu_content(model, "", version));
    const fmi::Fmu fmu(file);
    const auto slave = fmu.instantiate({});
    slave->enter_initialization(0, {}, {});
    slave->exit_initialization();
    std::vector<fmi::Reference> inputs, outputs;
    std::size_t values = 0;
    for (const fmi::Variable& v : fmu.description().variables) {
        if (v.causality == fmi::Causality::input && inputs.empty())
            inputs.push_back(v.reference);
        if (v.name.find(".aux.a_0") != std::string::npos && outputs.empty()) {
            outputs.push_back(v.reference);
            values = v.elements();
        }
    }
    const fmi::Reference time = 0;
    double t = 0, x = 0;
    const double h = model.solver.step;
    const int steps = model.bodies.size() > 20 ? 20 : 2000;
    Simulation core(model);
    const double own = nanoseconds(steps, [&] { core.step(h); });
    const double step = nanoseconds(steps, [&] {
        slave->step(t, h);
        t += h;
    });
    const double get = nanoseconds(100000, [&] { slave->get({&time, 1}, {&x, 1}); });
    fmi::StateHandle state = nullptr;
    const double save = nanoseconds(2000, [&] { slave->save(state); });
    const double restore = nanoseconds(500, [&] { slave->restore(state); });
    slave->discard(state);
    double set = 0, derivative = 0;
    if (!inputs.empty() && !outputs.empty()) {
        set = nanoseconds(100000, [&] { slave->set({inputs.data(), 1}, {&x, 1}); });
        std::vector<double> seed(fmu.description().version == fmi::Version::fmi3 ? 3 : 1, 1.0),
            result(values);
        derivative = nanoseconds(500, [&] { slave->directional_derivative(outputs, inputs, seed, result); });
    }
    std::printf("  {\"machine\": \"%s\", \"fmi\": %d, \"core_step\": %.0f, \"step\": %.0f, \"get\": %.1f, "
                "\"set\": %.1f, "
                "\"save\": %.0f, \"restore\": %.0f, \"derivative\": %.0f}%s\n",
                name, version == fmi::Version::fmi2 ? 2 : 3, own, step, get, set, save, restore, derivative,
                last ? "" : ",");
}

} // namespace

int main(int argc, char** argv) {
    const std::string examples = argc > 1 ? argv[1] : "examples";
    std::printf("{\"fmus\": [\n");
    for (const fmi::Version version : {fmi::Version::fmi2, fmi::Version::fmi3}) {
        measure("double_pendulum", read_model(examples + "/double_pendulum.toml"), version, false);
        measure("ports_flanges", read_model(examples + "/ports_flanges.toml"), version, false);
        measure("n_four_bar_10", read_model(examples + "/n_four_bar_10.toml"), version,
                version == fmi::Version::fmi3);
    }
    const Model large = bench::chain(640);
    double seconds[2];
    for (const int v : {0, 1}) {
        const auto begin = std::chrono::steady_clock::now();
        const TemporaryFolder folder;
        write_archive(folder.path() / "large.fmu",
                      fmu_content(large, "", v == 0 ? fmi::Version::fmi2 : fmi::Version::fmi3));
        seconds[v] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    std::printf("], \"export_640_bodies\": [%.2f, %.2f]}\n", seconds[0], seconds[1]);
}
