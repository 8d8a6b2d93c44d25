// The factorisation along the graph against a dense referee that knows nothing of graphs.

#include "core/math/graph_kkt.hpp"
#include "tests/support/dense_referee.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tenon;
using namespace tenon::tests;

namespace {

using Wrenches = Eigen::Matrix<double, 6, Eigen::Dynamic>;

struct Outcome {
    double a = 0, reaction = 0; ///< relative differences
    int rank = 0, true_rank = 0;
    double gap = 0, free_inertia = 0;
    double idle = 0; ///< largest multiplier of a row that is out
};

/// Solves for a random force and a right-hand side that can be met. `excluded` rows are not there for the referee.
Outcome compare(const GraphSystem& s, GraphKkt& kkt, Random& random, const std::vector<char>& excluded = {}) {
    const LongMatrix M = s.mass_matrix();
    LongMatrix G = s.jacobian();
    const Vector f = random.vector(6 * s.bodies());
    Vector rhs = (G * random.vector(6 * s.bodies()).cast<long double>()).cast<double>();
    for (std::size_t r = 0; r < excluded.size(); ++r) {
        if (excluded[r])
            G.row(static_cast<Eigen::Index>(r)).setZero();
    }
    Vector wanted = rhs;
    for (std::size_t r = 0; r < excluded.size(); ++r) {
        if (excluded[r]) {
            wanted[static_cast<Eigen::Index>(r)] = 0;
            rhs[static_cast<Eigen::Index>(r)] = 1e3; // must not matter
        }
    }
    const Referee truth = referee(M, G, f, wanted);
    s.factor(kkt);
    Vector a = Vector::Zero(6 * s.bodies()), lambda = Vector::Zero(s.rows());
    kkt.solve(f, rhs, a, lambda);
    Outcome out;
    out.rank = s.rows() - kkt.rank_deficiency();
    out.true_rank = truth.rank;
    out.gap = truth.gap;
    out.free_inertia = truth.free_inertia;
    out.a = (a - truth.a).lpNorm<Eigen::Infinity>() / truth.a.lpNorm<Eigen::Infinity>();
    const Vector reaction = (G.transpose() * lambda.cast<long double>()).cast<double>();
    const double size = std::max(truth.reaction.lpNorm<Eigen::Infinity>(), f.lpNorm<Eigen::Infinity>());
    out.reaction = (reaction - truth.reaction).lpNorm<Eigen::Infinity>() / size;
    int dropped = 0;
    for (int r = 0; r < s.rows(); ++r) {
        if (kkt.dropped(r)) {
            ++dropped;
            out.idle = std::max(out.idle, std::abs(lambda[r]));
        }
    }
    CHECK(dropped == kkt.rank_deficiency());
    return out;
}

void check(const GraphSystem& s, std::uint64_t seed, double limit = 1e-10) {
    Random random(seed);
    GraphKkt kkt = s.solver();
    s.factor(kkt);
    kkt.calibrate();
    const Outcome out = compare(s, kkt, random);
    CAPTURE(seed, s.bodies(), s.rows(), out.gap, out.free_inertia);
    CHECK(out.rank == out.true_rank);
    CHECK(out.a < limit);
    CHECK(out.reaction < limit);
    CHECK(out.idle == 0);
    CHECK(kkt.unresolved_body() == -1);
}

int add_random_body(GraphSystem& s, Random& random) {
    const double mass = random.between(0.5, 2);
    return s.add_body(mass, random.inertia(mass), 2 * random.vec3());
}

Wrenches random_wrenches(Random& random, int rows) {
    Wrenches w(6, rows);
    for (int i = 0; i < rows; ++i)
        w.col(i) = random.vec6();
    return w;
}

void join(GraphSystem& s, Random& random, int first, int second, int rows) {
    const bool swap = random.number() < 0;
    s.add_joint(swap ? second : first, swap ? first : second, random.vec3(), random_wrenches(random, rows));
}

/// Every body hangs on the world, on a body before it, or floats; numbers of bodies are shuffled in `links`.
GraphSystem random_tree(Random& random, int bodies, int least_rows, int most_rows) {
    GraphSystem s;
    for (int b = 0; b < bodies; ++b)
        add_random_body(s, random);
    std::vector<int> order;
    for (int b = 0; b < bodies; ++b)
        order.insert(order.begin() + random.below(b + 1), b);
    for (int i = 0; i < bodies; ++i) {
        const int parent =
            i == 0 || random.below(6) == 0 ? -1 : order[static_cast<std::size_t>(random.below(i))];
        join(s, random, parent, order[i], least_rows + random.below(most_rows - least_rows + 1));
    }
    return s;
}

/// A planar four-bar in the x-y plane with cranks turned by `angle`, revolute joints about z between the bodies or
/// world `base` at points `left` and left + (1, 0, 0). Thin rods of 1 m and 1 kg. Returns the coupler.
int add_four_bar(GraphSystem& s, int base, const Vec3& left, double angle, double width = 0) {
    const Vec3 crank(std::sin(angle), std::cos(angle), 0), across(1, 0, 0);
    const auto rod = [&](const Vec3& along) {
        return Mat3((Mat3::Identity() - along * along.transpose()) / 12 + width * along * along.transpose());
    };
    const int l = s.add_body(1, rod(crank), left + 0.5 * crank);
    const int r = s.add_body(1, rod(crank), left + across + 0.5 * crank);
    const int c = s.add_body(1, rod(across), left + crank + 0.5 * across);
    s.add_revolute(base, l, left, Vec3::UnitZ());
    s.add_revolute(base, r, left + across, Vec3::UnitZ());
    s.add_revolute(l, c, left + crank, Vec3::UnitZ());
    s.add_revolute(r, c, left + across + crank, Vec3::UnitZ());
    return c;
}

/// N four-bars side by side as of the IFToMM benchmark: they share cranks.
GraphSystem n_four_bar(int n, double angle) {
    GraphSystem s;
    const Vec3 crank(std::sin(angle), std::cos(angle), 0), across(1, 0, 0);
    const auto rod = [](const Vec3& along) {
        return Mat3((Mat3::Identity() - along * along.transpose()) / 12);
    };
    int last = -1;
    for (int i = 0; i <= n; ++i) {
        const Vec3 foot(i, 0, 0);
        const int b = s.add_body(1, rod(crank), foot + 0.5 * crank);
        s.add_revolute(-1, b, foot, Vec3::UnitZ());
        if (i > 0) {
            const Vec3 tip = foot - across + crank;
            const int c = s.add_body(1, rod(across), tip + 0.5 * across);
            s.add_revolute(last, c, tip, Vec3::UnitZ());
            s.add_revolute(b, c, tip + across, Vec3::UnitZ());
        }
        last = b;
    }
    return s;
}

} // namespace

