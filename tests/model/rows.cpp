// Rows and measures of every joint type: derivatives against differences, discrete gradients to round-off, and what each
// joint leaves free against the list in docs/contract.md.

#include "core/model/rows.hpp"
#include "core/math/rotation.hpp"
#include "core/model/joints/joint_types.hpp"
#include "tests/support/random.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <numbers>

using namespace tenon;
using tenon::tests::Random;

namespace {

using Vec24 = Eigen::Matrix<double, 24, 1>;

struct Case {
    std::string type;
    Joint joint;
    Frame first, second; ///< at t = 0
    JointRows parts;
    int size() const {
        int n = 0;
        for (const auto& block : parts.rows)
            n += block->size();
        return n;
    }
};

/// A joint of this type between bodies at random places; every third is on the world.
Case random_joint(const JointType& type, Random& random, int number) {
    Case c;
    c.type = type.name;
    if (number % 3 != 0) {
        c.first = {random.vec3(), random.rotation()};
    }
    c.second = {random.vec3(), random.rotation()};
    Joint& j = c.joint;
    j.type = c.type;
    j.at = random.vec3();
    j.axis = 2 * random.direction();
    j.axis2 = j.axis.unitOrthogonal();
    j.point1 = random.vec3();
    j.point2 = j.point1 + (1 + 0.5 * random.number()) * random.direction();
    j.pitch = 0.7;
    j.radius = 0.4;
    j.normal = (j.axis.unitOrthogonal() + 0.3 * random.vec3()).normalized();
    type.build(JointPlace{j, c.first, c.second}, c.parts);
    return c;
}

void for_every_joint(int each, const std::function<void(Case&, Random&)>& test) {
    Random random(42);
    for (const JointType& type : joint_types()) {
        for (int i = 0; i < each && type.build != nullptr; ++i) {
            Case c = random_joint(type, random, i);
            CAPTURE(c.type, i);
            test(c, random);
        }
    }
}

struct Candidate {
    std::string name;
    std::unique_ptr<Measure> measure;
};

std::vector<Candidate> all_measures(Random& random) {
    const Vec3 a1 = random.direction(), a2 = a1.unitOrthogonal();
    std::vector<Candidate> out;
    out.push_back({"direction", direction_measure(random.vec3(), random.vec3())});
    out.push_back({"point", point_measure(random.vec3(), random.vec3(), random.direction(), 0.3)});
    out.push_back({"half square", half_square_measure(random.vec3(), random.vec3(), 0.8)});
    out.push_back({"length", length_measure(random.vec3(), random.vec3())});
    out.push_back({"angle", angle_measure(a1, a2, random.direction())});
    out.push_back({"twist", twist_measure(random.direction(), random.direction(), random.direction(),
                                          random.direction())});
    out.push_back({"disc height",
                   disc_height_measure(random.vec3(), random.vec3(), a1, (a2 + 0.4 * a1).normalized(), 0.5)});
    return out;
}

Frame moved(const Frame& f, double size, Random& random) {
    return {f.r + size * random.vec3(), exp_so3(size * random.vec3()) * f.D};
}

/// Where a body with constant v and w is after a time.
Kinematics after(const Kinematics& k, double t) {
    Kinematics out = k;
    out.r += t * k.v;
    out.D = exp_so3(t * k.w) * k.D;
    return out;
}

Kinematics random_motion(const Frame& f, Random& random) {
    Kinematics k;
    static_cast<Frame&>(k) = f;
    k.v = random.vec3();
    k.w = random.vec3();
    return k;
}

Vec24 packed(const Frame& f1, const Frame& f2) {
    Vec24 x;
    x << f1.r, f1.D.reshaped(), f2.r, f2.D.reshaped();
    return x;
}

Frame unpacked(const Vec24& x, int from) {
    return {x.segment<3>(from), Eigen::Map<const Mat3>(x.data() + from + 3)};
}

Vec24 gradient(const NaturalRow& row) {
    Vec24 g;
    g << row.g1, row.g2;
    return g;
}

/// (g_r, sum d_i x g_i): what a rigid motion feels of a natural gradient.
Vec6 tested(const Vec12& g, const Mat3& D) {
    Vec6 out;
    out << g.head<3>(), Vec3::Zero();
    for (int i = 0; i < 3; ++i)
        out.tail<3>() += D.col(i).cross(g.segment<3>(3 + 3 * i));
    return out;
}

/// The same calls for a measure and for a block of rows: `rigid(k1, k2, rows)` and so on.
struct Function {
    int size = 1;
    bool holonomic = true;
    std::function<void(const Kinematics&, const Kinematics&, RigidRow*)> rigid;
    std::function<void(const Frame&, const Frame&, NaturalRow*)> natural;
    std::function<void(const Frame&, const Frame&, const Frame&, const Frame&, NaturalRow*)> discrete;
};

Function function_of(const Rows& rows) {
    return {rows.size(), rows.holonomic(),
            [&](const Kinematics& a, const Kinematics& b, RigidRow* r) { rows.rigid(a, b, r); },
            [&](const Frame& a, const Frame& b, NaturalRow* r) { rows.natural(a, b, r); },
            [&](const Frame& a, const Frame& b, const Frame& c, const Frame& d, NaturalRow* r) {
                rows.discrete(a, b, c, d, r);
            }};
}

/// An angle is followed from where it is at (f1, f2): steps stay below half a turn.
Function function_of(const Measure& m, const Frame& f1, const Frame& f2) {
    const double near = m.value(f1, f2, 0);
    return {1, true,
            [&m, near](const Kinematics& a, const Kinematics& b, RigidRow* r) { m.rigid(a, b, near, *r); },
            [&m, near](const Frame& a, const Frame& b, NaturalRow* r) { m.natural(a, b, near, *r); },
            [&m, near](const Frame& a, const Frame& b, const Frame& c, const Frame& d, NaturalRow* r) {
                m.discrete(a, b, c, d, near, near, *r);
            }};
}

/// Every block of rows of every joint and every measure, at places where joints do not fit.
void for_every_function(
    int each, const std::function<void(const Function&, const Frame&, const Frame&, Random&)>& test) {
    for_every_joint(each, [&](Case& c, Random& random) {
        const Frame f1 = moved(c.first, 0.2, random), f2 = moved(c.second, 0.2, random);
        int block = 0;
        for (const auto& rows : c.parts.rows) {
            CAPTURE(block++);
            test(function_of(*rows), f1, f2, random);
        }
    });
    Random random(43);
    for (int i = 0; i < each; ++i) {
        const Frame f1{random.vec3(), random.rotation()}, f2{random.vec3(), moved(f1, 0.5, random).D};
        for (const Candidate& candidate : all_measures(random)) {
            CAPTURE(candidate.name, i);
            test(function_of(*candidate.measure, f1, f2), f1, f2, random);
        }
    }
}

/// Moves the second body until the holonomic rows hold: Newton with the rigid gradients.
bool close(const Case& c, const Frame& f1, Frame& f2) {
    for (int i = 0; i < 30; ++i) {
        Matrix G(c.size(), 6);
        Vector gap(c.size());
        int n = 0;
        RigidRow rows[3];
        for (const auto& block : c.parts.rows) {
            Kinematics k1, k2;
            static_cast<Frame&>(k1) = f1;
            static_cast<Frame&>(k2) = f2;
            block->rigid(k1, k2, rows);
            for (int r = 0; r < block->size() && block->holonomic(); ++r, ++n) {
                G.row(n) = rows[r].g2.transpose();
                gap[n] = rows[r].value;
            }
        }
        if (gap.head(n).lpNorm<Eigen::Infinity>() < 1e-14)
            return true;
        const Vector d = G.topRows(n).completeOrthogonalDecomposition().solve(-gap.head(n));
        f2.r += d.head<3>();
        f2.D = exp_so3(d.tail<3>()) * f2.D;
    }
    return false;
}

} // namespace

