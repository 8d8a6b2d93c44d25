// Block L D L^T on graphs against Eigen's dense LU with full pivoting.

#include "core/math/block_ldlt.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using tenon::tests::Random;

namespace {

using Edges = std::vector<std::pair<int, int>>;

Mat6 random_block(Random& random) {
    Mat6 m;
    for (int i = 0; i < 36; ++i)
        m.data()[i] = random.number();
    return m;
}

/// Adds m at (i, j) and its transpose at (j, i), of which the factorisation wants one.
void add(BlockLdlt& ldlt, Matrix& dense, int i, int j, const Mat6& m) {
    const BlockLdlt::Entry entry = ldlt.entry(i, j);
    ldlt.at(entry.index) += entry.transposed ? Mat6(m.transpose()) : m;
    dense.block<6, 6>(6 * i, 6 * j) += m;
    if (i != j)
        dense.block<6, 6>(6 * j, 6 * i) += m.transpose();
}

/// `shift` on the diagonals: large and positive, the matrix is definite; of either sign, it is not.
double error_of(int nodes, const Edges& edges, double shift, bool mixed, Random& random) {
    BlockLdlt ldlt(nodes, edges);
    Matrix dense = Matrix::Zero(6 * nodes, 6 * nodes);
    ldlt.set_zero();
    for (int i = 0; i < nodes; ++i) {
        const Mat6 m = random_block(random);
        Vec6 diagonal = Vec6::Constant(shift);
        if (mixed)
            diagonal.head<3>() *= i % 2 == 0 ? -1 : 1;
        add(ldlt, dense, i, i, m + m.transpose() + Mat6(diagonal.asDiagonal()));
    }
    for (const auto& [i, j] : edges) {
        if (i != j)
            add(ldlt, dense, i, j, random_block(random));
    }
    REQUIRE((dense - dense.transpose()).norm() == 0);
    const Vector b = random.vector(6 * nodes);
    const Vector reference = dense.fullPivLu().solve(b);
    REQUIRE(ldlt.factor());
    Vector x = b;
    ldlt.solve(x);
    Vector again = b;
    ldlt.solve(again);
    CHECK(x == again);
    return (x - reference).norm() / reference.norm();
}

Edges random_graph(int nodes, Random& random) {
    Edges edges;
    for (int i = 0; i < nodes; ++i) {
        for (int j = 0; j < i; ++j) {
            if (random.number() < -0.4)
                edges.push_back(random.number() < 0 ? std::pair(i, j) : std::pair(j, i));
        }
    }
    return edges;
}

} // namespace

TEST_CASE("block LDLT agrees with dense LU on random graphs with fill-in, definite or not") {
    for (int seed = 0; seed < 30; ++seed) {
        Random random(static_cast<std::uint64_t>(300 + seed));
        const int nodes = 1 + random.below(14);
        const Edges edges = random_graph(nodes, random);
        CAPTURE(seed, nodes, edges.size());
        CHECK(error_of(nodes, edges, 40, false, random) < 1e-12);
        CHECK(error_of(nodes, edges, 40, true, random) < 1e-10);
    }
}

TEST_CASE("block LDLT takes stiffnesses of penalties beside masses") {
    Random random(5);
    const Edges edges = {{0, 1}, {2, 1}, {2, 3}, {3, 0}};
    BlockLdlt ldlt(4, edges);
    Matrix dense = Matrix::Zero(24, 24);
    ldlt.set_zero();
    for (int i = 0; i < 4; ++i)
        add(ldlt, dense, i, i, Mat6::Identity());
    for (const auto& [i, j] : edges) {
        const Vec6 a = random.vector(6), b = random.vector(6); // 1e6 (a.x + b.y)^2
        add(ldlt, dense, i, i, 1e6 * a * a.transpose());
        add(ldlt, dense, j, j, 1e6 * b * b.transpose());
        add(ldlt, dense, i, j, 1e6 * a * b.transpose());
    }
    const Vector b = random.vector(24);
    Vector x = b;
    REQUIRE(ldlt.factor());
    ldlt.solve(x);
    CHECK((dense * x - b).norm() < 1e-7 * b.norm());
}

TEST_CASE(
    "block LDLT refuses a block that the graph does not have and says when a diagonal block is singular") {
    BlockLdlt ldlt(3, {{0, 1}, {1, 2}});
    CHECK_THROWS_AS(ldlt.entry(0, 2), std::logic_error);
    CHECK(ldlt.entry(0, 1).transposed != ldlt.entry(1, 0).transposed);
    ldlt.set_zero();
    CHECK_FALSE(ldlt.factor());
    // [1 1; 1 0]: the second diagonal block is negative once the first is eliminated.
    BlockLdlt two(2, {{0, 1}});
    two.set_zero();
    two.at(two.entry(0, 0).index).setIdentity();
    two.at(two.entry(0, 1).index).setIdentity();
    REQUIRE(two.factor());
    Vector x = Vector::LinSpaced(12, 1, 12);
    two.solve(x);
    CHECK(x.head(6).isApprox(Vector::LinSpaced(6, 7, 12)));
    CHECK(x.tail(6).isApprox(Vector::Constant(6, -6)));
}