TEST_CASE("accelerations and reactions of random trees are those of the dense referee") {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        Random random(seed);
        check(random_tree(random, 1 + random.below(12), 0, 6), seed);
    }
}

TEST_CASE("a body without joints accelerates by its force alone, and a machine without bodies has no "
          "solution to find") {
    GraphSystem s;
    s.add_body(2, Vec3(1, 2, 2.5).asDiagonal(), Vec3(5, 0, 0));
    GraphKkt kkt = s.solver();
    s.factor(kkt);
    Vector f(6), a(6), none;
    f << 2, 4, 6, 1, 2, 2.5;
    kkt.solve(f, none, a, none);
    CHECK(a.isApprox((Vector(6) << 1, 2, 3, 1, 1, 1).finished()));
    GraphSystem empty;
    GraphKkt nothing = empty.solver();
    empty.factor(nothing);
    nothing.solve(none, none, none, none);
    CHECK(nothing.rank_deficiency() == 0);
}

TEST_CASE("random graphs with several overlapping loops agree with the dense referee") {
    for (std::uint64_t seed = 100; seed < 140; ++seed) {
        Random random(seed);
        const int bodies = 4 + random.below(8);
        GraphSystem s = random_tree(random, bodies, 1, 4);
        for (int loop = 1 + random.below(6); loop > 0 && s.rows() < 5 * bodies; --loop) {
            const int a = random.below(bodies + 1) - 1;
            int b = random.below(bodies);
            b = b == a ? (b + 1) % bodies : b;
            join(s, random, a, b, 1 + random.below(3));
        }
        check(s, seed, 1e-9);
    }
}

