#include "core/simulation/linearisation.hpp"

#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/simulation/assembly.hpp"
#include "core/simulation/stiffness.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace tenon {
namespace {

/// Of the machine's length, and of its length or a radian in a second.
constexpr double state_difference = 5e-6;
/// Eigenvalues against the largest, squared as stiffness is, that cannot be told from zero.
constexpr double zero_value = 1e-8;

class Linear {
  public:
    Linear(Neighbourhood& near, const Mechanism& mechanism, const Vector& q, const Vector& v)
        : near_(near), mechanism_(mechanism), q_(q), v_(v) {
        const ExplicitSizes sizes = near_.equations().sizes();
        a_ = p_ = Vector::Zero(sizes.v);
        lambda_ = Vector::Zero(sizes.rows);
    }

    LinearisationReport run(Around around) {
        moving_ = around == Around::motion;
        if (!moving_)
            v_.setZero();
        LinearisationReport report;
        report.length = near_.length();
        if (moving_)
            find_frame(report);
        report.A = matrix();
        report.degrees_of_freedom = static_cast<int>(N_.cols());
        solve(report);
        if (moving_)
            report.change = change(report.A);
        return report;
    }

  private:
    /// Cross products with a vector of the world, body by body; `turns` only those of turns.
    Vector crossed(const Vec3& w, const Vector& x) const {
        Vector out = x;
        for (Eigen::Index i = 0; i < x.size(); i += 3)
            out.segment<3>(i) = w.cross(Vec3(x.segment<3>(i)));
        return out;
    }
    /// w0 x theta of every body.
    Vector spun(const Vector& x) const {
        Vector out = Vector::Zero(x.size());
        for (Eigen::Index i = 3; i < x.size(); i += 6)
            out.segment<3>(i) = Vec3(v_.segment<3>(i)).cross(Vec3(x.segment<3>(i)));
        return out;
    }

    double against_weight(const Vector& a) const {
        double speed = 0;
        for (Eigen::Index i = 0; i < v_.size(); i += 3)
            speed = std::max(speed, Vec3(v_.segment<3>(i)).norm());
        const double g = std::max(mechanism_.loads().gravity.norm(), speed * speed);
        return near_.size(a) / (g > 0 ? g : 1);
    }

    /// The world, or axes that turn with the first body that turns: whichever the motion is steadier in.
    void find_frame(LinearisationReport& report) {
        near_.moving(q_, v_, a_, lambda_);
        report.unsteady = against_weight(a_);
        for (Eigen::Index i = 3; i < v_.size(); i += 6) {
            const Vec3 w = v_.segment<3>(i);
            if (w.norm() == 0)
                continue;
            const double seen = against_weight(a_ - crossed(w, v_));
            if (seen < 0.5 * report.unsteady && report.unsteady > 1e-9) {
                report.unsteady = seen;
                report.turning = true;
                frame_ = w;
            }
        }
    }

    Matrix matrix() {
        N_ = near_.directions(q_, static_cast<int>(a_.size()));
        const Eigen::Index d = N_.cols(), n = N_.rows();
        if (d > most_dense_directions)
            throw Error(ErrorKind::computation,
                        "the machine has " + std::to_string(d) + " degrees of freedom (at most " +
                            std::to_string(most_dense_directions) + " are linearised)");
        Matrix momentum(n, d);
        for (Eigen::Index j = 0; j < d; ++j) {
            near_.equations().momentum(N_.col(j), p_);
            momentum.col(j) = p_;
        }
        const Matrix along = momentum.transpose();
        Matrix B = Matrix::Zero(n, d), ax(n, d), ay(n, d);
        for (Eigen::Index j = 0; j < d; ++j)
            differences(j, B, ax, ay);
        Matrix WN(n, d), ON(n, d), OB(n, d);
        for (Eigen::Index j = 0; j < d; ++j) {
            WN.col(j) = spun(N_.col(j));
            ON.col(j) = crossed(frame_, N_.col(j));
            OB.col(j) = crossed(frame_, B.col(j));
        }
        const Matrix X = along * (B + WN - ON);
        Matrix A(2 * d, 2 * d);
        A << X, Matrix::Identity(d, d), along * (ax - OB - B * X), along * (ay - ON - B);
        return A;
    }