TEST_CASE("the rate of a row is the derivative of its value along a rigid motion") {
    for_every_function(4, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        const Kinematics k1 = random_motion(f1, random), k2 = random_motion(f2, random);
        RigidRow row[3], before[3], behind[3];
        f.rigid(k1, k2, row);
        const double e = 1e-5;
        f.rigid(after(k1, -e), after(k2, -e), before);
        f.rigid(after(k1, e), after(k2, e), behind);
        for (int i = 0; i < f.size && f.holonomic; ++i)
            CHECK(row[i].rate == Approx((behind[i].value - before[i].value) / (2 * e)).margin(2e-8));
    });
}

TEST_CASE("the bias of a row is the second derivative of its value, and the derivative of its rate, without "
          "acceleration") {
    for_every_function(4, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        const Kinematics k1 = random_motion(f1, random), k2 = random_motion(f2, random);
        RigidRow row[3], at[5][3];
        f.rigid(k1, k2, row);
        const double e = 1e-3;
        for (int i = 0; i < 5; ++i)
            f.rigid(after(k1, (i - 2) * e), after(k2, (i - 2) * e), at[i]);
        for (int i = 0; i < f.size; ++i) {
            const double of_rate =
                (at[0][i].rate - 8 * at[1][i].rate + 8 * at[3][i].rate - at[4][i].rate) / (12 * e);
            CHECK(row[i].bias == Approx(of_rate).margin(1e-8));
            if (f.holonomic) {
                const double second = (-at[0][i].value + 16 * at[1][i].value - 30 * at[2][i].value +
                                       16 * at[3][i].value - at[4][i].value) /
                                      (12 * e * e);
                CHECK(row[i].bias == Approx(second).margin(1e-6));
            }
        }
    });
}

