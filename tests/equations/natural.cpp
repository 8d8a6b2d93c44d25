// The natural face: rows, forces, tangents and energies against the rigid face and against differences.

#include "tests/support/bench.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::tests;

namespace {

const std::vector<std::string> machines = {
    "andrews_squeezer", "bricard",      "cart",          "double_pendulum", "driven_crank",
    "geared_arms",      "n_four_bar_2", "ports_flanges", "robot_arm",       "rolling_disc",
    "satellite",        "screw_press",  "slider_crank",  "spring_pendulum", "universal_shaft",
    "wind_rotor"};

double largest(const Vector& x) { return x.size() == 0 ? 0.0 : x.lpNorm<Eigen::Infinity>(); }

Mat3 axes(const Vector& q, int body) { return Eigen::Map<const Mat3>(q.data() + 12 * body + 3); }

/// (f_r, sum d_i x f_i) of every body.
Vector tested(const Vector& f, const Vector& q) {
    Vector out(f.size() / 2);
    for (int b = 0; 12 * b < f.size(); ++b) {
        const Mat3 D = axes(q, b), F = axes(f, b);
        out.segment<3>(6 * b) = f.segment<3>(12 * b);
        out.segment<3>(6 * b + 3) =
            D.col(0).cross(F.col(0)) + D.col(1).cross(F.col(1)) + D.col(2).cross(F.col(2));
    }
    return out;
}

/// The tangent that factor() has made, column by column: solve(f) = -T^-1 tested(f), test frames those of q.
Matrix tangent(NaturalEquations& equations, const Vector& q) {
    const Eigen::Index n = q.size() / 2;
    Matrix inverse(n, n);
    Vector dx(n);
    for (Eigen::Index j = 0; j < n; ++j) {
        const int b = static_cast<int>(j) / 6, i = static_cast<int>(j) % 6;
        Vector f = Vector::Zero(q.size());
        if (i < 3) {
            f[12 * b + i] = 1;
        } else { // sum d x (c x d) = (tr P - P) c, P = D D^T
            const Mat3 D = axes(q, b), P = D * D.transpose();
            const Vec3 c = (P.trace() * Mat3::Identity() - P).inverse().col(i - 3);
            Eigen::Map<Mat3>(f.data() + 12 * b + 3) = skew(c) * D;
        }
        equations.solve(f, Vector(), dx);
        inverse.col(j) = -dx;
    }
    return inverse.inverse();
}

/// Columns of the derivative of f(dx) at 0.
template <class F> Matrix jacobian(F&& f, Eigen::Index columns, double e) {
    Matrix out;
    for (Eigen::Index j = 0; j < columns; ++j) {
        const Vector column =
            derivative([&](double s) { return Vector(f(s * Vector::Unit(columns, j))); }, e);
        if (j == 0)
            out.resize(column.size(), columns);
        out.col(j) = column;
    }
    return out;
}

Vector incremented(const NaturalEquations& equations, const Vector& q, const Vector& dx) {
    Vector out = q;
    equations.increment(dx, out);
    return out;
}

/// A machine whose springs are all relaxed at the start.
Model relaxed_machine() {
    Model model = floating_machine();
    for (Force& force : model.forces) {
        force.values.erase("free_length");
        force.values.erase("free_angle");
    }
    return model;
}

} // namespace

TEST_CASE("the natural kinetic energy of rigid velocities is the rigid one, and half of v M v") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 21);
        const Vector v = bench.natural_velocity(bench.v);
        Vector p = v;
        bench.natural.mass_times(v, p);
        CAPTURE(name);
        CHECK(bench.natural.kinetic(v) == Approx(bench.rigid.kinetic()).epsilon(1e-12));
        CHECK(0.5 * v.dot(p) == Approx(bench.rigid.kinetic()).epsilon(1e-12));
        // Angular momentum from the directors is that from the inertia.
        Vector momentum = bench.v;
        bench.rigid.momentum(bench.v, momentum);
        CHECK(largest(tested(p, bench.q) - momentum) < 1e-12 * (1 + largest(momentum)));
        CHECK(bench.natural.potential(bench.time, bench.q) == Approx(bench.rigid.potential()).epsilon(1e-12));
    }
}