    void differences(Eigen::Index j, Matrix& B, Matrix& ax, Matrix& ay) {
        const Vector n = N_.col(j);
        const double h = state_difference * near_.length() / near_.size(n);
        Vector q = q_, v = v_;
        ax.col(j).setZero();
        ay.col(j).setZero();
        for (const double side : {1.0, -1.0}) {
            q = q_;
            if (!near_.move(q, side * h * n))
                throw Error(ErrorKind::computation,
                            "the joints cannot be closed near the state; the machine is locked or at the end "
                            "of its reach there");
            v = v_;
            if (moving_)
                near_.project(q, v);
            near_.moving(q, v, a_, lambda_);
            B.col(j) += side / (2 * h) * v;
            ax.col(j) += side / (2 * h) * a_;
            v = v_ + side * h * n;
            near_.moving(q_, v, a_, lambda_);
            ay.col(j) += side / (2 * h) * a_;
        }
    }

    void solve(LinearisationReport& report) {
        const Eigen::Index d = N_.cols();
        if (d == 0)
            return;
        const Eigen::EigenSolver<Matrix> solver(report.A);
        double largest = 0;
        for (Eigen::Index i = 0; i < 2 * d; ++i)
            largest = std::max(largest, std::norm(solver.eigenvalues()[i]));
        const double zero = std::sqrt(std::max(zero_value * largest, 1e-9));
        std::vector<Mode> still;
        for (Eigen::Index i = 0; i < 2 * d; ++i) {
            Mode mode = mode_of(solver.eigenvalues()[i], solver.eigenvectors().col(i));
            const bool nothing = std::abs(mode.value) <= zero;
            report.zero_values += nothing ? 1 : 0;
            if (mode.value.imag() < 0)
                continue;
            (nothing ? still : report.modes).push_back(std::move(mode));
        }
        const auto slower = [](const Mode& a, const Mode& b) {
            return std::abs(a.value) < std::abs(b.value);
        };
        std::ranges::sort(report.modes, slower);
        std::ranges::sort(still, slower);
        report.modes.insert(report.modes.end(), still.begin(), still.end());
        if (!moving_) {
            const Vector k = Eigen::BDCSVD<Matrix>(report.A.bottomLeftCorner(d, d)).singularValues();
            const double nothing = std::max(zero_value * k.maxCoeff(), 1e-9);
            report.rigid_body_modes = static_cast<int>((k.array() <= nothing).count());
        }
    }

    Mode mode_of(std::complex<double> value, const Eigen::VectorXcd& z) const {
        const Eigen::Index d = N_.cols();
        Eigen::VectorXcd shape = N_.cast<std::complex<double>>() * z.head(d);
        if (shape.norm() <= 1e-12 * z.norm()) // a velocity without a shift
            shape = N_.cast<std::complex<double>>() * z.tail(d);
        Mode mode;
        mode.value = value;
        double most = 0;
        std::complex<double> peak = 1;
        for (Eigen::Index i = 0; i < shape.size(); ++i) {
            const double unit = i % 6 < 3 ? 1.0 : near_.length();
            if (unit * std::abs(shape[i]) > std::abs(peak) * most * (1 + 1e-9) || most == 0) {
                if (std::abs(shape[i]) > 0) {
                    peak = unit * shape[i];
                    most = 1;
                }
            }
        }
        shape /= peak;
        double furthest = 0;
        for (Eigen::Index i = 0; i < shape.size(); i += 6) {
            const double here =
                std::hypot(shape.segment<3>(i).norm(), near_.length() * shape.segment<3>(i + 3).norm());
            if (here > furthest * (1 + 1e-6)) {
                furthest = here;
                mode.body = static_cast<int>(i / 6);
            }
        }
        mode.amplitude.assign(shape.data(), shape.data() + shape.size());
        return mode;
    }

