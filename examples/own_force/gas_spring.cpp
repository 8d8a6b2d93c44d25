// A force of your own, known to model files, results and all integrators: docs/own-forces.md explains this file.
// From the root of the source tree, after make build TARGET="tenon_simulation tenon_model_file":
//
//   g++ -std=c++20 -O2 -I. -I/usr/include/eigen3 examples/own_force/gas_spring.cpp build/release/libtenon_{model_file,files,simulation,ports,integrators,equations,model,math}.a -ltomlplusplus -lfmt -o build/gas_spring
//   build/gas_spring examples/own_force/gas_spring.toml energy-preserving
//
// Gas spring between two points: a gas of pressure p0 at the length L, compressed without loss of heat,
//
//   s = |p2 - p1|,   push P(s) = P0 (L / s)^n,   potential V(s) = P0 L / (n - 1) (L / s)^(n - 1)
//   effort along s: P(s) = -V'(s), which pushes the points apart

#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/model_file/model_reader.hpp"

#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

/// What the effort is. Over a step LoadLaw makes the mean effort of it that keeps the energy.
class Gas : public tenon::LoadLaw {
  public:
    Gas(double push, double length, double exponent) : push_(push), length_(length), exponent_(exponent) {}

    double potential(double s) const override {
        return push_ * length_ / (exponent_ - 1) * std::pow(length_ / s, exponent_ - 1);
    }
    tenon::LoadEffort at(double s, double) const override {
        const double push = push_ * std::pow(length_ / s, exponent_);
        return {.elastic = push, .loss = 0, .stiffness = exponent_ * push / s, .damping = 0};
    }

  private:
    double push_, length_, exponent_;
};

double length_at_start(const tenon::Force& force) {
    const auto [p1, p2] = force.points("points");
    return (p2 - p1).norm();
}

void build(const tenon::ForcePlace& place, tenon::Loads& loads) {
    const tenon::Force& force = place.force;
    const auto [p1, p2] = force.points("points");
    tenon::MeasureLoad load = tenon::load_along(tenon::length_measure(place.point1(p1), place.point2(p2)),
                                                force.first, force.second);
    load.law = std::make_unique<Gas>(force.number("push"), length_at_start(force), force.number("exponent"));
    loads.measure.push_back(std::move(load));
}

void check(const tenon::Element& element, const tenon::Force& force) {
    if (force.number("exponent") <= 1)
        element.refuse("exponent must be more than 1 (" + tenon::digits(force.number("exponent")) + ")",
                       "exponent");
}

std::vector<tenon::ForceReading> readings(bool) {
    return {{"length", "m", "distance of the points"}, {"push", "N", "force that pushes them apart"}};
}

void read(std::span<const tenon::Effort> efforts, std::span<double> values) {
    values[0] = efforts[0].value;
    values[1] = efforts[0].effort;
}

tenon::ForceType gas_spring() {
    using enum tenon::ValueType;
    return {
        .name = "gas_spring",
        .meaning = "pushes two points apart as a gas does that is compressed without loss of heat",
        .keys = {{.name = "bodies", .type = two_bodies, .required = true, .meaning = "first and second body"},
                 {.name = "points",
                  .type = two_points,
                  .unit = "m",
                  .required = true,
                  .meaning = "a point on each, in the world at t = 0",
                  .space = tenon::Space::point},
                 {.name = "push",
                  .type = number,
                  .unit = "N",
                  .required = true,
                  .meaning = "force at the length at t = 0",
                  .limit = tenon::Limit::not_negative,
                  .parameter = "force at the length at t = 0"},
                 {.name = "exponent",
                  .type = number,
                  .fallback = "1.4",
                  .meaning = "of the gas",
                  .otherwise = [](const tenon::Force&) { return 1.4; }}},
        .build = build,
        .check = check,
        .readings = readings,
        .read = read};
}

void run(const char* file, const char* integrator) {
    tenon::Model model = tenon::read_model(file);
    model.solver.integrator = integrator;
    tenon::Simulation simulation(model);
    std::vector<double> values(simulation.all_columns().size());
    const auto value = [&](std::string_view name) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (simulation.all_columns()[i].name == name)
                return values[i];
        throw std::out_of_range("there is no result of this name");
    };
    double start = 0;
    for (int i = 0; i <= 4; ++i) {
        simulation.read(values);
        const double energy = value("energy.total") - value("energy.work");
        start = i == 0 ? energy : start;
        std::printf("t = %.1f   length = %.6f m   push = %8.3f N   E - E0 = %+.1e J\n", simulation.time(),
                    value("strut.length"), value("strut.push"), energy - start);
        for (int n = 0; i < 4 && n < 50; ++n)
            simulation.step(0.01);
    }
}

} // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: gas_spring MODEL.toml INTEGRATOR\n");
        return 64;
    }
    try {
        tenon::register_force_type(gas_spring());
        run(words[1], words[2]);
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 65;
    }
    return 0;
}
