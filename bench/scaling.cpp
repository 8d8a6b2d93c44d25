// Time per body and step of chain and N-four-bar as they grow. Sizes are measured in turn, several times, and the
// least time of each counts: other work on the machine can only add.
//
//   scaling [ROUNDS] [NAME ...]        names of integrators; all ten by default; JSON on standard output

#include "bench/machines.hpp"
#include "core/integrators/integrator_types.hpp"
#include "core/simulation/simulation.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

double seconds(tenon::Simulation& simulation, const tenon::State& start, double h, int steps) {
    simulation.restore(start);
    const std::clock_t begin = std::clock(); // processor time: other work on the machine counts less
    for (int i = 0; i < steps; ++i) {
        simulation.step(h);
    }
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

} // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    std::vector<std::string> names(argv + std::min(argc, 2), argv + argc);
    if (names.empty()) {
        for (const tenon::IntegratorType& type : tenon::integrator_types()) {
            names.push_back(type.name);
        }
    }
    const double h = 1e-3;
    std::printf("[\n");
    bool first = true;
    for (const std::string& name : names) {
        for (const char* machine : {"chain", "n_four_bar"}) {
            std::vector<tenon::Simulation> simulations;
            std::vector<tenon::State> starts;
            std::vector<int> bodies;
            std::vector<double> best;
            for (int n : {10, 40, 160, 640}) {
                tenon::Model model =
                    machine == std::string("chain") ? tenon::bench::chain(n) : tenon::bench::n_four_bar(n);
                model.solver.integrator = name;
                model.solver.step = h;
                simulations.emplace_back(model);
                starts.push_back(simulations.back().state());
                bodies.push_back(static_cast<int>(model.bodies.size()));
                best.push_back(1e300);
            }
            for (int r = 0; r < rounds; ++r) {
                for (std::size_t i = 0; i < simulations.size(); ++i) {
                    const int steps = std::max(2, 4000 / bodies[i]);
                    const double t = seconds(simulations[i], starts[i], h, steps) / steps / bodies[i];
                    best[i] = std::min(best[i], t);
                }
            }
            std::printf("%s  {\"integrator\": \"%s\", \"machine\": \"%s\", \"ns_per_body_step\": {",
                        first ? "" : ",\n", name.c_str(), machine);
            const int sizes[] = {10, 40, 160, 640};
            for (std::size_t i = 0; i < best.size(); ++i) {
                std::printf("%s\"%d\": %.0f", i == 0 ? "" : ", ", sizes[i], 1e9 * best[i]);
            }
            std::printf("}, \"ratio_640_40\": %.2f}", best[3] / best[1]);
            first = false;
        }
    }
    std::printf("\n]\n");
    return 0;
}