TEST_CASE("loops that hang on a chain and close at inner bodies agree with the dense referee") {
    for (std::uint64_t seed = 200; seed < 215; ++seed) {
        Random random(seed);
        GraphSystem s;
        int base = -1;
        for (int i = 0; i < 3;
             ++i) { // chain of two, then a loop of four on its end, then on from inside the loop
            for (int k = 0; k < 2; ++k) {
                const int next = add_random_body(s, random);
                join(s, random, base, next, 4);
                base = next;
            }
            const int left = add_random_body(s, random), right = add_random_body(s, random),
                      top = add_random_body(s, random);
            join(s, random, base, left, 4);
            join(s, random, base, right, 5);
            join(s, random, left, top, 5);
            join(s, random, right, top, 4);
            base = random.number() < 0 ? top : left;
        }
        check(s, seed, 1e-9);
    }
}

TEST_CASE("loops inside loops and loops that share joints agree with the dense referee") {
    for (std::uint64_t seed = 300; seed < 315; ++seed) {
        Random random(seed);
        GraphSystem
            s; // a ladder of eight bodies on one inner body, rungs across, one more loop over all of it
        const int root = add_random_body(s, random);
        join(s, random, -1, root, 3);
        int left = root, right = root;
        for (int i = 0; i < 4; ++i) {
            const int l = add_random_body(s, random), r = add_random_body(s, random);
            join(s, random, left, l, 3);
            join(s, random, right, r, 3);
            join(s, random, l, r, 2);
            left = l;
            right = r;
        }
        join(s, random, left, -1, 2);
        check(s, seed, 1e-9);
    }
}

TEST_CASE("machines that float free, with and without loops, agree with the dense referee") {
    for (std::uint64_t seed = 400; seed < 412; ++seed) {
        Random random(seed);
        GraphSystem s;
        for (int part = 0; part < 3; ++part) {
            const int first = s.bodies();
            for (int i = 0; i < 5; ++i) {
                add_random_body(s, random);
                if (i > 0)
                    join(s, random, first + random.below(i), first + i, 1 + random.below(5));
            }
            join(s, random, first, first + 4, 2);
            join(s, random, first + 1, first + 3, 2);
        }
        check(s, seed, 1e-9);
    }
}

TEST_CASE("two and three joints between the same two bodies agree with the dense referee") {
    for (std::uint64_t seed = 500; seed < 512; ++seed) {
        Random random(seed);
        GraphSystem s = random_tree(random, 5, 2, 4);
        join(s, random, 1, 2, 2);
        join(s, random, 2, 1, 2);
        join(s, random, 1, 2, 1);
        join(s, random, -1, 3, 2);
        join(s, random, 3, -1, 1);
        check(s, seed, 1e-9);
    }
}

TEST_CASE("gears between joints of any bodies agree with the dense referee") {
    for (std::uint64_t seed = 600; seed < 620; ++seed) {
        Random random(seed);
        const int bodies = 6;
        GraphSystem s = random_tree(random, bodies, 2, 5);
        if (seed % 2 == 0)
            join(s, random, 0, 5, 2);
        const auto gear = [&](int a, int b, int c, int d) {
            s.add_coupling({a, b, c, d}, {random.vec6(), random.vec6(), random.vec6(), random.vec6()});
        };
        gear(-1, 0, -1, 1); // two joints on the world
        gear(2, 3, 3, 4);   // one body in both joints
        gear(0, 1, 4, 5);
        check(s, seed, 1e-9);
    }
}

