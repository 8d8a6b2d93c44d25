// The parts that schemes are made of: graphs, curves, Broyden's method, blocks of values.

#include "tools/master/components.hpp"
#include "tools/master/same_time.hpp"
#include "tools/master/schemes/input_curves.hpp"
#include "tools/master/schemes/quasi_newton.hpp"
#include "tools/master/value_block.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::master;

namespace {

using Groups = std::vector<std::vector<std::size_t>>;

} // namespace

TEST_CASE("components come in the order of the edges, each with its nodes in ascending order") {
    CHECK(components({}) == Groups{});
    CHECK(components({{}, {}, {}}) == Groups{{0}, {1}, {2}});
    CHECK(components({{1}, {2}, {}}) == Groups{{0}, {1}, {2}});
    CHECK(components({{}, {0}, {1}}) == Groups{{2}, {1}, {0}});
    CHECK(components({{1}, {2}, {0, 3}, {4}, {3}}) == Groups{{0, 1, 2}, {3, 4}});
    CHECK(components({{3}, {0}, {1}, {2, 3}}) == Groups{{0, 1, 2, 3}});
}

TEST_CASE("a chain of a hundred thousand nodes needs no deep stack") {
    Successors chain(100'000);
    for (std::size_t i = 1; i < chain.size(); ++i)
        chain[i - 1].push_back(i);
    CHECK(components(chain).size() == chain.size());
    chain.back().push_back(0);
    CHECK(components(chain).size() == 1);
}

TEST_CASE("curves of order k are exact for polynomials of order k, also with unequal steps") {
    const int order = GENERATE(0, 1, 2);
    const auto polynomial = [&](double t) {
        return 1 + (order > 0 ? 2 * t : 0) + (order > 1 ? -3 * t * t : 0);
    };
    const std::vector<char> continuous = {true};
    InputCurves curves(order, continuous);
    for (const double t : {0.0, 0.1, 0.25, 0.3}) {
        const double u = polynomial(t);
        curves.begin(t, {&u, 1});
    }
    const double h = 0.2;
    const auto check = [&](double end) {
        for (const double s : {0.0, 0.1, 0.2})
            CHECK(curves.at(0, s) == Approx(polynomial(0.3 + s)));
        CHECK(curves.at(0, h) == Approx(end));
        CHECK(curves.derivative(0, 1) == Approx(order == 0 ? 0 : order == 1 ? 2 : 2 - 6 * 0.3).margin(1e-9));
        CHECK(curves.derivative(0, 2) == Approx(order == 2 ? -6 : 0).margin(1e-9));
        // Simpson's rule is exact for these.
        CHECK(curves.mean(0, h) == Approx((polynomial(0.3) + 4 * polynomial(0.4) + polynomial(0.5)) / 6));
    };
    curves.extrapolate(0, 1);
    check(polynomial(0.5));
    curves.interpolate(0, polynomial(0.5), h);
    check(polynomial(0.5));
}

TEST_CASE("curves know only what they have seen, forget steps that are made again, and leave discrete inputs "
          "alone") {
    const std::vector<char> continuous = {true, false};
    InputCurves curves(2, continuous);
    std::vector<double> u = {1, 1};
    curves.begin(0, u);
    curves.extrapolate(0, 2);
    CHECK(curves.at(0, 5) == 1);
    u = {2, 2};
    curves.begin(1, u);
    curves.extrapolate(0, 2);
    CHECK(curves.at(0, 1) == 3);
    CHECK(curves.at(1, 1) == 2);
    u = {4, 4};
    curves.begin(1, u); // the same step again, with other inputs
    CHECK(curves.known() == 2);
    curves.extrapolate(0, 2);
    CHECK(curves.at(0, 1) == 7);
    curves.interpolate(1, 9, 1);
    CHECK(curves.at(1, 0.5) == 9);
    curves.forget();
    curves.begin(2, u);
    curves.extrapolate(0, 2);
    CHECK(curves.at(0, 1) == 4);
}

TEST_CASE("Broyden's method solves a linear system of n unknowns in at most 2 n + 1 steps") {
    // r(x) = A x - b with A far from -1, where the fixed-point iteration diverges.
    const Eigen::Matrix3d a = (Eigen::Matrix3d() << 4, 1, 0, -1, 3, 2, 0.5, 0, -5).finished();
    const Eigen::Vector3d b(1, 2, 3);
    QuasiNewton newton(3);
    std::vector<double> x = {0, 0, 0}, r(3);
    const auto residual = [&] {
        Eigen::Map<Eigen::Vector3d>(r.data()) = a * Eigen::Map<Eigen::Vector3d>(x.data()) - b;
        return Eigen::Map<Eigen::Vector3d>(r.data()).norm();
    };
    newton.begin();
    int steps = 0;
    for (; residual() > 1e-10 && steps < 20; ++steps)
        newton.next(x, r);
    CHECK(steps <= 7);
    // What it has learned serves a second problem with the same matrix.
    newton.begin();
    x = {5, 5, 5};
    CHECK(newton.has_learned());
    for (steps = 0; residual() > 1e-10 && steps < 20; ++steps)
        newton.next(x, r);
    CHECK(steps <= 7);
    CHECK(newton.forget());
    CHECK_FALSE(newton.forget());
    CHECK(newton.inverse() == -Eigen::Matrix3d::Identity());
}

TEST_CASE("a block takes only values that its type can hold") {
    ValueBlock small(fmi::Type::int8);
    small.add(1, 2);
    CHECK(small.assign(0, Scalar(std::int64_t{-128})));
    CHECK_FALSE(small.assign(0, Scalar(std::int64_t{128})));
    CHECK_FALSE(small.assign(0, Scalar(0.5)));
    CHECK_FALSE(small.assign(1, Scalar(std::string("1"))));
    CHECK(small.number(0) == -128);
    CHECK(small.number(1) == 0);
    ValueBlock single(fmi::Type::float32);
    single.add(1, 1);
    CHECK(single.assign(0, Scalar(0.1)));
    CHECK(single.number(0) == static_cast<double>(0.1F));
    CHECK_FALSE(single.assign(0, Scalar(1e300)));
    ValueBlock large(fmi::Type::uint64);
    large.add(1, 1);
    CHECK(large.assign(0, Scalar(std::numeric_limits<std::uint64_t>::max())));
    CHECK(std::get<std::uint64_t>(large.scalar(0)) == std::numeric_limits<std::uint64_t>::max());
    CHECK_FALSE(large.assign(0, Scalar(std::int64_t{-1})));
    ValueBlock truth(fmi::Type::boolean);
    truth.add(1, 1);
    CHECK(truth.assign(0, Scalar(std::int64_t{1})));
    CHECK_FALSE(truth.assign(0, Scalar(std::int64_t{2})));
    CHECK(truth.number(0) == 1);
    ValueBlock text(fmi::Type::string);
    text.add(1, 2);
    text.assign(0, fmi::Start(std::vector<std::string>{"one", "two"}));
    CHECK(std::get<std::string>(text.scalar(1)) == "two");
    CHECK_FALSE(text.assign(0, Scalar(1.0)));
}

TEST_CASE("times are before each other by more than round-off, at any size of time and step") {
    CHECK(is_before(0, 1e-12, 1e-12));
    CHECK(is_before(1e6, 1e6 + 1e-6, 1e-6));
    CHECK_FALSE(is_before(0.1 + 0.2, 0.3, 0.1));
    CHECK_FALSE(is_before(0.3, 0.1 + 0.2, 0.1));
    CHECK_FALSE(is_before(1e6, 1e6 + 1e-10, 1e-3));
    CHECK_FALSE(is_before(2, 1, 1));
}
