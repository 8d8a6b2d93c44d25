#include "core/model/unit.hpp"

#include "core/math/error.hpp"
#include "core/simulation/simulation.hpp"
#include "tools/model_file/model_reader.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace tenon;

namespace {
double factor(const char* from, const char* to) { return conversion(from, to, "x"); }
} // namespace

TEST_CASE("units are products of powers of symbols") {
    using Exponents = std::array<int, 8>;
    CHECK(find_unit("N.m")->exponents == Exponents{1, 2, -2});
    CHECK(find_unit("J")->exponents == find_unit("N.m")->exponents);
    CHECK(find_unit("N.m.s/rad")->exponents == Exponents{1, 2, -1, 0, 0, 0, 0, -1});
    CHECK(find_unit("rad/s2")->exponents == Exponents{0, 0, -2, 0, 0, 0, 0, 1});
    CHECK(find_unit("s-1")->exponents == find_unit("Hz")->exponents);
    CHECK(find_unit("1")->exponents == Exponents{});
    for (const char* bad : {"", "x", "N..m", "m/", "/s", "N.m2x", "m99", "kkg", "krpm", "Nm"}) {
        INFO(bad);
        CHECK_FALSE(find_unit(bad));
    }
}

TEST_CASE("units convert by their factors and refuse what measures something else") {
    CHECK(factor("kN", "N") == Approx(1000));
    CHECK(factor("deg", "rad") == Approx(std::numbers::pi / 180));
    CHECK(factor("rpm", "rad/s") == Approx(std::numbers::pi / 30));
    CHECK(factor("km/h", "m/s") == Approx(1 / 3.6));
    CHECK(factor("mm2", "m2") == Approx(1e-6));
    CHECK(factor("m", "m") == 1);
    CHECK_THROWS_AS(factor("rad/s", "Hz"), Error);
    CHECK_THROWS_AS(factor("N.m", "N"), Error);
    CHECK_THROWS_AS(factor("furlong", "m"), Error);
}

TEST_CASE("inputs and outputs of a model are in the units that it gives them") {
    const std::string text = R"([[body]]
name = "arm"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
position = [1.0, 0.0, 0.0]
[[joint]]
name = "pin"
type = "revolute"
bodies = ["world", "arm"]
at = [0.0, 0.0, 0.0]
axis = [0.0, 1.0, 0.0]
[[force]]
name = "push"
type = "force"
body = "arm"
at = [1.0, 0.0, 0.0]
force = [0.0, 0.0, 500.0]
input = true
[[input]]
name = "lift"
to = "push.f[3]"
unit = "kN"
[[output]]
name = "degrees"
from = "pin.angle"
unit = "deg"
[solver]
integrator = "munthe-kaas"
)";
    Simulation simulation(parse_model(text, "units.toml"));
    const auto& inputs = simulation.inputs();
    REQUIRE(inputs.back().name == "lift");
    CHECK(simulation.input_start(static_cast<int>(inputs.size()) - 1) == Approx(0.5));
    const auto after = [&](Simulation& s) {
        for (int i = 0; i < 20; ++i)
            s.step(1e-3);
        std::vector<double> values(s.columns().size());
        s.read(values);
        return values;
    };
    const std::vector<double> start = after(simulation);
    Simulation again(parse_model(text, "units.toml"));
    again.set_input(static_cast<int>(inputs.size()) - 1, 0.5); // kN: as it is anyway
    const std::vector<double> values = after(again);
    std::size_t angle = 0;
    while (simulation.columns()[angle].name != "pin.angle")
        ++angle;
    CHECK(values.back() == Approx(start.back()).epsilon(1e-12));
    CHECK(values.back() == Approx(values[angle] * 180 / std::numbers::pi).epsilon(1e-14));
    CHECK(std::abs(values.back()) > 0.1);
    const std::string wrong = std::string(text).replace(text.find("\"kN\""), 4, "\"rad\"");
    CHECK_THROWS_AS(Simulation(parse_model(wrong, "units.toml")), Error);
}