TEST_CASE("rigid velocities survive the way to natural ones and back, thin rods included") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 22);
        std::vector<Kinematics> k;
        bench.natural.kinematics(bench.q, bench.natural_velocity(bench.v), k);
        CAPTURE(name);
        for (int b = 0; b < bench.mechanism.bodies(); ++b) {
            CHECK((k[b].v - bench.v.segment<3>(6 * b)).norm() == 0);
            CHECK((k[b].w - bench.v.segment<3>(6 * b + 3)).norm() < 1e-6 * (1 + largest(bench.v)));
        }
    }
}

TEST_CASE("natural rows have the values and rates of rigid ones") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 23);
        Random random(23);
        bench.v = random.vector(bench.v.size()); // not on the constraints: rates are not zero
        bench.rigid.evaluate(bench.time, bench.q, bench.v);
        const Vector v = bench.natural_velocity(bench.v);
        bench.natural.evaluate(bench.time, bench.q, v);
        CAPTURE(name);
        CHECK(largest(bench.natural.row_value() - bench.rigid.position_residual()) < 1e-14);
        CHECK(largest(bench.natural.row_rate() - bench.rigid.velocity_residual()) < 1e-13);
        CHECK(bench.natural.velocity_violation(bench.time, bench.q, v) ==
              Approx(largest(bench.rigid.velocity_residual())));
    }
}

TEST_CASE("the rate of a natural row is the derivative of its value, and the bias that of its rate") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 24);
        const Vector v = bench.natural_velocity(bench.v);
        bench.natural.evaluate(bench.time, bench.q, v);
        const Vector rate = bench.natural.row_rate();
        const Vector bias = bench.natural.row_bias();
        // Straight on in all twelve coordinates: no acceleration, and directors leave the rotations only to second order.
        const double e = name == "andrews_squeezer" ? 1e-5 : 1e-4;
        const Vector slope = derivative(
            [&](double s) {
                bench.natural.evaluate(bench.time + s, bench.q + s * v, v);
                return Vector(bench.natural.row_value());
            },
            e);
        const Vector second = derivative(
            [&](double s) {
                bench.natural.evaluate(bench.time + s, bench.q + s * v, v);
                return Vector(bench.natural.row_rate());
            },
            e);
        CAPTURE(name);
        for (int r = 0; r < bench.mechanism.rows(); ++r) {
            CAPTURE(r, bench.mechanism.row_name(r));
            if (bench.natural.holonomic(r))
                CHECK(rate[r] == Approx(slope[r]).margin(1e-8));
            CHECK(bias[r] == Approx(second[r]).epsilon(1e-6).margin(1e-6));
        }
    }
}

TEST_CASE("natural forces tested along rigid motions are the rigid forces without the gyroscopic torque") {
    std::vector<Model> models = {floating_machine()};
    for (const std::string& name : machines)
        models.push_back(example(name));
    for (const Model& model : models) {
        Bench bench(model, 25);
        bench.natural.evaluate(bench.time, bench.q, bench.natural_velocity(bench.v));
        Vector expected = bench.rigid.force();
        for (int b = 0; b < bench.mechanism.bodies(); ++b) {
            const Kinematics& k = bench.rigid.kinematics()[b];
            expected.segment<3>(6 * b + 3) +=
                k.w.cross(k.D * bench.mechanism.body()[b].inertia * k.D.transpose() * k.w);
        }
        CAPTURE(model.name);
        CHECK(largest(tested(bench.natural.force(), bench.q) - expected) < 1e-11 * (1 + largest(expected)));
        CHECK(bench.natural.power(-bench.lambda) ==
              Approx(bench.rigid.power(bench.lambda)).margin(1e-10 * (1 + largest(bench.lambda))));
    }
}