TEST_CASE("a joint with more than six rows agrees with the dense referee") {
    for (std::uint64_t seed = 650; seed < 656; ++seed) {
        Random random(seed);
        GraphSystem s;
        for (int i = 0; i < 4; ++i) {
            add_random_body(s, random);
            join(s, random, i - 1, i, i == 2 ? 8 : 4);
        }
        check(s, seed);
    }
}

TEST_CASE("bodies whose masses differ by six orders of magnitude agree with the dense referee") {
    for (std::uint64_t seed = 660; seed < 670; ++seed) {
        Random random(seed);
        GraphSystem s = random_tree(random, 8, 3, 5);
        for (BodyMass& m : s.mass) {
            const double factor = std::pow(10.0, random.between(-3, 3));
            m.mass *= factor;
            m.inertia *= factor;
        }
        join(s, random, 2, 5, 2);
        check(s, seed, 1e-8);
    }
}

TEST_CASE("a joint given twice has all its rows dropped once") {
    for (std::uint64_t seed = 700; seed < 708; ++seed) {
        Random random(seed);
        GraphSystem s = random_tree(random, 5, 3, 5);
        const int rows = s.rows();
        const GraphKkt::Link again = s.links[2];
        s.links.push_back({again.first, again.second, rows, again.rows});
        for (int r = 0; r < again.rows; ++r)
            s.row.push_back(s.row[again.row + r]);
        check(s, seed);
        GraphKkt kkt = s.solver();
        s.factor(kkt);
        CHECK(kkt.rank_deficiency() == again.rows);
    }
}

TEST_CASE("a row that repeats others of its joint is dropped, and left out for good it does no harm") {
    Random random(720);
    GraphSystem s;
    add_random_body(s, random);
    add_random_body(s, random);
    Wrenches w = random_wrenches(random, 5);
    w.col(3) = w.col(0) - 2 * w.col(1);
    s.add_joint(-1, 0, random.vec3(), w);
    s.add_joint(0, 1, random.vec3(), random_wrenches(random, 3));
    GraphKkt kkt = s.solver();
    s.factor(kkt);
    CHECK(kkt.rank_deficiency() == 1);
    REQUIRE(kkt.dropped(3));
    // The factors have room for as many freedoms as the joint has rows left: assembly excludes what repeats.
    const std::vector<char> excluded = {0, 0, 0, 1, 0, 0, 0, 0};
    kkt.exclude(excluded);
    const Outcome out = compare(s, kkt, random, excluded);
    CHECK(out.rank == out.true_rank);
    CHECK(out.a < 1e-10);
    CHECK(out.reaction < 1e-10);
}

TEST_CASE("a planar four-bar in space has three redundant rows wherever its loop hangs") {
    for (double angle : {0.3, 1.0, -2.0}) {
        GraphSystem s;
        int base = -1;
        for (int loops = 1; loops <= 3; ++loops) {
            base = add_four_bar(s, base, s.bodies() == 0 ? Vec3::Zero() : s.position[base], angle);
            GraphKkt kkt = s.solver();
            s.factor(kkt);
            CAPTURE(angle, loops);
            CHECK(kkt.rank_deficiency() == 3 * loops);
            check(s, 730, 1e-9);
        }
    }
}

TEST_CASE("a plate on four parallel cranks has eleven redundant rows") {
    GraphSystem s;
    const Vec3 crank(0.3, 0, -0.4);
    const int plate = s.add_body(4, Vec3(0.1, 0.25, 0.35).asDiagonal(), Vec3(0, 0, 1) + crank);
    for (double x : {-0.4, 0.4}) {
        for (double y : {-0.3, 0.3}) {
            const Vec3 top(x, y, 1);
            const int b = s.add_body(
                0.5, 0.5 * 0.25 / 12 * (Mat3::Identity() - 4 * crank * crank.transpose()), top + 0.5 * crank);
            s.add_revolute(-1, b, top, Vec3::UnitY());
            s.add_revolute(b, plate, top + crank, Vec3::UnitY());
        }
    }
    check(s, 740, 1e-9);
    GraphKkt kkt = s.solver();
    s.factor(kkt);
    CHECK(kkt.rank_deficiency() == 11);
}