TEST_CASE("rigid gradients are the derivatives of rates by velocities and of values by motions") {
    for_every_function(3, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        Kinematics k1 = random_motion(f1, random), k2 = random_motion(f2, random);
        RigidRow row[3], other[3], before[3];
        f.rigid(k1, k2, row);
        for (int i = 0; i < f.size; ++i) {
            Vec6 u1, u2;
            u1 << k1.v, k1.w;
            u2 << k2.v, k2.w;
            CHECK(row[i].rate == Approx(row[i].g1.dot(u1) + row[i].g2.dot(u2)).margin(1e-13));
        }
        for (int d = 0; d < 12 && f.holonomic; ++d) {
            Kinematics m1, m2;
            static_cast<Frame&>(m1) = f1;
            static_cast<Frame&>(m2) = f2;
            Vec6 u = Vec6::Unit(d % 6);
            (d < 6 ? m1 : m2).v = u.head<3>();
            (d < 6 ? m1 : m2).w = u.tail<3>();
            const double e = 1e-5;
            f.rigid(after(m1, e), after(m2, e), other);
            f.rigid(after(m1, -e), after(m2, -e), before);
            for (int i = 0; i < f.size; ++i) {
                const double g = d < 6 ? row[i].g1[d] : row[i].g2[d - 6];
                CHECK(g == Approx((other[i].value - before[i].value) / (2 * e)).margin(2e-8));
            }
        }
    });
}

TEST_CASE(
    "natural gradients are the derivatives by all 24 coordinates, also of axes that are not orthonormal") {
    for_every_function(3, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        if (!f.holonomic)
            return;
        Vec24 x = packed(f1, f2);
        for (int i = 0; i < 24; ++i)
            x[i] += 0.05 * random.number();
        NaturalRow row[3], behind[3], before[3];
        f.natural(unpacked(x, 0), unpacked(x, 12), row);
        const double e = 1e-5;
        for (int d = 0; d < 24; ++d) {
            const Vec24 plus = x + e * Vec24::Unit(d), minus = x - e * Vec24::Unit(d);
            f.natural(unpacked(plus, 0), unpacked(plus, 12), behind);
            f.natural(unpacked(minus, 0), unpacked(minus, 12), before);
            for (int i = 0; i < f.size; ++i)
                CHECK(gradient(row[i])[d] ==
                      Approx((behind[i].value - before[i].value) / (2 * e)).margin(1e-7));
        }
    });
}

