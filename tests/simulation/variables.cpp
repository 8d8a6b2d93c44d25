// The list of result variables: every column is read, rates and responses belong to the columns they stand in.

#include "tests/support/machine_run.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace tenon;
using namespace tenon::tests;

namespace {

/// Together they have every kind of element that has variables.
const std::vector<std::string> machines = {"driven_crank", "rolling_disc",  "geared_arms",    "screw_press",
                                           "cart",         "ports_flanges", "spring_pendulum"};

Simulation moving(const std::string& name) {
    const Model model = example(name);
    Simulation simulation(with(model, {"munthe-kaas"}, model.solver.step, 1));
    for (int i = 0; i < 20; ++i)
        simulation.step(model.solver.step);
    return simulation;
}

std::vector<double> all_values(const Simulation& simulation) {
    std::vector<double> values(simulation.all_columns().size(), std::nan(""));
    simulation.read(values);
    return values;
}

} // namespace

TEST_CASE("every column is read, with those on request and without") {
    for (const std::string& name : machines) {
        const Simulation simulation = moving(name);
        const std::vector<double> all = all_values(simulation);
        std::vector<double> usual(simulation.columns().size(), std::nan(""));
        simulation.read(usual);
        std::set<std::string> names;
        for (std::size_t i = 0; i < all.size(); ++i) {
            CAPTURE(name, simulation.all_columns()[i].name);
            CHECK(names.insert(simulation.all_columns()[i].name).second);
            CHECK(std::isfinite(all[i]));
            if (i < usual.size())
                CHECK(usual[i] == all[i]);
        }
    }
}

TEST_CASE("a variable that is the rate of another has the value of that one's rate") {
    int pairs = 0;
    for (const std::string& name : machines) {
        const Simulation simulation = moving(name);
        const std::vector<double> values = all_values(simulation);
        std::vector<double> rates(values.size());
        simulation.read_rates(rates);
        for (const Variable& v : simulation.variables()) {
            if (v.rate_of < 0)
                continue;
            const Variable& of = simulation.variables()[static_cast<std::size_t>(v.rate_of)];
            CAPTURE(name, v.name, of.name);
            REQUIRE(v.dimensions == of.dimensions);
            for (std::size_t i = 0; i < v.elements(); ++i)
                CHECK(values[v.column + i] == Approx(rates[of.column + i]).epsilon(1e-12).margin(1e-12));
            ++pairs;
        }
    }
    CHECK(pairs > 40);
}

TEST_CASE("accelerations of bodies are differences of their velocities, and R is q as a matrix") {
    for (const char* name : {"heavy_top", "ports_flanges"}) {
        const Model model = example(name);
        const double h = 1e-4;
        Simulation simulation(with(model, {"munthe-kaas"}, h, 1));
        Results results(simulation);
        const std::string body = model.bodies.back().name;
        std::vector<Vec3> v, w;
        std::vector<double> values;
        for (int i = 0; i < 3; ++i) {
            simulation.step(h);
            results.refresh();
            v.push_back(results.vector(body + ".v_0"));
            w.push_back(results.vector(body + ".w_0"));
            if (i == 1)
                values = all_values(simulation);
        }
        const auto find = [&](const std::string& variable) {
            const auto found = std::ranges::find(simulation.variables(), body + variable, &Variable::name);
            REQUIRE(found != simulation.variables().end());
            CHECK(found->on_request);
            return values.data() + found->column;
        };
        const Vec3 a = Eigen::Map<const Vec3>(find(".a_0")), al = Eigen::Map<const Vec3>(find(".al_0"));
        CAPTURE(name);
        CHECK((a - (v[2] - v[0]) / (2 * h)).norm() < 1e-3 * (1 + a.norm()));
        CHECK((al - (w[2] - w[0]) / (2 * h)).norm() < 1e-3 * (1 + al.norm()));
        const auto q = std::ranges::find(simulation.variables(), body + ".q", &Variable::name)->column;
        const Mat3 R = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(find(".R"));
        CHECK((R - from_quaternion({values[q], values[q + 1], values[q + 2], values[q + 3]})).norm() < 1e-12);
    }
}

TEST_CASE("forces tell their lengths and efforts on request") {
    Simulation simulation = moving("spring_pendulum");
    const std::vector<double> values = all_values(simulation);
    const auto value = [&](const std::string& name) {
        const auto found = std::ranges::find(simulation.columns_on_request(), name, &Column::name);
        REQUIRE(found != simulation.columns_on_request().end());
        return values[simulation.columns().size() +
                      static_cast<std::size_t>(found - simulation.columns_on_request().begin())];
    };
    CHECK(value("coil.length") > 0.3);
    CHECK(value("coil.force") ==
          Approx(120 * (value("coil.length") - 0.3) + 0.5 * value("coil.rate")).epsilon(1e-12));
    CHECK(value("mount.deflection[3]") < 0);
    CHECK(value("mount.force[3]") > 0);
    CHECK(std::isfinite(value("hinge_spring.torque")));
}

// Accelerations and reactions are linear in forces, so that a difference is exact but for rounding.
TEST_CASE("a response to an input is the change of every column when the input is set") {
    const Model model = example("ports_flanges");
    Simulation simulation(with(model, {"munthe-kaas"}, model.solver.step, 1));
    simulation.step(model.solver.step);
    int changed = 0;
    for (std::size_t i = 0; i < simulation.inputs().size(); ++i) {
        std::vector<double> seed(simulation.inputs().size(), 0.0), response(simulation.all_columns().size());
        const int input = static_cast<int>(i);
        simulation.set_input(input, 0);
        seed[i] = 1;
        simulation.input_response(seed, response);
        const std::vector<double> before = all_values(simulation);
        simulation.set_input(input, 1);
        const std::vector<double> after = all_values(simulation);
        simulation.set_input(input, 0);
        for (std::size_t k = 0; k < before.size(); ++k) {
            CAPTURE(simulation.inputs()[i].name, simulation.all_columns()[k].name);
            if (simulation.all_columns()[k].name == "constraint.acceleration")
                continue; // rounding
            CHECK(after[k] - before[k] == Approx(response[k]).epsilon(1e-8).margin(1e-8));
            changed += response[k] != 0 ? 1 : 0;
        }
    }
    CHECK(changed > 100);
}

TEST_CASE("an output may be an element of a variable on request") {
    Model model = example("ports_flanges");
    const std::string body = model.bodies.back().name;
    model.outputs.push_back({"shock", body + ".a_0[3]", "cm/s2", ""});
    const Simulation simulation(model);
    const std::vector<double> values = all_values(simulation);
    std::vector<double> usual(simulation.columns().size());
    simulation.read(usual);
    const std::size_t last = usual.size() - 1;
    REQUIRE(simulation.columns()[last].name == "shock");
    CHECK(simulation.columns()[last].unit == "cm/s2");
    const auto a = std::ranges::find(simulation.variables(), body + ".a_0", &Variable::name);
    CHECK(usual[last] == 100 * values[a->column + 2]);
    CHECK(std::ranges::find(simulation.variables(), "shock", &Variable::name)->group == a->group);
}
