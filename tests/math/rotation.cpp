// SO(3) against power series, differences and identities.

#include "core/math/rotation.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

#include <numbers>

using namespace tenon;
using tenon::tests::Random;

namespace {

/// Sum of u~^k / k!, k from `from`, in long double.
Mat3 exponential_series(const Vec3& u, int from) {
    using Long = Eigen::Matrix<long double, 3, 3>;
    const Long s = skew(u).cast<long double>();
    Long term = Long::Identity(), sum = Long::Zero();
    if (from == 0)
        sum = term;
    for (int k = 1; k < 80; ++k) {
        term = (term * s / static_cast<long double>(k)).eval();
        sum += term;
    }
    return sum.cast<double>();
}

double largest(const Mat3& m) { return m.cwiseAbs().maxCoeff(); }

} // namespace

TEST_CASE("the exponential is that of its power series for angles from 1e-9 to half a turn and more") {
    Random random(1);
    for (double angle : {0.0, 1e-9, 1e-5, 5e-3, 0.00999, 0.01001, 0.1, 1.0, 3.0, 3.14159, 6.0}) {
        const Vec3 u = angle * random.direction();
        CAPTURE(angle);
        CHECK(largest(exp_so3(u) - exponential_series(u, 0)) < 1e-15 * (1 + 20 * angle));
        // Relative to its size, which the difference of two matrices near one would lose.
        CHECK(largest(exp_so3_minus_identity(u) - exponential_series(u, 1)) <= 1e-15 * angle);
    }
}

TEST_CASE("the exponential is a rotation that leaves its axis alone") {
    Random random(2);
    for (int i = 0; i < 20; ++i) {
        const Vec3 u = 3 * random.vec3();
        const Mat3 R = exp_so3(u);
        CHECK(largest(R.transpose() * R - Mat3::Identity()) < 1e-14);
        CHECK(R.determinant() == Approx(1).epsilon(1e-13));
        CHECK((R * u - u).norm() < 1e-14);
    }
    CHECK(largest(exp_so3(Vec3(0, 0, std::numbers::pi / 2)) * Mat3::Identity() -
                  (Mat3() << 0, -1, 0, 1, 0, 0, 0, 0, 1).finished()) < 1e-15);
}

TEST_CASE("the logarithm undoes the exponential up to half a turn") {
    Random random(3);
    for (double angle : {1e-8, 1e-3, 0.5, 2.0, 3.1}) {
        const Vec3 u = angle * random.direction();
        CHECK((log_so3(exp_so3(u)) - u).norm() < 1e-13);
    }
}

TEST_CASE("quaternions are scalar first with a scalar part that is not negative") {
    const Eigen::Vector4d q = to_quaternion(exp_so3(Vec3(0, 0, 1)));
    CHECK(q[0] == Approx(std::cos(0.5)));
    CHECK(q[3] == Approx(std::sin(0.5)));
    Random random(4);
    for (int i = 0; i < 50; ++i) {
        const Mat3 R = exp_so3(random.between(0, 6.2) * random.direction());
        const Eigen::Vector4d p = to_quaternion(R);
        CHECK(p[0] >= 0);
        CHECK(p.norm() == Approx(1).epsilon(1e-15));
        CHECK(largest(from_quaternion(p) - R) < 1e-14);
        CHECK(largest(from_quaternion(-3 * p) - R) < 1e-14);
    }
}

TEST_CASE("dexp_inverse is the rate of the rotation vector to the order that a fourth-order method needs") {
    // R(t) = exp(u(t)~), body angular velocity w = vee(R^T R'): with u' = dexp_inverse(u, w) the difference of R over a
    // short time must be R w~. The terms left out are of fourth order in u.
    Random random(5);
    double error[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        const double size = i == 0 ? 0.2 : 0.1;
        Random same(6);
        const Vec3 u = size * same.direction(), w = same.direction();
        const Vec3 rate = dexp_inverse(u, w);
        const double e = 1e-5;
        const Mat3 derivative = (exp_so3(u + e * rate) - exp_so3(u - e * rate)) / (2 * e);
        error[i] = largest(derivative - exp_so3(u) * skew(w));
    }
    CHECK(error[0] < 1e-5);
    CHECK(error[0] / error[1] > 11); // 2^4 less what differences add
    const Vec3 u = random.vec3();
    CHECK((dexp_inverse(u, u) - u).norm() < 1e-15);
}

TEST_CASE("orthonormalise finds the nearest rotation") {
    Random random(7);
    for (double size : {1e-9, 1e-4, 0.1, 0.3}) {
        Mat3 D = random.rotation();
        for (int i = 0; i < 9; ++i)
            D.data()[i] += size * random.number() / 3;
        const Eigen::JacobiSVD<Mat3> svd(D, Eigen::ComputeFullU | Eigen::ComputeFullV);
        const Mat3 nearest = svd.matrixU() * svd.matrixV().transpose(); // polar factor, independent of Newton
        orthonormalise(D);
        CHECK(largest(D - nearest) < 1e-14);
        CHECK(largest(D.transpose() * D - Mat3::Identity()) < 2e-15);
    }
}

TEST_CASE("the shortest rotation takes one direction to another, by the angle between them") {
    Random random(6);
    for (double off : {0.0, 1e-15, 1e-9, 1e-6, 1e-3, 0.1, 1.5}) { // radians from parallel and from opposite
        for (double sign : {1.0, -1.0}) {
            CAPTURE(off, sign);
            const Vec3 a = random.direction();
            const Vec3 b = sign * (exp_so3(off * a.cross(random.direction()).normalized()) * a);
            const Mat3 R = shortest_rotation(a, b);
            CHECK((R * a - b).norm() < 2e-15);
            CHECK(largest(R.transpose() * R - Mat3::Identity()) < 2e-15);
            CHECK(log_so3(R).norm() == Approx(sign > 0 ? off : std::numbers::pi - off).margin(3e-8));
        }
    }
}

TEST_CASE("the cross product as a matrix is the cross product") {
    Random random(8);
    const Vec3 a = random.vec3(), b = random.vec3();
    CHECK((skew(a) * b - a.cross(b)).norm() == Approx(0).margin(1e-16));
    CHECK(skew(a) == Mat3(-skew(a).transpose()));
}