TEST_CASE("reactions of natural rows tested along rigid motions are those of rigid rows") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 26);
        bench.natural.evaluate(bench.time, bench.q, bench.natural_velocity(bench.v));
        Random random(26);
        const Vector mu = random.vector(bench.mechanism.rows());
        Vector f = Vector::Zero(bench.q.size());
        bench.natural.add_reaction(mu, f);
        // mu.(G u) for rigid velocities u, from rates of the rigid face.
        const Vector u = random.vector(bench.v.size());
        bench.rigid.evaluate_rows(bench.time, bench.q, u);
        const Vector moving = bench.rigid.velocity_residual();
        bench.rigid.evaluate_rows(bench.time, bench.q, 0 * u);
        const Vector resting = bench.rigid.velocity_residual();
        CAPTURE(name);
        CHECK(tested(f, bench.q).dot(u) == Approx(mu.dot(moving - resting)).margin(1e-11));
        // And row_times is the transpose of add_reaction.
        const Vector x = random.vector(bench.q.size());
        Vector times = Vector::Zero(bench.mechanism.rows());
        bench.natural.row_times(x, times);
        CHECK(mu.dot(times) == Approx(f.dot(x)).margin(1e-11));
    }
}

TEST_CASE("row_increment is the derivative of row values along increments, at the end of a step, too") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 27);
        Random random(27);
        const Vector dx = random.vector(bench.v.size());
        const Vector q0 = incremented(bench.natural, bench.q, 0.01 * random.vector(bench.v.size()));
        const double e = name == "andrews_squeezer" ? 1e-5 : 1e-4;
        for (const bool discrete : {false, true}) {
            const auto values = [&](double s) {
                const Vector q = incremented(bench.natural, bench.q, s * dx);
                if (discrete)
                    bench.natural.evaluate_between(bench.time - 0.01, q0, bench.time, q);
                else
                    bench.natural.evaluate(bench.time, q, 0 * q);
                return Vector(bench.natural.row_value());
            };
            const Vector slope = derivative(values, e);
            values(0);
            Vector out = Vector::Zero(bench.mechanism.rows());
            bench.natural.factor(1, 0, 0, Vector::Ones(out.size())); // keeps the rows
            bench.natural.row_increment(dx, out);
            CAPTURE(name, discrete);
            for (int r = 0; r < bench.mechanism.rows(); ++r) {
                if (bench.natural.holonomic(r))
                    CHECK(out[r] == Approx(slope[r]).margin(1e-7));
            }
        }
    }
}

TEST_CASE("the tangent's penalty part is reactions times increments of rows") {
    for (const char* name : {"geared_arms", "screw_press", "rolling_disc", "driven_crank", "ports_flanges"}) {
        Bench bench(example(name), 28);
        Random random(28);
        const int m = bench.mechanism.rows();
        Vector weight = random.vector(m);
        for (int r = 0; r < m; ++r)
            weight[r] = 1 + 0.5 * weight[r];
        const Vector q1 = incremented(bench.natural, bench.q, 0.05 * random.vector(bench.v.size()));
        bench.natural.evaluate_between(bench.time, bench.q, bench.time + 0.01, q1);
        const Vector middle = 0.5 * (bench.q + q1);
        bench.natural.factor(3, 0, 0, Vector::Zero(m));
        const Matrix mass = tangent(bench.natural, middle);
        bench.natural.factor(3, 0, 0, weight);
        const Matrix both = tangent(bench.natural, middle);
        Matrix expected = Matrix::Zero(mass.rows(), mass.cols());
        const Matrix trial = jacobian(
            [&](const Vector& dx) {
                Vector out = Vector::Zero(m);
                bench.natural.row_increment(dx, out);
                return out;
            },
            mass.cols(), 1.0);
        for (int r = 0; r < m; ++r) {
            Vector f = Vector::Zero(q1.size());
            bench.natural.add_reaction(Vector::Unit(m, r), f);
            expected += weight[r] * tested(f, middle) * trial.row(r);
        }
        CAPTURE(name);
        CHECK((both - mass - expected).cwiseAbs().maxCoeff() < 1e-9 * expected.cwiseAbs().maxCoeff());
    }
}