TEST_CASE("parallel revolute joints between two bodies count as one") {
    Random random(745);
    GraphSystem s;
    add_random_body(s, random);
    add_random_body(s, random);
    const Vec3 axis = random.direction(), at = random.vec3();
    s.add_revolute(-1, 0, random.vec3(), random.direction());
    for (int i = 0; i < 4; ++i)
        s.add_revolute(0, 1, at + 0.7 * i * axis, axis);
    check(s, 745, 1e-9);
    GraphKkt kkt = s.solver();
    s.factor(kkt);
    CHECK(kkt.rank_deficiency() == 15);
}

TEST_CASE(
    "four-bars lying flat, an exact singular position, get one more dependent row and the least solution") {
    for (int n : {1, 2, 5}) {
        GraphSystem s = n_four_bar(n, std::acos(0.0));
        for (Vec3& p : s.position) { // cos(pi/2) is not quite zero
            p.y() = std::round(p.y() * 1e9) / 1e9;
        }
        GraphSystem flat;
        for (int b = 0; b < s.bodies(); ++b)
            flat.add_body(1, (Mat3::Identity() - Vec3::UnitX() * Vec3::UnitX().transpose()) / 12,
                          s.position[b]);
        for (std::size_t l = 0; l < s.links.size(); ++l) {
            const GraphKkt::Link& link = s.links[l];
            const Vec3 arm = s.row[link.row + 1].g2.tail<3>(); // arm x e_y = (-z, 0, x)
            const Vec3 at = s.position[link.second] + Vec3(arm.z(), 0, 0);
            flat.add_revolute(link.first, link.second, at, Vec3::UnitZ());
        }
        CAPTURE(n);
        check(flat, 750, 1e-9);
        GraphKkt kkt = flat.solver();
        flat.factor(kkt);
        CHECK(kkt.rank_deficiency() == 4 * n);
    }
}

TEST_CASE("a massless slider that only a loop holds accelerates as the dense referee says") {
    for (std::uint64_t seed = 800; seed < 806; ++seed) {
        Random random(seed);
        GraphSystem s; // crank, rod, massless slider on a slide along x
        const Vec3 tip(0.3 * std::cos(0.7 * static_cast<double>(seed)),
                       0.3 * std::sin(0.7 * static_cast<double>(seed)), 0);
        const Vec3 end(tip.x() + std::sqrt(0.25 - tip.y() * tip.y()), 0, 0);
        const int crank = s.add_body(1, random.inertia(1), 0.5 * tip);
        const int rod = s.add_body(0.8, random.inertia(0.8), 0.5 * (tip + end));
        const int slider = s.add_body(0, Mat3::Zero(), end);
        s.add_revolute(-1, crank, Vec3::Zero(), Vec3::UnitZ());
        s.add_revolute(crank, rod, tip, Vec3::UnitZ());
        Wrenches slide = Wrenches::Identity(6, 6).rightCols(5);
        s.add_joint(-1, slider, end, slide);
        s.add_spherical(rod, slider, end);
        check(s, seed, 1e-9);
    }
}

