// Parts that start apart are put together: by 1 cm and 2 degrees, 10 cm and 30 degrees, 30 cm and 100 degrees.

#include "tools/glue/assembly.hpp"

#include "tests/glue/glue_joints.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <numbers>

using namespace tenon;
using namespace tenon::tests;
using PortMotion;

namespace {

constexpr double degree = std::numbers::pi / 180;

Motion displace(const Motion& motion, const Vec3& about, const Vec3& d, const Vec3& th) {
    Motion result = motion;
    const Mat3 turn = exp_so3(th);
    result.p_WP = turn * (motion.p_WP - about) + about + d;
    result.R_WP = turn * motion.R_WP;
    return result;
}

/// Links as FMUs of their own, joined by pins that are given in the closed pose; FMU -1 is the world.
struct Mechanism {
    std::vector<std::unique_ptr<PortJoint>> joints;
    std::vector<glue::AssemblyLink> links;
    std::vector<glue::AssemblyPort> ports;
    std::vector<char> movable;
    std::vector<Vec3> axes;

    int port(int fmu, const Vec3& at) {
        if (fmu < 0)
            return -1;
        if (movable.size() <= static_cast<std::size_t>(fmu))
            movable.resize(static_cast<std::size_t>(fmu) + 1, 1);
        glue::AssemblyPort result;
        result.fmu = static_cast<std::size_t>(fmu);
        result.motion.p_WP = at;
        ports.push_back(result);
        return static_cast<int>(ports.size()) - 1;
    }
    void pin(int a, int b, const Vec3& at, const Vec3& axis) {
        Motion closed;
        closed.p_WP = at;
        joints.push_back(
            std::make_unique<PortJoint>(glue_joint("revolute", {{"axis", {axis.x(), axis.y(), axis.z()}}}),
                                        PortKind::frame, closed, closed));
        const int port_a = port(a, at), port_b = port(b, at);
        links.push_back({joints.back().get(), port_a, port_b});
        axes.push_back(axis.normalized());
    }
    /// Every FMU that can be moved is, by random twists of these sizes.
    void scatter(Random& random, double metres, double radians) {
        for (std::size_t fmu = 0; fmu < movable.size(); ++fmu) {
            const Vec3 d = metres * random.direction(), th = radians * random.direction();
            std::optional<Vec3> about;
            for (glue::AssemblyPort& p : ports)
                if (movable[fmu] && p.fmu == fmu) {
                    about = about.value_or(p.motion.p_WP);
                    p.motion = displace(p.motion, *about, d, th);
                }
        }
    }
    glue::AssemblyResult assemble() const { return glue::assemble(links, ports, movable); }
    /// The cosine of the worst angle between the axes of the two sides of a pin.
    double worst_axes(const glue::AssemblyResult& result) const {
        double worst = 1;
        for (std::size_t i = 0; i < links.size(); ++i) {
            const auto axis = [&](int p) -> Vec3 {
                if (p < 0)
                    return axes[i];
                const glue::AssemblyPort& port = ports[static_cast<std::size_t>(p)];
                return result.moves[port.fmu].R_WV * port.motion.R_WP * axes[i];
            };
            worst = std::min(worst, axis(links[i].a).dot(axis(links[i].b)));
        }
        return worst;
    }
};

Mechanism double_pendulum() {
    Mechanism m;
    m.pin(-1, 0, Vec3(0, 0, 0), Vec3(0, 1, 0));
    m.pin(0, 1, Vec3(1, 0, 0), Vec3(0.3, 1, 0.2));
    return m;
}

/// Links along edges of a cube, pins along the edges between them; six of them, or every second pin only (two links an FMU).
Mechanism bricard(int step = 1) {
    Mechanism m;
    const Vec3 corner[6] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
    const int count = 6 / step;
    for (int i = 0; i < count; ++i) {
        const int at = i * step;
        const Vec3 before = corner[at] - corner[(at + 5) % 6], after = corner[(at + 1) % 6] - corner[at];
        m.pin(i - 1, i + 1 < count ? i : -1, corner[at], before.cross(after));
    }
    return m;
}

/// Rods of length 1 on pivots at x = 0, 1, ... joined by couplers of length 1; flat: all of it on one line.
Mechanism four_bars(int rods, double angle) {
    Mechanism m;
    const Vec3 rod(std::cos(angle), 0, std::sin(angle)), y = Vec3::UnitY();
    for (int i = 0; i < rods; ++i)
        m.pin(-1, i, Vec3(i, 0, 0), y);
    for (int i = 0; i + 1 < rods; ++i) {
        m.pin(i, rods + i, Vec3(i, 0, 0) + rod, y);
        m.pin(i + 1, rods + i, Vec3(i + 1, 0, 0) + rod, y);
    }
    return m;
}

std::vector<std::pair<const char*, Mechanism>> mechanisms() {
    std::vector<std::pair<const char*, Mechanism>> all;
    all.emplace_back("double pendulum", double_pendulum());
    all.emplace_back("Bricard in three", bricard(2));
    all.emplace_back("four-bar", four_bars(2, 1.0));
    all.emplace_back("N-four-bar, flat", four_bars(3, 0.0));
    return all;
}

} // namespace

