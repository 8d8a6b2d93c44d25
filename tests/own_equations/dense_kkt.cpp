#include "core/math/dense_kkt.hpp"
#include "core/math/error.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace tenon;

namespace {

std::mt19937 generator(7);

Matrix random_matrix(int rows, int columns) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    Matrix m(rows, columns);
    for (Eigen::Index i = 0; i < m.size(); ++i)
        m(i) = uniform(generator);
    return m;
}

Matrix random_mass(int n) {
    const Matrix r = random_matrix(n, n);
    return r * r.transpose() + Matrix::Identity(n, n);
}

} // namespace

TEST_CASE("dense KKT solutions agree with a direct solve of the whole system") {
    for (const int n : {1, 4, 9}) {
        for (int m = 0; m <= n; ++m) {
            const Matrix mass = random_mass(n), g = random_matrix(m, n);
            const Vector f = random_matrix(n, 1), w = random_matrix(m, 1);
            Matrix whole = Matrix::Zero(n + m, n + m);
            whole.topLeftCorner(n, n) = mass;
            whole.topRightCorner(n, m) = -g.transpose();
            whole.bottomLeftCorner(m, n) = g;
            Vector right(n + m);
            right << f, w;
            const Vector expected = whole.fullPivLu().solve(right);

            DenseKkt kkt(n, m);
            kkt.factor(mass, g);
            Vector a, lambda;
            kkt.solve(f, w, a, lambda);
            REQUIRE(a.size() == n);
            REQUIRE(lambda.size() == m);
            CHECK(kkt.rank() == m);
            CHECK((a - expected.head(n)).norm() < 1e-10 * (1 + expected.norm()));
            CHECK((lambda - expected.tail(m)).norm() < 1e-8 * (1 + expected.norm()));
        }
    }
}

TEST_CASE("a dense KKT system without a mass matrix is one with the identity") {
    const Matrix g = random_matrix(3, 6);
    const Vector f = random_matrix(6, 1), w = random_matrix(3, 1);
    Vector a, lambda, a_unit, lambda_unit;
    DenseKkt kkt(6, 3);
    kkt.factor(Matrix::Identity(6, 6), g);
    kkt.solve(f, w, a, lambda);
    kkt.factor(g);
    kkt.solve(f, w, a_unit, lambda_unit);
    CHECK((a - a_unit).norm() < 1e-14);
    CHECK((lambda - lambda_unit).norm() < 1e-14);
}

TEST_CASE("repeated rows of a dense KKT system change nothing but the multipliers, which are the shortest") {
    const int n = 6;
    const Matrix mass = random_mass(n), g = random_matrix(3, n);
    const Vector f = random_matrix(n, 1), w = random_matrix(3, 1);
    Matrix more(5, n);
    more << g, g.row(0), g.row(1) + g.row(2);
    Vector more_w(5);
    more_w << w, w(0), w(1) + w(2);

    DenseKkt once(n, 3), twice(n, 5);
    Vector a, lambda, more_a, more_lambda;
    once.factor(mass, g);
    once.solve(f, w, a, lambda);
    twice.factor(mass, more);
    twice.solve(f, more_w, more_a, more_lambda);
    CHECK(once.rank() == 3);
    CHECK(twice.rank() == 3);
    CHECK((a - more_a).norm() < 1e-12);
    CHECK((g.transpose() * lambda - more.transpose() * more_lambda).norm() < 1e-11);
    // Shortest: orthogonal to every set of multipliers that has no effect.
    Vector idle(5), other(5);
    idle << 1, 0, 0, -1, 0;
    other << 0, 1, 1, 0, -1;
    CHECK(std::abs(more_lambda.dot(idle)) < 1e-11);
    CHECK(std::abs(more_lambda.dot(other)) < 1e-11);
}

TEST_CASE("more rows than coordinates, and rows that contradict each other, are met as well as they can be") {
    Matrix g(3, 2);
    g << 1, 0, 0, 1, 1, 0;
    const Vector w = Vec3(1, 5, 3);
    DenseKkt kkt(2, 3);
    kkt.factor(g);
    Vector a, lambda;
    kkt.solve(Vector::Zero(2), w, a, lambda);
    CHECK(kkt.rank() == 2);
    CHECK(a(0) == Approx(2));
    CHECK(a(1) == Approx(5));
}

TEST_CASE("the rank threshold of a dense KKT system applies to the weighted Jacobian and not to its square") {
    Matrix g = Matrix::Zero(2, 3);
    g(0, 0) = 1;
    g(1, 0) = 1;
    g(1, 1) = 1e-9; // lost in a threshold of 1e-10 on squares
    DenseKkt kkt(3, 2);
    kkt.factor(g);
    CHECK(kkt.rank() == 2);
    Vector a, lambda;
    kkt.solve(Vector::Zero(3), Eigen::Vector2d(1, 1 + 1e-9), a, lambda);
    CHECK((a - Vec3(1, 1, 0)).norm() < 1e-6);

    kkt.set_threshold(1e-8);
    kkt.factor(g);
    CHECK(kkt.rank() == 1);
    kkt.factor(Matrix::Zero(2, 3));
    CHECK(kkt.rank() == 0);
}

TEST_CASE("a mass matrix that is not positive definite is refused by the dense KKT solver") {
    DenseKkt kkt(2, 1);
    Matrix mass = Matrix::Identity(2, 2);
    mass(1, 1) = -1;
    CHECK_THROWS_AS(kkt.factor(mass, Matrix::Ones(1, 2)), Error);
}

TEST_CASE("numbers that are not finite make dense KKT solutions NaN") {
    DenseKkt kkt(2, 1);
    Vector a, lambda;
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        kkt.factor(Matrix::Identity(2, 2), Matrix::Constant(1, 2, bad));
        kkt.solve(Vector::Ones(2), Vector::Ones(1), a, lambda);
        CHECK(std::isnan(a(0)));
        CHECK(std::isnan(lambda(0)));
    }
}