TEST_CASE("the natural gradient tested along rigid motions is the rigid gradient, and values are the same") {
    for_every_function(4, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        RigidRow rigid[3];
        NaturalRow natural[3];
        f.rigid(random_motion(f1, random), random_motion(f2, random), rigid);
        f.natural(f1, f2, natural);
        for (int i = 0; i < f.size; ++i) {
            CHECK(natural[i].value == Approx(rigid[i].value).margin(1e-14));
            CHECK((tested(natural[i].g1, f1.D) - rigid[i].g1).norm() < 1e-13);
            CHECK((tested(natural[i].g2, f2.D) - rigid[i].g2).norm() < 1e-13);
        }
    });
}

TEST_CASE("a discrete gradient times a finite step is the difference of the values to round-off") {
    for_every_function(4, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        if (!f.holonomic)
            return;
        for (double step : {0.5, 0.1, 1e-3, 1e-6, 1e-9, 1e-12, 0.0}) {
            const Frame e1 = moved(f1, step, random), e2 = moved(f2, step, random);
            NaturalRow start[3], end[3], between[3];
            f.natural(f1, f2, start);
            f.natural(e1, e2, end);
            f.discrete(f1, f2, e1, e2, between);
            const Vec24 change = packed(e1, e2) - packed(f1, f2);
            CAPTURE(step);
            for (int i = 0; i < f.size; ++i) {
                CHECK(between[i].value == end[i].value);
                CHECK(gradient(between[i]).dot(change) ==
                      Approx(end[i].value - start[i].value).margin(3e-15));
            }
        }
    });
}

TEST_CASE("a discrete gradient is the gradient half-way to second order") {
    for_every_function(3, [](const Function& f, const Frame& f1, const Frame& f2, Random& random) {
        const double step = 1e-3;
        const Vec3 u1 = random.vec3(), u2 = random.vec3(), w1 = random.vec3(), w2 = random.vec3();
        const auto at = [&](double s, const Frame& g, const Vec3& u, const Vec3& w) {
            return Frame{g.r + s * u, exp_so3(s * w) * g.D};
        };
        NaturalRow between[3], half[3];
        f.discrete(f1, f2, at(step, f1, u1, w1), at(step, f2, u2, w2), between);
        f.natural(at(0.5 * step, f1, u1, w1), at(0.5 * step, f2, u2, w2), half);
        for (int i = 0; i < f.size; ++i)
            CHECK((gradient(between[i]) - gradient(half[i])).norm() < 50 * step * step);
    });
}

TEST_CASE("the discrete rows of rolling are those at the mean frames") {
    Random random(5);
    for (int n = 0; n < 4; ++n) {
        const Case c = random_joint(*find_joint_type("rolling"), random, n);
        const Rows& slip = *c.parts.rows[1];
        REQUIRE_FALSE(slip.holonomic());
        const Frame e1 = moved(c.first, 0.3, random), e2 = moved(c.second, 0.3, random);
        NaturalRow between[3], half[3];
        slip.discrete(c.first, c.second, e1, e2, between);
        slip.natural(mean(c.first, e1), mean(c.second, e2), half);
        for (int i = 0; i < 2; ++i) {
            CHECK(gradient(between[i]) == gradient(half[i]));
            CHECK(half[i].value == 0);
        }
    }
}

