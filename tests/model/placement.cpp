#include "core/model/placement.hpp"

#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/simulation/simulation.hpp"
#include "tests/support/folders.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

using namespace tenon;

namespace {

const Vec3 place_r(3, -2, 0.5);
const Mat3 place_R = exp_so3(Vec3(0.3, -1.1, 0.7));

struct Named {
    std::vector<double> values;
    const Simulation& simulation;
    Vec3 vector(const std::string& name) const {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (simulation.columns()[i].name == name + "[1]")
                return {values[i], values[i + 1], values[i + 2]};
        FAIL("no variable " << name);
        return {};
    }
    double scalar(const std::string& name) const {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (simulation.columns()[i].name == name)
                return values[i];
        FAIL("no variable " << name);
        return 0;
    }
};

Named run(Simulation& simulation, int steps) {
    for (int i = 0; i < steps; ++i)
        simulation.step(simulation.model().solver.step);
    std::vector<double> values(simulation.columns().size());
    simulation.read(values);
    return {values, simulation};
}

} // namespace

TEST_CASE("a machine placed elsewhere moves there as it did in its own world") {
    for (const char* name : {"cart", "bricard", "spring_pendulum", "rolling_disc", "ports_flanges",
                             "universal_shaft", "screw_press", "wind_rotor", "double_four_bar"}) {
        INFO(name);
        const Model model = read_model(tests::source_folder() + "/examples/" + std::string(name) + ".toml");
        Model placed = model;
        place(placed, place_r, place_R);
        Simulation own(model), there(placed);
        const Named a = run(own, 50), b = run(there, 50);
        for (const Body& body : model.bodies) {
            INFO(body.name);
            CHECK((b.vector(body.name + ".r_0") - place_r - place_R * a.vector(body.name + ".r_0")).norm() <
                  1e-8);
            CHECK((b.vector(body.name + ".w_0") - place_R * a.vector(body.name + ".w_0")).norm() < 1e-7);
        }
        CHECK(b.scalar("energy.kinetic") == Approx(a.scalar("energy.kinetic")).epsilon(1e-7).margin(1e-9));
    }
}

TEST_CASE("a placement that is not a rotation is refused with how far it is off") {
    Model model = read_model(tests::source_folder() + "/examples/double_pendulum.toml");
    CHECK_THROWS_WITH(place(model, place_r, 1.1 * Mat3::Identity()),
                      Catch::Contains("world_R is not a rotation"));
    Mat3 mirror = Mat3::Identity();
    mirror(0, 0) = -1;
    CHECK_THROWS_AS(place(model, place_r, mirror), Error);
}