TEST_CASE("the tangent's mass part is the derivative of tested momentum by increments of the end") {
    for (const char* name : {"satellite", "driven_crank", "heavy_top"}) {
        Bench bench(example(name), 29);
        Random random(29);
        const Vector q1 = incremented(bench.natural, bench.q, 0.2 * random.vector(bench.v.size()));
        const Vector middle = 0.5 * (bench.q + q1);
        bench.natural.evaluate_between(bench.time, bench.q, bench.time + 0.1, q1);
        bench.natural.factor(2, 0, 0, Vector::Zero(bench.mechanism.rows()));
        const Matrix expected = jacobian(
            [&](const Vector& dx) {
                Vector p = q1;
                bench.natural.mass_times(incremented(bench.natural, q1, dx), p);
                return tested(2 * p, middle);
            },
            bench.v.size(), 1e-3);
        CAPTURE(name);
        CHECK((tangent(bench.natural, middle) - expected).cwiseAbs().maxCoeff() <
              1e-9 * expected.cwiseAbs().maxCoeff());
    }
}

TEST_CASE("the tangent's damping part is the derivative of forces by velocities, friction included") {
    std::vector<Model> models = {floating_machine()};
    for (const char* name : {"driven_crank", "screw_press", "spring_pendulum", "wind_rotor", "ports_flanges"})
        models.push_back(example(name));
    for (const Model& model : models) {
        Bench bench(model, 30);
        const Vector none = Vector::Zero(bench.mechanism.rows());
        // Friction is smoothed over the joint's speed: stay where its slope is not zero.
        bench.v *= 0.02;
        const Matrix slope = -jacobian(
            [&](const Vector& dv) {
                bench.natural.evaluate(bench.time, bench.q, bench.natural_velocity(bench.v + dv));
                return tested(bench.natural.force(), bench.q);
            },
            bench.v.size(), 1e-5);
        bench.natural.evaluate(bench.time, bench.q, bench.natural_velocity(bench.v));
        // A mass comparable with the damping, so that inverting loses no digits.
        const double size = slope.cwiseAbs().maxCoeff();
        bench.natural.factor(size, 0, 0, none);
        const Matrix mass = tangent(bench.natural, bench.q);
        bench.natural.factor(size, 1, 0, none);
        const Matrix damping = tangent(bench.natural, bench.q) - mass;
        CAPTURE(model.name);
        CHECK(size > 0.1);
        CHECK((damping - slope).cwiseAbs().maxCoeff() < 1e-6 * size);
    }
}

TEST_CASE(
    "the tangent's stiffness part is the derivative of forces by increments where springs are relaxed") {
    Bench bench(relaxed_machine());
    bench.v.setZero();
    const Vector none = Vector::Zero(bench.mechanism.rows()), rest = Vector::Zero(bench.q.size());
    const Matrix slope = -jacobian(
        [&](const Vector& dx) {
            const Vector q = incremented(bench.natural, bench.q, dx);
            bench.natural.evaluate(0, q, rest);
            return tested(bench.natural.force(), q);
        },
        bench.v.size(), 1e-4);
    bench.natural.evaluate(0, bench.q, rest);
    bench.natural.factor(100, 0, 0, none);
    const Matrix mass = tangent(bench.natural, bench.q);
    bench.natural.factor(100, 0, 1, none);
    const Matrix stiffness = tangent(bench.natural, bench.q) - mass;
    CHECK(slope.cwiseAbs().maxCoeff() > 100);
    CHECK((stiffness - slope).cwiseAbs().maxCoeff() < 1e-6 * slope.cwiseAbs().maxCoeff());
}