TEST_CASE("rows vanish at t = 0, and so do angles and distances") {
    for_every_joint(6, [](Case& c, Random&) {
        NaturalRow rows[3];
        for (const auto& block : c.parts.rows) {
            block->natural(c.first, c.second, rows);
            for (int i = 0; i < block->size(); ++i)
                CHECK(rows[i].value == Approx(0).margin(1e-14));
        }
        const JointType& type = *find_joint_type(c.type);
        REQUIRE((c.parts.angle != nullptr) == type.has_angle);
        REQUIRE((c.parts.distance != nullptr) == type.has_distance);
        if (type.has_angle) {
            CHECK(c.parts.angle->is_angle());
            CHECK(c.parts.angle->value(c.first, c.second, 0) == Approx(0).margin(1e-14));
        }
        if (type.has_distance) {
            const double expected = c.type == "distance" ? (c.joint.point2 - c.joint.point1).norm() : 0.0;
            CHECK_FALSE(c.parts.distance->is_angle());
            CHECK(c.parts.distance->value(c.first, c.second, 0) == Approx(expected).margin(1e-14));
        }
    });
}

TEST_CASE("where a joint fits, its rows do not feel a common rigid motion of both bodies") {
    int closed = 0;
    for_every_joint(5, [&](Case& c, Random& random) {
        const Frame f1 = moved(c.first, 0.3, random);
        Frame f2 = moved(c.second, 0.3, random);
        if (!close(c, f1, f2))
            return;
        ++closed;
        // Velocities: the block factorisation rests on this.
        const Vec3 v = random.vec3(), w = random.vec3();
        Kinematics k1 = random_motion(f1, random), k2 = random_motion(f2, random);
        k1.v = v;
        k2.v = v + w.cross(f2.r - f1.r);
        k1.w = k2.w = w;
        const Mat3 Q = random.rotation();
        const Vec3 shift = random.vec3();
        RigidRow rows[3];
        NaturalRow carried[3];
        for (const auto& block : c.parts.rows) {
            block->rigid(k1, k2, rows);
            block->natural({Q * f1.r + shift, Q * f1.D}, {Q * f2.r + shift, Q * f2.D}, carried);
            for (int i = 0; i < block->size(); ++i) {
                CHECK(rows[i].rate == Approx(0).margin(1e-13));
                // Going on like this the second body has the acceleration w x (w x d).
                const double carried_along = rows[i].g2.head<3>().dot(w.cross(w.cross(f2.r - f1.r)));
                CHECK(rows[i].bias + carried_along == Approx(0).margin(1e-12));
                CHECK(carried[i].value == Approx(0).margin(1e-13));
            }
        }
    });
    CHECK(closed > 50);
}