TEST_CASE("a thin rod on a ball joint whose spin only a loop holds accelerates as the dense referee says") {
    for (std::uint64_t seed = 810; seed < 818; ++seed) {
        Random random(seed);
        GraphSystem s;
        const int crank = add_random_body(s, random);
        const Vec3 along = random.direction();
        const int rod = s.add_body(1, (Mat3::Identity() - along * along.transpose()) / 12, random.vec3());
        const int c = add_random_body(s, random), d = add_random_body(s, random);
        s.add_revolute(-1, crank, random.vec3(), random.direction());
        s.add_spherical(crank, rod, s.position[1] + 0.5 * along);
        s.add_revolute(-1, c, random.vec3(), random.direction());
        s.add_revolute(c, d, random.vec3(), random.direction());
        s.add_revolute(d, rod, s.position[1] - 0.5 * along, random.direction());
        check(s, seed, 1e-9);
    }
}

TEST_CASE("massless bodies in a row between heavy ones accelerate as the dense referee says") {
    for (std::uint64_t seed = 820; seed < 826; ++seed) {
        Random random(seed);
        GraphSystem s; // world - heavy - massless - massless - heavy - world: a five-bar with two free links
        std::vector<Vec3> at = {{0, 0, 0}, {0.2, 1, 0}, {0.9, 1.4, 0}, {1.7, 1.1, 0}, {2, 0, 0}};
        int before = -1;
        for (int i = 0; i < 4; ++i) {
            const bool heavy = i == 0 || i == 3;
            const std::size_t k = static_cast<std::size_t>(i);
            const int b = s.add_body(heavy ? 1 : 0, heavy ? random.inertia(1) : Mat3(Mat3::Zero()),
                                     0.5 * (at[k] + at[k + 1]));
            s.add_revolute(before, b, at[k], Vec3::UnitZ());
            before = b;
        }
        s.add_spherical(before, -1, at[4]);
        check(s, seed, 1e-9);
    }
}

TEST_CASE("a massless body fixed to a heavy one, inside or outside a loop, changes nothing") {
    Random random(830);
    GraphSystem s = random_tree(random, 4, 3, 5);
    const int light = s.add_body(0, Mat3::Zero(), random.vec3());
    s.add_joint(2, light, random.vec3(), random_wrenches(random, 6));
    join(s, random, light, 0, 2);
    check(s, 830, 1e-9);
}

TEST_CASE("a body that can really move without inertia is reported") {
    Random random(840);
    const Vec3 along = Vec3::UnitX();
    GraphSystem s; // a thin rod between two ball joints spins freely about itself
    add_random_body(s, random);
    const int rod = s.add_body(1, (Mat3::Identity() - along * along.transpose()) / 12, Vec3(0.5, 0, 0));
    add_random_body(s, random);
    s.add_revolute(-1, 0, Vec3(0, -1, 0), Vec3::UnitZ());
    s.add_revolute(-1, 2, Vec3(1, -1, 0), Vec3::UnitZ());
    s.add_spherical(0, rod, Vec3::Zero());
    s.add_spherical(2, rod, along);
    const auto unresolved = [](GraphSystem& system) {
        GraphKkt kkt = system.solver();
        system.factor(kkt);
        kkt.calibrate();
        system.factor(kkt);
        Vector a = Vector::Zero(6 * system.bodies()), lambda = Vector::Zero(system.rows());
        kkt.solve(Vector::Ones(a.size()), Vector::Zero(system.rows()), a, lambda);
        return kkt.unresolved_body();
    };
    CHECK(unresolved(s) == rod);
    s.mass[1].inertia(0, 0) = 1e-6; // a rod of some width is fine
    CHECK(unresolved(s) == -1);

    GraphSystem point; // a massless body on a ball joint
    point.add_body(0, Mat3::Zero(), Vec3::UnitX());
    point.add_spherical(-1, 0, Vec3::Zero());
    CHECK(unresolved(point) == 0);
    point.mass[0].mass = 1; // a point mass on an arm still spins freely about the arm
    CHECK(unresolved(point) == 0);
}