TEST_CASE("where springs pull, the stiffness kept is that of their measures' gradients") {
    Bench bench(floating_machine(), 31);
    const Vector none = Vector::Zero(bench.mechanism.rows());
    const Vector v = bench.natural_velocity(bench.v);
    Matrix expected = Matrix::Zero(bench.v.size(), bench.v.size());
    for (const MeasureLoad& load : bench.mechanism.loads().measure) {
        const Matrix g = jacobian(
            [&](const Vector& dx) {
                const Vector q = incremented(bench.natural, bench.q, dx);
                const auto frame = [&](int b) {
                    return b < 0 ? Frame{} : Frame{q.segment<3>(12 * b), axes(q, b)};
                };
                return Vector::Constant(1, load.measure->value(frame(load.first), frame(load.second), 0));
            },
            bench.v.size(), 1e-4);
        expected += load.stiffness * g.transpose() * g;
    }
    bench.natural.evaluate(bench.time, bench.q, v);
    bench.natural.factor(100, 0, 0, none);
    const Matrix mass = tangent(bench.natural, bench.q);
    bench.natural.factor(100, 0, 1, none);
    const Matrix stiffness = tangent(bench.natural, bench.q) - mass;
    CHECK((stiffness - expected).cwiseAbs().maxCoeff() < 1e-7 * expected.cwiseAbs().maxCoeff());
}

TEST_CASE("discrete rows times a finite step are the change of their values, drivers' signals included") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 32);
        Random random(32);
        const double t0 = bench.time, t1 = t0 + 0.02;
        const Vector q0 = bench.q;
        const Vector q1 = incremented(bench.natural, q0, 0.1 * random.vector(bench.v.size()));
        bench.natural.evaluate(t0, q0, 0 * q0);
        const Vector before = bench.natural.row_value();
        bench.natural.evaluate(t1, q1, 0 * q1);
        const Vector after = bench.natural.row_value();
        bench.natural.evaluate_between(t0, q0, t1, q1);
        Vector expected = after - before;
        for (const DriverRow& driver : bench.mechanism.drivers())
            expected[driver.row] += bench.mechanism.driver_signal(driver, t1, bench.memory).value -
                                    bench.mechanism.driver_signal(driver, t0, bench.memory).value;
        Vector times = Vector::Zero(bench.mechanism.rows());
        bench.natural.row_times(q1 - q0, times);
        CAPTURE(name);
        for (int r = 0; r < bench.mechanism.rows(); ++r) {
            if (bench.natural.holonomic(r)) {
                CHECK(times[r] == Approx(expected[r]).margin(2e-14));
                CHECK(bench.natural.row_value()[r] == Approx(after[r]).margin(1e-15));
            } else {
                CHECK(bench.natural.row_value()[r] == Approx(times[r]).margin(1e-15));
            }
        }
    }
}

TEST_CASE("forces between two places do the work that the potential loses and that loads and drivers do") {
    std::vector<Model> models = {floating_machine()};
    for (const std::string& name : machines)
        models.push_back(example(name));
    for (const Model& model : models) {
        // Two places that both fit: (q1 - q0).(Q - J^T mu) = V0 - V1 + work.
        Bench first(model, 33), second(model);
        const bool small = model.name == "andrews_squeezer";
        second.wander(34, small ? 0.05 : 0.2, 1.0, small ? 2e-3 : 0.06);
        Random random(33);
        Vector mu = random.vector(first.mechanism.rows());
        for (int r = 0; r < mu.size(); ++r) {
            if (!first.natural.holonomic(r)) {
                mu[r] = 0; // any two places are no rolling
            }
        }
        NaturalEquations& natural = first.natural;
        const double v0 = natural.potential(first.time, first.q),
                     v1 = natural.potential(second.time, second.q);
        natural.evaluate_between(first.time, first.q, second.time, second.q);
        Vector f = Vector::Zero(first.q.size());
        natural.add_reaction(mu, f);
        f = natural.force() - f;
        const Vector change = second.q - first.q;
        const double work = natural.work_between(mu);
        CAPTURE(model.name, work, v0 - v1);
        const double scale = 1 + f.cwiseAbs().dot(change.cwiseAbs()) + std::abs(v0) + std::abs(v1);
        CHECK(change.dot(f) == Approx(v0 - v1 + work).margin(1e-12 * scale));
    }
}