TEST_CASE("each joint leaves free what the contract says, and nothing else") {
    Random random(77);
    for (const JointType& type : joint_types()) {
        for (int n = 0; n < 3 && type.build != nullptr; ++n) {
            const Case c = random_joint(type, random, n);
            const Joint& j = c.joint;
            const Vec3 axis = j.axis.normalized(), none = Vec3::Zero();
            // Twists of the second body against the first: velocity of the point `at`, angular velocity.
            Vec3 at = j.at;
            std::vector<std::pair<Vec3, Vec3>> free;
            const auto turn = [&](const Vec3& about) { free.emplace_back(none, about); };
            const auto slide = [&](const Vec3& along) { free.emplace_back(along, none); };
            const auto turn_freely = [&] {
                for (int i = 0; i < 3; ++i)
                    turn(Vec3::Unit(i));
            };
            const auto slide_in_plane = [&](const Vec3& normal) {
                slide(normal.unitOrthogonal());
                slide(normal.cross(normal.unitOrthogonal()));
            };
            int angular = 0;
            if (c.type == "fixed") {
                angular = 3;
            } else if (c.type == "revolute") {
                turn(axis);
                angular = 2;
            } else if (c.type == "prismatic") {
                slide(axis);
                angular = 3;
            } else if (c.type == "cylindrical") {
                turn(axis);
                slide(axis);
                angular = 2;
            } else if (c.type == "screw") {
                free.emplace_back(j.pitch / (2 * std::numbers::pi) * axis, axis);
                angular = 2;
            } else if (c.type == "spherical") {
                turn_freely();
            } else if (c.type == "universal") {
                turn(axis);
                turn(j.axis2);
                angular = 1;
            } else if (c.type == "planar") {
                turn(axis);
                slide_in_plane(axis);
                angular = 2;
            } else if (c.type == "distance") {
                at = j.point2;
                turn_freely();
                slide_in_plane((j.point2 - j.point1).normalized());
            } else if (c.type == "point_on_line") {
                turn_freely();
                slide(axis);
            } else if (c.type == "point_on_plane") {
                turn_freely();
                slide_in_plane(axis);
            } else if (c.type == "rolling") {
                // It turns about where it touches: the lowest point of the rim.
                const Vec3 p = axis.unitOrthogonal(), q = axis.cross(p);
                const double angle = std::atan2(-q.dot(j.normal), -p.dot(j.normal));
                at = j.at + j.radius * (std::cos(angle) * p + std::sin(angle) * q);
                turn_freely();
            } else {
                FAIL("no expectation for joint type " + c.type);
            }
            Matrix G(c.size(), 6);
            int r = 0, found = 0;
            RigidRow rows[3];
            Kinematics k1, k2;
            static_cast<Frame&>(k1) = c.first;
            static_cast<Frame&>(k2) = c.second;
            for (const auto& block : c.parts.rows) {
                block->rigid(k1, k2, rows);
                for (int i = 0; i < block->size(); ++i) {
                    found += block->angular(i) ? 1 : 0;
                    G.row(r++) = rows[i].g2.transpose();
                }
            }
            CAPTURE(c.type, n);
            CHECK(found == angular);
            CHECK(r == 6 - static_cast<int>(free.size()));
            CHECK(Eigen::FullPivLU<Matrix>(G).rank() == r);
            for (const auto& [v, w] : free) {
                Vec6 u;
                u << v + w.cross(c.second.r - at), w;
                CHECK((G * u).norm() < 1e-13);
            }
        }
    }
}

TEST_CASE("an angle counts positive turns of the second body about the axis, over many turns") {
    Random random(11);
    for (const char* name : {"revolute", "cylindrical", "screw", "planar"}) {
        const Case c = random_joint(*find_joint_type(name), random, 1);
        const Vec3 n = c.joint.axis.normalized();
        for (double angle : {0.5, -0.5, 3.0, 7.0, -20.0, 400.0}) {
            const Mat3 R = exp_so3(angle * n);
            const Mat3 Q = random.rotation(); // and both bodies carried along
            const Frame f1{Q * c.first.r, Q * c.first.D};
            const Frame f2{Q * (c.joint.at + R * (c.second.r - c.joint.at)), Q * R * c.second.D};
            CAPTURE(name, angle);
            CHECK(c.parts.angle->value(f1, f2, angle + 2.5) == Approx(angle).margin(1e-12));
            CHECK(c.parts.angle->value(f1, f2, angle - 2.5) == Approx(angle).margin(1e-12));
            RigidRow rigid;
            NaturalRow natural;
            Kinematics k1, k2;
            static_cast<Frame&>(k1) = f1;
            static_cast<Frame&>(k2) = f2;
            k2.w = Q * n * 3.0;
            c.parts.angle->rigid(k1, k2, angle + 1, rigid);
            c.parts.angle->natural(f1, f2, angle + 1, natural);
            CHECK(rigid.value == Approx(angle).margin(1e-12));
            CHECK(natural.value == Approx(angle).margin(1e-12));
            CHECK(rigid.rate == Approx(3));
        }
    }
}

TEST_CASE("a distance counts along the axis") {
    Random random(12);
    for (const char* name : {"prismatic", "cylindrical", "screw"}) {
        const Case c = random_joint(*find_joint_type(name), random, 2);
        Frame f2 = c.second;
        f2.r += 1.25 * c.joint.axis.normalized();
        CHECK(c.parts.distance->value(c.first, f2, 0) == Approx(1.25));
    }
}