TEST_CASE("parts that are 1 cm and 2 degrees apart are assembled in a few iterations") {
    Random random(41);
    for (auto& [name, mechanism] : mechanisms()) {
        INFO(name);
        mechanism.scatter(random, 0.01, 2 * degree);
        const glue::AssemblyResult result = mechanism.assemble();
        CHECK(result.converged);
        CHECK(result.iterations <= 10); // most where the pose is singular
        CHECK(result.gap_before > 0.01);
        CHECK(result.gap_after < 1e-12);
        CHECK(mechanism.worst_axes(result) > 1 - 1e-12);
    }
}

TEST_CASE("parts that are 10 cm and 30 degrees apart are assembled") {
    Random random(42);
    auto all = mechanisms();
    all.emplace_back("Bricard", bricard());
    for (auto& [name, mechanism] : all) {
        INFO(name);
        mechanism.scatter(random, 0.1, 30 * degree);
        const glue::AssemblyResult result = mechanism.assemble();
        CHECK(result.converged);
        CHECK(result.iterations <= 20);
        CHECK(mechanism.worst_axes(result) > 1 - 1e-12);
    }
}

TEST_CASE("parts that are 30 cm and 100 degrees apart are assembled with their axes the right way round") {
    for (const int seed : {43, 44, 45, 46, 47})
        for (auto& [name, mechanism] : mechanisms()) {
            Random random(static_cast<std::uint64_t>(seed));
            mechanism.scatter(random, 0.3, 100 * degree);
            const glue::AssemblyResult result = mechanism.assemble();
            INFO(name << ", seed " << seed << ", gap " << result.gap_after << " after " << result.iterations);
            CHECK(result.converged);
            CHECK(mechanism.worst_axes(result) > 1 - 1e-12);
        }
}

TEST_CASE("what fits already is not moved") {
    Mechanism mechanism = bricard();
    const glue::AssemblyResult result = mechanism.assemble();
    CHECK(result.converged);
    CHECK(result.iterations == 0);
    for (const glue::Move& move : result.moves)
        CHECK((move.R_WV == Mat3::Identity() && move.p_WV == Vec3::Zero()));
}

TEST_CASE("an FMU that may not be moved stays, and gaps that are left are told") {
    Mechanism mechanism = double_pendulum();
    mechanism.ports[1].motion.p_WP += Vec3(0, 0.2, 0); // the joint of the two, on the first link
    mechanism.movable = {0, 1};
    const glue::AssemblyResult result = mechanism.assemble();
    CHECK(result.converged);
    CHECK(result.moves[0].p_WV == Vec3::Zero());
    CHECK(result.worst == 1);
    CHECK(result.gap_before == Approx(0.2));
    mechanism.movable = {0, 0};
    const glue::AssemblyResult none = mechanism.assemble();
    CHECK_FALSE(none.converged);
    CHECK(none.gap_after == Approx(0.2));
    // Too short by 20 cm between two fixed points: the best there is, but not closed.
    Mechanism bar;
    bar.pin(-1, 0, Vec3(0, 0, 0), Vec3::UnitY());
    bar.pin(-1, 0, Vec3(1, 0, 0), Vec3::UnitY());
    bar.ports[1].motion.p_WP = Vec3(0.8, 0, 0);
    const glue::AssemblyResult impossible = bar.assemble();
    CHECK_FALSE(impossible.converged);
    CHECK(impossible.gap_after == Approx(0.1).margin(1e-6));
}

TEST_CASE("every type of joint can be assembled from 30 degrees apart") {
    Random random(48);
    for (const PortJointSpec& given : all_glue_joints()) {
        INFO(given.type << " with " << given.numbers.size() << " numbers");
        glue::AssemblyPort a, b;
        a.motion.R_WP = random.rotation();
        b.fmu = 1;
        b.motion = displace(a.motion, a.motion.p_WP, 0.1 * random.direction(), 0.5 * random.direction());
        const PortJoint joint(given, PortKind::frame, a.motion, b.motion);
        const glue::AssemblyPort ports[] = {a, b};
        const glue::AssemblyLink links[] = {{&joint, 0, 1}};
        const glue::AssemblyResult result = glue::assemble(links, ports, {1, 1}, 1e-12, 0.4);
        CHECK(result.converged);
        Motion at_a = a.motion, at_b = b.motion;
        for (const auto& [motion, move] :
             {std::pair(&at_a, &result.moves[0]), std::pair(&at_b, &result.moves[1])}) {
            motion->p_WP = move->R_WV * motion->p_WP + move->p_WV;
            motion->R_WP = move->R_WV * motion->R_WP;
        }
        PortJointRows rows;
        joint.evaluate(0.4, at_a, at_b, rows); // the rows of the run are closed, too
        CHECK(rows.phi.cwiseAbs().maxCoeff() < 1e-11);
    }
}

TEST_CASE("joined flanges do not move their FMUs") {
    glue::AssemblyPort shaft_a, shaft_b, tip, root;
    shaft_b.fmu = root.fmu = 1;
    shaft_a.motion.p_WP.x() = 3;
    root.motion.p_WP = Vec3(0, 0, 0.1);
    const PortJoint shaft(glue_joint("fixed"), PortKind::rotational, shaft_a.motion, shaft_b.motion);
    const PortJoint pin(glue_joint("spherical"), PortKind::frame, tip.motion, root.motion);
    const glue::AssemblyPort ports[] = {shaft_a, shaft_b, tip, root};
    const glue::AssemblyLink links[] = {{&shaft, 0, 1}, {&pin, 2, 3}};
    const glue::AssemblyResult result = glue::assemble(links, ports, {0, 1});
    CHECK(result.converged);
    CHECK(result.iterations <= 2);
}