TEST_CASE("consistent accelerations and multipliers are those of the rigid face, and velocities are "
          "projected on demand") {
    for (const std::string& name : machines) {
        Bench bench(example(name), 35);
        Vector v = bench.natural_velocity(bench.v), a = v, lambda = bench.lambda;
        const Vector rigid_a = bench.a, rigid_lambda = bench.lambda;
        bench.natural.consistent(bench.time, bench.q, v, false, a, lambda);
        Vector expected = bench.natural_velocity(rigid_a);
        for (int b = 0; b < bench.mechanism.bodies(); ++b) {
            const Vec3 w = bench.v.segment<3>(6 * b + 3);
            Eigen::Map<Mat3>(expected.data() + 12 * b + 3) += skew(w) * skew(w) * axes(bench.q, b);
        }
        CAPTURE(name);
        // Angular velocities of thin rods come back with 1e-9 of the unit metric mixed in.
        CHECK(largest(a - expected) < 1e-6 * (1 + largest(expected)));
        CHECK(largest(lambda + rigid_lambda) < 1e-6 * (1 + largest(rigid_lambda)));
        Random random(35);
        v += 0.1 * bench.natural_velocity(random.vector(bench.v.size()));
        bench.natural.consistent(bench.time, bench.q, v, true, a, lambda);
        CHECK(bench.natural.velocity_violation(bench.time, bench.q, v) < 1e-11 * (1 + largest(v)));
    }
}

TEST_CASE("a motion solved for with the tangent is the one it was multiplied with") {
    for (const char* name : {"satellite", "driven_crank", "spring_pendulum", "geared_arms", "rolling_disc"}) {
        Bench bench(example(name), 36);
        const Vector weight = Vector::Constant(bench.mechanism.rows(), 7.0);
        const Vector v = bench.natural_velocity(bench.v);
        bench.natural.evaluate(bench.time, bench.q, v);
        bench.natural.factor(4, 2, 1, weight);
        Vector p = v, rows = weight, found = v;
        bench.natural.choose_metric(4, 2, 1);
        bench.natural.base_times(v, p);
        bench.natural.row_times(v, rows);
        const Vector expected = rows;
        rows = weight.cwiseProduct(rows);
        bench.natural.add_reaction(rows, p);
        bench.natural.solve_motion(p, Vector(), found, rows);
        CAPTURE(name);
        CHECK(largest(found - v) < 1e-9 * largest(v));
        CHECK(largest(rows - expected) < 1e-9 * (1 + largest(v)));
        // Reactions on the right-hand side are those of the rows as factorised, wherever they are now.
        const Vector mu = Vector::LinSpaced(weight.size(), -1, 2);
        Vector with_reaction = p, other = v;
        bench.natural.add_reaction(mu, with_reaction);
        Vector elsewhere = bench.q;
        bench.natural.increment(0.1 * bench.v, elsewhere);
        bench.natural.evaluate_rows(bench.time, elsewhere, v);
        bench.natural.evaluate_rows(bench.time, bench.q, v);
        bench.natural.solve_motion(with_reaction, mu, other, rows);
        CHECK(largest(other - v) < 1e-9 * largest(v));
    }
}

TEST_CASE("admissible velocities and accelerations are rigid motions, nearest in the mass metric") {
    for (const char* name : {"satellite", "driven_crank", "spring_pendulum"}) {
        Bench bench(example(name), 39);
        Random random(39);
        const Vector v = bench.natural_velocity(bench.v);
        bench.natural.evaluate(bench.time, bench.q, v);
        Vector a = bench.natural_velocity(random.vector(bench.v.size())); // with the part that v demands
        for (int b = 0; b < bench.mechanism.bodies(); ++b) {
            const Vec3 w = bench.v.segment<3>(6 * b + 3);
            Eigen::Map<Mat3>(a.data() + 12 * b + 3) += skew(w) * skew(w) * axes(bench.q, b);
        }
        CAPTURE(name);
        Vector found = v;
        bench.natural.admit_velocity(found);
        CHECK(largest(found - v) < 1e-8 * largest(v)); // what is admissible stays
        found = a;
        bench.natural.admit_acceleration(v, found);
        CHECK(largest(found - a) < 1e-7 * largest(a));
        for (const bool acceleration : {false, true}) {
            const Vector any = (acceleration ? a : v) + 0.1 * random.vector(v.size());
            Vector p = any;
            found = any;
            if (acceleration)
                bench.natural.admit_acceleration(v, found);
            else
                bench.natural.admit_velocity(found);
            bench.natural.mass_times(any - found, p);
            CHECK(largest(any - found) > 1e-3);
            CHECK(largest(tested(p, bench.q)) < 1e-7 * (1 + largest(any)));
        }
    }
}