TEST_CASE(
    "a screw joint holds over many turns in both directions and has one row that a wrong pitch violates") {
    Random random(13);
    const Case c = random_joint(*find_joint_type("screw"), random, 1);
    const Vec3 n = c.joint.axis.normalized();
    for (double angle : {-100.0, -7.0, 0.3, 3.2, 50.0}) {
        const Mat3 R = exp_so3(angle * n);
        Frame f2{c.joint.at + R * (c.second.r - c.joint.at) +
                     c.joint.pitch * angle / (2 * std::numbers::pi) * n,
                 R * c.second.D};
        double worst = 0;
        NaturalRow row;
        for (const auto& block : c.parts.rows) {
            block->natural(c.first, f2, &row);
            worst = std::max(worst, std::abs(row.value));
        }
        CHECK(worst < 1e-12);
        f2.r += 0.01 * n;
        c.parts.rows.back()->natural(c.first, f2, &row);
        CHECK(row.value == Approx(0.01));
    }
}

TEST_CASE("a discrete gradient follows an angle through half a turn and across the cut of the arc tangent") {
    const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
    const auto angle = angle_measure(x, y, x);
    const Frame ground;
    for (const auto& [from, to] : {std::pair(3.0, 3.3), std::pair(-3.0, -3.3), std::pair(9.3, 9.6),
                                   std::pair(0.1, 3.0), std::pair(31.3, 31.5)}) {
        const Frame f{Vec3::Zero(), exp_so3(from * z)}, e{Vec3::Zero(), exp_so3(to * z)};
        NaturalRow row;
        angle->discrete(ground, f, ground, e, from + 0.2, to - 0.2, row);
        CAPTURE(from, to);
        CHECK(row.value == Approx(to));
        CHECK(gradient(row).dot(packed(ground, e) - packed(ground, f)) == Approx(to - from).margin(1e-13));
    }
}

TEST_CASE(
    "the twist of a bushing is the sine of a turn about its axis and does not see turns about the others") {
    const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
    const auto twist = twist_measure(z, y, y, z); // about x: g = z, f = y
    const Frame ground;
    CHECK(twist->value(ground, {Vec3::Zero(), exp_so3(0.3 * x)}, 0) == Approx(std::sin(0.3)));
    CHECK(twist->value(ground, {Vec3::Zero(), exp_so3(0.3 * y)}, 0) == Approx(0).margin(1e-15));
    CHECK(twist->value(ground, {Vec3::Zero(), exp_so3(0.3 * z)}, 0) == Approx(0).margin(1e-15));
}

TEST_CASE("lengths are lengths, and their quadratic form is one near its zero") {
    const Vec3 s1(0.1, 0, 0), s2(0, 0.2, 0);
    const Frame f1{Vec3::Zero(), Mat3::Identity()}, f2{Vec3(1, 2, 3), exp_so3(Vec3(0, 0, 0.4))};
    const double length = (f2.r + f2.D * s2 - s1).norm();
    CHECK(length_measure(s1, s2)->value(f1, f2, 0) == Approx(length).epsilon(1e-15));
    const double rest = length - 1e-6;
    CHECK(half_square_measure(s1, s2, rest)->value(f1, f2, 0) == Approx(1e-6).epsilon(1e-5));
    Joint joint;
    joint.type = "distance";
    joint.point2 = Vec3(3, 0, 0);
    joint.length = 3.001;
    JointRows rows;
    find_joint_type("distance")->build(JointPlace{joint, Frame{}, Frame{}}, rows);
    NaturalRow row;
    rows.rows[0]->natural(Frame{}, Frame{}, &row);
    CHECK(row.value == Approx(-1e-3).epsilon(1e-3)); // a given length that is not that at t = 0 is a gap
}

