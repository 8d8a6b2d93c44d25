// Block LU on graphs against Eigen's dense LU with full pivoting.

#include "core/math/block_lu.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using tenon::tests::Random;

namespace {

using Edges = std::vector<std::pair<int, int>>;

template <int W> using Block = Eigen::Matrix<double, W, W>;

template <int W> Block<W> random_block(Random& random) {
    Block<W> m;
    for (int i = 0; i < W * W; ++i)
        m.data()[i] = random.number();
    return m;
}

/// Fills the pattern with values that are not symmetric, diagonal blocks heavy enough to be eliminated in any order.
template <int W> Matrix fill(BlockLuOf<W>& lu, int nodes, const Edges& edges, Random& random) {
    Matrix dense = Matrix::Zero(W * nodes, W * nodes);
    lu.set_zero();
    const auto add = [&](int i, int j, const Block<W>& m) {
        lu.block(i, j) += m;
        dense.block<W, W>(W * i, W * j) += m;
    };
    for (int i = 0; i < nodes; ++i)
        add(i, i, random_block<W>(random) + 1.5 * W * Block<W>::Identity());
    for (const auto& [i, j] : edges) {
        add(i, j, random_block<W>(random));
        add(j, i, random_block<W>(random));
    }
    return dense;
}

template <int W> double error_of(BlockLuOf<W>& lu, int nodes, const Edges& edges, Random& random) {
    const Matrix dense = fill<W>(lu, nodes, edges, random);
    const Vector b = random.vector(W * nodes);
    const Vector reference = dense.fullPivLu().solve(b);
    REQUIRE(lu.factor());
    Vector x = b;
    lu.solve(x);
    return (x - reference).norm() / reference.norm();
}

} // namespace

TEST_CASE("block LU agrees with dense LU on random graphs with fill-in") {
    for (int seed = 0; seed < 30; ++seed) {
        Random random(static_cast<std::uint64_t>(100 + seed));
        const int nodes = 1 + random.below(14);
        Edges edges;
        for (int i = 0; i < nodes; ++i) {
            for (int j = 0; j < i; ++j) {
                if (random.number() < -0.4)
                    edges.push_back(random.number() < 0 ? std::pair(i, j) : std::pair(j, i));
            }
        }
        BlockLu lu(nodes, edges);
        BlockLuOf<12> wide(nodes, edges);
        CAPTURE(seed, nodes, edges.size());
        CHECK(error_of(lu, nodes, edges, random) < 1e-11);
        CHECK(error_of(wide, nodes, edges, random) < 1e-11);
    }
}

TEST_CASE("block LU takes chains, stars, rings, grids, full graphs and separate parts") {
    Random random(7);
    std::vector<std::pair<int, Edges>> graphs(6);
    graphs[0].first = graphs[1].first = graphs[2].first = 12;
    for (int i = 1; i < 12; ++i) {
        graphs[0].second.emplace_back(i - 1, i);
        graphs[1].second.emplace_back(0, i);
        graphs[2].second.emplace_back(i - 1, i);
    }
    graphs[2].second.emplace_back(11, 0);
    graphs[3].first = 16; // 4 x 4: eliminating the inside fills in
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            if (i > 0)
                graphs[3].second.emplace_back(4 * i + j, 4 * i - 4 + j);
            if (j > 0)
                graphs[3].second.emplace_back(4 * i + j, 4 * i + j - 1);
        }
    }
    graphs[4].first = 7;
    for (int i = 0; i < 7; ++i) {
        for (int j = 0; j < i; ++j)
            graphs[4].second.emplace_back(i, j);
    }
    graphs[5].first = 5;
    graphs[5].second = {
        {0, 3}, {3, 0}, {1, 1}, {2, 4}}; // an edge given twice, an edge to itself, node 1 alone
    for (auto& [nodes, edges] : graphs) {
        BlockLu lu(nodes, edges);
        CAPTURE(nodes, edges.size());
        CHECK(error_of(lu, nodes, edges, random) < 1e-11);
    }
}

TEST_CASE("block LU can be filled and factorised again, and solves without changing its factors") {
    Random random(9);
    const Edges edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}};
    BlockLu lu(5, edges);
    CHECK(error_of(lu, 5, edges, random) < 1e-11);
    CHECK(error_of(lu, 5, edges, random) < 1e-11);
    Vector x = Vector::Ones(30), y = x;
    lu.solve(x);
    lu.solve(y);
    CHECK(x == y);
}

TEST_CASE("block LU reaches a block by its index and refuses one that the graph does not have") {
    BlockLu lu(3, {{0, 1}, {1, 2}});
    lu.set_zero();
    lu.at(lu.index(2, 1)) = Mat6::Identity();
    CHECK(lu.block(2, 1) == Mat6::Identity());
    CHECK(lu.block(1, 2) == Mat6::Zero());
    CHECK_THROWS_AS(lu.index(0, 2), std::logic_error);
}

TEST_CASE("block LU says when a diagonal block is singular") {
    const Edges edges = {{0, 1}};
    BlockLu lu(2, edges);
    lu.set_zero();
    lu.block(0, 0).setIdentity();
    CHECK_FALSE(lu.factor());
    // Singular on its own, regular after its neighbour has been eliminated.
    lu.set_zero();
    lu.block(0, 0).setIdentity();
    lu.block(0, 1).setIdentity();
    lu.block(1, 0).setIdentity();
    REQUIRE(lu.factor());
    Vector x = Vector::LinSpaced(12, 1, 12);
    lu.solve(x);
    // [1 1; 1 0] (x0, x1) = (b0, b1): x0 = b1, x1 = b0 - b1
    CHECK(x.head(6).isApprox(Vector::LinSpaced(6, 7, 12)));
    CHECK(x.tail(6).isApprox(Vector::Constant(6, -6)));
}