TEST_CASE("the inner equation solves for what mass, damping and stiffness of all coordinates were multiplied "
          "with") {
    for (const Model& model : {floating_machine(), example("satellite"), example("spring_pendulum")}) {
        Bench bench(model, 37);
        Random random(37);
        const Vector x = random.vector(bench.q.size()), v = bench.natural_velocity(bench.v);
        Vector p = x, back = 0 * x;
        bench.natural.evaluate_decaying(0, bench.q, v, bench.q + 1e-3 * v, v, 0.01, bench.q + 1e-2 * v, v, 1);
        bench.natural.choose_metric(2.5, 0.7, 0.3);
        bench.natural.base_times(x, p);
        bench.natural.solve_inner(2.5, 0.7, 0.3, p, back);
        CAPTURE(model.name);
        CHECK(largest(back - x) < 1e-9);
    }
}

TEST_CASE("increments keep directors orthonormal and tell their change to full relative accuracy") {
    Bench bench(example("double_pendulum"), 38);
    Random random(38);
    const Vector unit = random.vector(bench.v.size());
    for (double size : {1e-13, 1e-9, 1e-4, 0.5}) {
        Vector q = bench.q, d = Vector::Zero(q.size()), twice = bench.q;
        bench.natural.increment(size * unit, q, d);
        bench.natural.increment(size * unit, twice);
        CAPTURE(size);
        CHECK(largest(q - twice) < 1e-15);
        CHECK(largest(q - bench.q - d) < 1e-15);
        // To first order dr and theta x d, relative to their size.
        const Vector linear = size * bench.natural_velocity(unit);
        CHECK(largest(d - linear) < 2 * size * size + 4e-16 * size);
        for (int b = 0; b < 2; ++b)
            CHECK((axes(q, b).transpose() * axes(q, b) - Mat3::Identity()).norm() < 1e-14);
        // A first guess is admissible, too, and tells what it did.
        Vector guess = bench.q, change = linear;
        bench.natural.predict(guess, change);
        CHECK(largest(guess - bench.q - change) < 1e-15);
        CHECK(largest(change - linear) < 2 * size * size + 1e-15); // a guess need not be that exact
        for (int b = 0; b < 2; ++b)
            CHECK((axes(guess, b).transpose() * axes(guess, b) - Mat3::Identity()).norm() < 1e-14);
    }
    Vector rough = bench.q + 1e-6 * random.vector(bench.q.size());
    bench.natural.tidy(rough);
    for (int b = 0; b < 2; ++b)
        CHECK((axes(rough, b).transpose() * axes(rough, b) - Mat3::Identity()).norm() < 1e-14);
}

TEST_CASE("the mass of a row is of the size of what a penalty on it moves") {
    // A pendulum's pin: 1 / (J M^-1 J^T) of a translation row between 1 / (1/m + l^2/I) and m.
    Bench bench(example("simple_pendulum"));
    bench.natural.evaluate(0, bench.q, bench.natural_velocity(bench.v));
    const Vector mass = bench.natural.row_mass();
    for (int r = 0; r < bench.mechanism.rows(); ++r) {
        CHECK(mass[r] > 0);
        CHECK(mass[r] <= bench.mechanism.body()[0].mass * (1 + 1e-12));
    }
}
