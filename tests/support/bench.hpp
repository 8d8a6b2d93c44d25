#pragma once
// A machine with both faces of its equations, put to a place and a motion that its joints allow.

#include "core/equations/natural_equations.hpp"
#include "core/integrators/manifold_projection.hpp"
#include "core/simulation/assembly.hpp"
#include "tests/support/machine_run.hpp"
#include "tests/support/random.hpp"

namespace tenon::tests {

struct Bench {
    explicit Bench(const Model& given)
        : model(given), mechanism(model), rigid(mechanism, memory, Chart::natural),
          lie(mechanism, memory, Chart::lie), natural(mechanism, memory, rigid, assembled()) {
        projection.allocate(rigid.sizes());
        a = Vector::Zero(v.size());
        lambda = Vector::Zero(mechanism.rows());
    }
    /// Away from the start, no further than the size of the machine allows.
    Bench(const Model& given, std::uint64_t seed) : Bench(given) {
        const bool small = model.name == "andrews_squeezer"; // a centimetre large
        wander(seed, small ? 0.05 : 0.2, small ? 0.1 : 1.0, small ? 1e-3 : 0.05);
    }
    Bench(const Bench&) = delete; // the faces refer to the members
    Bench& operator=(const Bench&) = delete;

    /// Away from the start: `time` a little later, positions moved by about `size` along the constraints, velocities
    /// random up to `speed` and what drivers demand.
    void wander(std::uint64_t seed, double size, double speed, double until = 0.05) {
        Random random(seed);
        Vector step = Vector::Zero(v.size());
        for (int i = 0; i < 10; ++i) {
            time = until * (i + 1) / 10;
            rigid.evaluate_rows(time, q, v);
            rigid.factor(Metric::unit);
            rigid.solve(random.vector(v.size()), Vector::Zero(mechanism.rows()), step, lambda);
            const double length = step.lpNorm<Eigen::Infinity>();
            if (length > 1e-9) {
                step *= 0.1 * size / length;
                rigid.correct(q, step);
            }
            projection.positions(rigid, time, q, v, Metric::mass, 50, 1e-14, 1e-10);
        }
        v = speed * random.vector(v.size());
        rigid.evaluate_rows(time, q, v);
        projection.velocities(rigid, v, Metric::mass);
        solve();
    }

    /// Accelerations and reactions of the natural chart at (time, q, v).
    void solve() {
        rigid.evaluate(time, q, v);
        rigid.factor(Metric::mass);
        const Vector rhs = -rigid.bias();
        rigid.solve(rigid.force(), rhs, a, lambda);
    }

    /// q, v and what belongs to them in the lie chart.
    void to_lie(Vector& lie_q, Vector& lie_v) const {
        lie_q = q;
        lie_v = v;
        lie.pack(rigid.kinematics(), lie_q, lie_v);
    }

    Vector natural_velocity(const Vector& v6) const {
        Vector out = Vector::Zero(q.size());
        natural.velocity_from_rigid(q, v6, out);
        return out;
    }

    Model model;
    Mechanism mechanism;
    Memory memory;
    RigidEquations rigid, lie;
    StartReport start;
    double time = 0;
    Vector q, v, a, lambda;
    std::vector<char> excluded;
    NaturalEquations natural;
    ManifoldProjection projection;

  private:
    const std::vector<char>& assembled() {
        memory.angle = memory.angle_rate = Vector::Zero(mechanism.slots());
        for (const InputVariable& input : mechanism.inputs()) {
            memory.inputs.push_back({0, input.start, 0, 0});
        }
        start = assemble(model, lie, 0, model.solver.step, q, v, excluded);
        start = assemble(model, rigid, 0, model.solver.step, q, v, excluded);
        return excluded;
    }
};

/// Derivative of f at 0, of fourth order in e.
template <class F> auto derivative(F&& f, double e) {
    return decltype(f(0.0))((8 * (f(e) - f(-e)) - (f(2 * e) - f(-2 * e))) / (12 * e));
}

inline Body test_body(const std::string& name, double mass, const Vec3& at, Random& random) {
    Body body;
    body.name = name;
    body.mass = mass;
    body.com = 0.2 * random.vec3();
    body.inertia = random.inertia(mass);
    body.position = at;
    body.rotation = random.rotation();
    return body;
}

/// Every kind of load on bodies that no joint ties to the world.
inline Model floating_machine() {
    Random random(99);
    Model model;
    model.name = "floating";
    for (int i = 0; i < 4; ++i)
        model.bodies.push_back(
            test_body("body_" + std::to_string(i), 1 + 0.5 * i, Vec3(i, 0.3 * i, -0.2 * i), random));
    Joint pin;
    pin.name = "pin";
    pin.type = "revolute";
    pin.first = 0;
    pin.second = 1;
    pin.at = Vec3(0.5, 0, 0);
    pin.axis = Vec3(0, 0.6, 0.8);
    pin.friction = {0.4, 0.3, 0.5};
    Joint ball;
    ball.name = "ball";
    ball.type = "spherical";
    ball.first = 2;
    ball.second = 1;
    ball.at = Vec3(1.5, 0.4, 0);
    model.joints = {pin, ball};
    Force spring;
    spring.name = "spring";
    spring.type = "spring_damper";
    spring.first = 0;
    spring.second = 2;
    spring.set("points", std::array<Vec3, 2>{Vec3(0.1, 0, 0.2), Vec3(2, 0.5, 0)});
    spring.set("stiffness", 40.0);
    spring.set("damping", 3.0);
    spring.set("free_length", 1.5);
    Force twist;
    twist.name = "twist";
    twist.type = "torsion_spring";
    twist.joint = 0;
    twist.set("stiffness", 5.0);
    twist.set("damping", 0.4);
    twist.set("free_angle", 0.3);
    Force bushing;
    bushing.name = "bushing";
    bushing.type = "bushing";
    bushing.first = 3;
    bushing.second = 2;
    bushing.set("at", Vec3(2.5, 0.7, -0.5));
    bushing.set("stiffness", std::vector<double>{100, 200, 300, 10, 20, 30});
    bushing.set("damping", std::vector<double>{3, 2, 1, 0.3, 0.2, 0.1});
    model.forces = {spring, twist, bushing};
    return model;
}

} // namespace tenon::tests