    /// How far eigenvalues are others when every body has gone on by a tenth of a radian.
    double change(const Matrix& A) {
        double w = 0;
        for (Eigen::Index i = 3; i < v_.size(); i += 6)
            w = std::max(w, Vec3(v_.segment<3>(i)).norm());
        if (w == 0 || A.size() == 0)
            return 0;
        const double t = 0.1 / w;
        const Vector q = q_, v = v_;
        const Mat3 turn = exp_so3(t * frame_);
        double found = HUGE_VAL;
        if (near_.move(q_, t * v_)) {
            for (Eigen::Index i = 0; i < v_.size(); i += 3)
                v_.segment<3>(i) = turn * Vec3(v_.segment<3>(i));
            near_.project(q_, v_);
            frame_ = turn * frame_;
            const auto sizes = [](const Matrix& m) {
                std::vector<double> all;
                for (const std::complex<double>& value : m.eigenvalues())
                    all.push_back(std::norm(value));
                std::ranges::sort(all);
                return all;
            };
            const std::vector<double> before = sizes(A), after = sizes(matrix());
            found = before.size() == after.size() ? 0 : HUGE_VAL;
            for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i)
                found = std::max(found, std::abs(after[i] - before[i]) / std::max(before.back(), 1e-9));
        }
        q_ = q;
        v_ = v;
        return found;
    }

    Neighbourhood& near_;
    const Mechanism& mechanism_;
    Vector q_, v_, a_, p_, lambda_;
    Vec3 frame_ = Vec3::Zero();
    Matrix N_;
    bool moving_ = false;
};

} // namespace

double Mode::frequency() const { return std::abs(value.imag()) / (2 * std::numbers::pi); }
double Mode::damping() const { return std::abs(value) > 0 ? -value.real() / std::abs(value) : 0; }

StandingMachine::StandingMachine(const Model& model)
    : mechanism_(model), equations_(mechanism_, memory_, Chart::natural) {
    memory_.angle = memory_.angle_rate = Vector::Zero(mechanism_.slots());
    memory_.inputs.resize(mechanism_.inputs().size());
    for (std::size_t i = 0; i < memory_.inputs.size(); ++i)
        memory_.inputs[i].value = mechanism_.inputs()[i].start;
    std::vector<char> excluded;
    assemble(model, equations_, 0, model.solver.step, q_, v_, excluded);
}

const EquilibriumReport& StandingMachine::rest() {
    rest_ = find_equilibrium(equations_, memory_, 0, q_);
    rest_with_velocities(mechanism_, equations_, memory_, q_, v_);
    return rest_;
}

LinearisationReport StandingMachine::linearise(Around around) {
    Neighbourhood near(equations_, memory_, 0);
    return Linear(near, mechanism_, q_, v_).run(around);
}

const std::vector<Kinematics>& StandingMachine::kinematics() {
    equations_.set_kinematics(q_, v_);
    return equations_.kinematics();
}

std::pair<double, double> StandingMachine::coordinates(int joint) {
    equations_.set_kinematics(q_, v_);
    double angle = 0, distance = 0, rate = 0;
    if (mechanism_.link_of_joint(joint) >= 0) {
        if (const Coordinate c = mechanism_.angle_of(joint); c.measure)
            equations_.measure(c, angle, rate);
        if (const Coordinate c = mechanism_.distance_of(joint); c.measure)
            equations_.measure(c, distance, rate);
    }
    return {angle, distance};
}

std::vector<double> StandingMachine::force_values(int force) {
    std::size_t size = 0;
    for (const ForceReading& reading : mechanism_.force_readings(force))
        size += static_cast<std::size_t>(reading.size);
    std::vector<Effort> efforts(mechanism_.force_efforts(force));
    std::vector<double> values(size);
    equations_.set_kinematics(q_, Vector::Zero(v_.size()));
    if (size > 0)
        equations_.read_force(force, efforts, values);
    return values;
}

} // namespace tenon