TEST_CASE("excluded rows have no multiplier and no effect, in trees, loops and gears") {
    for (std::uint64_t seed = 900; seed < 915; ++seed) {
        Random random(seed);
        GraphSystem s = random_tree(random, 6, 2, 5);
        join(s, random, 0, 4, 3);
        join(s, random, 5, -1, 2);
        s.add_coupling({-1, 0, 2, 3}, {random.vec6(), random.vec6(), random.vec6(), random.vec6()});
        GraphKkt kkt = s.solver();
        std::vector<char> excluded(static_cast<std::size_t>(s.rows()), 0);
        for (char& e : excluded)
            e = random.below(4) == 0 ? 1 : 0;
        excluded.back() = seed % 2 == 0 ? 1 : 0;
        kkt.exclude(excluded);
        s.factor(kkt);
        const Outcome out = compare(s, kkt, random, excluded);
        CAPTURE(seed);
        CHECK(out.rank == out.true_rank);
        CHECK(out.a < 1e-9);
        CHECK(out.reaction < 1e-9);
        CHECK(out.idle == 0);
        kkt.exclude(std::vector<char>(excluded.size(), 0)); // and back again
        const Outcome all = compare(s, kkt, random);
        CHECK(all.rank == all.true_rank);
        CHECK(all.a < 1e-9);
    }
}

TEST_CASE("excluding the redundant rows of a four-bar leaves accelerations and reactions as they are") {
    Random random(920);
    GraphSystem s = n_four_bar(3, 0.4);
    GraphKkt kkt = s.solver();
    s.factor(kkt);
    std::vector<char> excluded;
    for (int r = 0; r < s.rows(); ++r)
        excluded.push_back(kkt.dropped(r) ? 1 : 0);
    REQUIRE(std::count(excluded.begin(), excluded.end(), 1) == 9);
    GraphKkt lean = s.solver();
    lean.exclude(excluded);
    const Outcome out = compare(s, lean, random, excluded);
    CHECK(out.rank == 5 * 10 - 9);
    CHECK(out.rank == out.true_rank);
    CHECK(out.a < 1e-10);
    CHECK(out.reaction < 1e-10);
    CHECK(lean.loop_columns() < kkt.loop_columns());
}

TEST_CASE("a factorisation does not remember the one before it") {
    Random random(930);
    GraphSystem s = random_tree(random, 6, 2, 4), other = s;
    join(s, random, 1, 4, 2);
    other.links = s.links;
    other.row = s.row;
    for (RowGradient& r : other.row)
        r.g2 = random.vec6();
    const Vector f = random.vector(36), rhs = random.vector(s.rows());
    Vector a = Vector::Zero(36), b = a, la = Vector::Zero(s.rows()), lb = la;
    GraphKkt fresh = s.solver(), used = s.solver();
    other.factor(used);
    used.solve(f, rhs, b, lb);
    s.factor(used);
    used.solve(f, rhs, b, lb);
    s.factor(fresh);
    fresh.solve(f, rhs, a, la);
    CHECK(a == b);
    CHECK(la == lb);
    fresh.solve(f, rhs, b, lb);
    CHECK(a == b);
    CHECK(la == lb);
}

TEST_CASE(
    "stored columns grow linearly with the number of four-bars side by side and with a chain of loops") {
    const auto side_by_side = [](int n) { return n_four_bar(n, 0.3).solver().loop_columns(); };
    CHECK(side_by_side(40) - side_by_side(20) == 2 * (side_by_side(20) - side_by_side(10)));
    CHECK(side_by_side(40) <= 40 * 5 * 4);
    const auto chain = [](int n) {
        GraphSystem s;
        int base = -1;
        for (int i = 0; i < n; ++i)
            base = add_four_bar(s, base, i == 0 ? Vec3::Zero() : s.position[base], 0.3);
        return s.solver().loop_columns();
    };
    CHECK(chain(40) - chain(20) == 2 * (chain(20) - chain(10)));
    CHECK(chain(40) <= 40 * 5 * 4);
    // A tree has none.
    Random random(940);
    CHECK(random_tree(random, 30, 1, 6).solver().loop_columns() == 0);
}