TEST_CASE("a leaning disc touches the plane with the lowest point of its rim, which must not slip") {
    Random random(21);
    for (int n = 0; n < 8; ++n) {
        const Case c = random_joint(*find_joint_type("rolling"), random, n);
        const Joint& j = c.joint;
        // Ground and disc anywhere, the disc leaning otherwise than at t = 0.
        const Kinematics k1 = random_motion(moved(c.first, 0.5, random), random);
        const Kinematics k2 = random_motion(moved(c.second, 0.5, random), random);
        const Vec3 normal = k1.D * c.first.D.transpose() * j.normal;
        const Vec3 axis = k2.D * c.second.D.transpose() * j.axis.normalized();
        const Vec3 centre = k2.r + k2.D * c.second.D.transpose() * (j.at - c.second.r);
        // A point of the plane: where the disc touches at t = 0, carried by the ground.
        const auto lowest_of = [&](const Vec3& at, const Vec3& about, const Vec3& up) {
            const Vec3 p = about.unitOrthogonal(), q = about.cross(p);
            const double angle = std::atan2(-q.dot(up), -p.dot(up));
            return Vec3(at + j.radius * (std::cos(angle) * p + std::sin(angle) * q));
        };
        const Vec3 touch = lowest_of(j.at, j.axis.normalized(), j.normal);
        const Vec3 plane = k1.r + k1.D * c.first.D.transpose() * (touch - c.first.r);
        const Vec3 lowest = lowest_of(centre, axis, normal);
        for (int i = 0; i < 360; ++i) { // it is the lowest
            const Vec3 p = axis.unitOrthogonal(), q = axis.cross(p);
            const Vec3 rim = centre + j.radius * (std::cos(i * 0.0175) * p + std::sin(i * 0.0175) * q);
            REQUIRE((rim - lowest).dot(normal) > -1e-14);
        }
        RigidRow rows[3];
        c.parts.rows[0]->rigid(k1, k2, rows);
        CHECK(rows[0].value == Approx((lowest - plane).dot(normal)).margin(1e-14));
        const Vec3 slip = k2.v + k2.w.cross(lowest - k2.r) - k1.v - k1.w.cross(lowest - k1.r);
        const Vec3 in_plane = slip - slip.dot(normal) * normal;
        c.parts.rows[1]->rigid(k1, k2, rows);
        CHECK(std::hypot(rows[0].rate, rows[1].rate) == Approx(in_plane.norm()));
        CHECK(rows[0].value == 0);
    }
}

TEST_CASE("a disc circling at its steady lean satisfies all rows of rolling, with their derivatives") {
    // Lean a, circle b, Omega^2 = m g r tan a / (A sin a + C b/r + m r b): examples/rolling_disc.toml.
    const double a = std::numbers::pi / 9, b = 1.5, r = 0.5, omega = 1.247926043424939;
    Joint joint;
    joint.type = "rolling";
    joint.at = Vec3(b, 0, r * std::cos(a));
    joint.axis = Vec3(std::cos(a), 0, std::sin(a));
    joint.radius = r;
    Kinematics k1, k2;
    k2.r = joint.at;
    k2.v = Vec3(0, b * omega, 0);
    // Precession, and a spin about the axis so that the lowest point, on the circle b + r sin a, rests.
    const double spin = -omega * (b + r * std::sin(a)) / r;
    k2.w = Vec3(0, 0, omega) + spin * joint.axis;
    JointRows rows;
    find_joint_type("rolling")->build(JointPlace{joint, k1, k2}, rows);
    RigidRow row[3];
    rows.rows[0]->rigid(k1, k2, row);
    CHECK(row[0].value == Approx(0).margin(1e-15));
    CHECK(row[0].rate == Approx(0).margin(1e-14));
    rows.rows[1]->rigid(k1, k2, row);
    const Vec3 touch(b + r * std::sin(a), 0, 0);
    const Vec3 slip = k2.v + k2.w.cross(touch - k2.r);
    CHECK(std::hypot(row[0].rate, row[1].rate) == Approx(slip.head<2>().norm()).margin(1e-14));
    CHECK(slip.norm() == Approx(0).margin(1e-13));
}
