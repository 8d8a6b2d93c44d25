// Tyre: a disc or sphere of the second body on a road of the first.
//
// c centre of the wheel, a its spin axis, z(x, y) the road below it, n the normal of the road's tangent plane there, d the distance of
// c from that plane:
//   penetration   p = radius - d (sphere),  radius sqrt(1 - (n.a)^2) - d (disc),  radius n_z - d (point)
//   normal force  N = stiffness p - damping n.v, nothing where p <= 0, never less than zero
//   axes          e_x = a x n / |a x n| forward, e_y = n x e_x
//   slip angle    atan(v.e_y / |v.e_x|*),  slip ratio (l Omega - v.e_x) / |v.e_x|*     l from c to the contact point
//   camber        asin(n.a)
// v velocity of c and Omega spin about a, both relative to the ground. |u|* = |u| from low_speed u0 on, (u0 + u^2 / u0) / 2 below, so
// that a wheel that stands still has a finite slip: there the tyre is a damper of stiffness / (u0 / 2). Camber counts times
// |v.e_x| / |v.e_x|*: a wheel that stands has no camber thrust, and a vehicle at rest nothing that would push it.
// Forces along n, e_y and e_x act at the contact point: below c along n (sphere), along the wheel's plane (disc, point). The law of each
// direction gives its force from N and its slip (core/model/tyres); where both together are more than friction allows,
// (Fx / Lx)^2 + (Fy / Ly)^2 > 1, both are scaled back to that ellipse.
//
// With a relaxation length s the slips follow with a lag, x' = |v.e_x|* / s (slip - x), integrated by the trapezoidal rule over a step:
// x = (x_0 + h/2 (x_0' + r slip)) / (1 + h/2 r), r = |v.e_x|* / s now: second order, known wherever a method evaluates.

#include "core/model/forces/force_types.hpp"
#include "core/model/tyres/tyre_laws.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon::forces {
namespace {

class Tyre final : public Wrench {
  public:
    explicit Tyre(const ForcePlace& place)
        : name_(place.force.name), surface_(place.surface()), centre_(place.point2(place.force.vector("at"))),
          axis_(place.direction2(place.force.vector("axis")).normalized()),
          radius_(place.force.number("radius")), sphere_(place.force.word("shape") == "sphere"),
          point_(place.force.word("shape") == "point"), stiffness_(place.force.number("stiffness")),
          damping_(place.force.number("damping")), low_speed_(place.force.number("low_speed")),
          relaxation_(place.force.number("relaxation_length")),
          lateral_(make_tyre_law(lateral_laws(), place.force.choice("lateral"))),
          longitudinal_(make_tyre_law(longitudinal_laws(), place.force.choice("longitudinal"))) {}

    Touch at(const Kinematics& first, const Kinematics& second, const Lags& lags) const override {
        State s = state(first, second);
        if (!s.touches)
            return {};
        push(s, lags);
        Touch touch;
        touch.acts = true;
        touch.point = s.point;
        touch.force = s.normal * s.n + s.lateral * s.ey + s.longitudinal * s.ex;
        touch.torque = s.moment * s.n;
        return touch;
    }

    int results() const override { return 9; }
    void read(const Kinematics& first, const Kinematics& second, const Lags& lags,
              std::span<double> values) const override {
        State s = state(first, second);
        if (s.touches)
            push(s, lags);
        else
            s.camber = 0;
        const std::array<double, 9> all = {s.touches ? s.penetration : 0.0,
                                           s.normal,
                                           s.lateral,
                                           s.longitudinal,
                                           s.moment,
                                           s.slip[0],
                                           s.slip[1],
                                           s.camber,
                                           s.touches ? 1.0 : 0.0};
        std::ranges::copy(all, values.begin());
    }

    int lags() const override { return relaxation_ > 0 ? 2 : 0; }
    void follow(const Kinematics& first, const Kinematics& second, const Lags& lags, bool settled,
                double* value, double* rate) const override {
        const State s = state(first, second);
        double target[2], r = 0;
        find_slips(s, target, r);
        for (int i = 0; i < 2; ++i) {
            value[i] = settled ? target[i] : lagged(lags, i, target[i], r);
            rate[i] = r * (target[i] - value[i]);
        }
    }

    void check_start(const Kinematics& first, const Kinematics& second) const override {
        const State s = state(first, second);
        if (s.penetration > radius_)
            throw Error(ErrorKind::model,
                        "tyre '" + name_ + "': at the start the wheel is in the road by " +
                            digits(s.penetration) + " m, more than its radius (" + digits(radius_) +
                            " m); place the wheel on the road, or the road under the wheel",
                        name_ + ".at");
    }

    void check(double t, const Kinematics& first, const Kinematics& second) const override {
        const Vec3 p = on_road(first, centre_of(second));
        if (surface_.ends_before(p.x()))
            throw Error(ErrorKind::computation,
                        "tyre '" + name_ + "' is off the end of road '" + surface_.name() +
                            "' at x = " + digits(p.x()) + " m, t = " + digits(t) + " s; the road is " +
                            surface_.extent() + ": make it longer, or stop earlier",
                        name_);
    }

  private:
    struct State {
        bool touches = false;
        double penetration = 0, arm = 0, camber = 0;
        Vec3 n, ex, ey, v, point;
        double spin = 0;
        double along = 0, across = 0, speed = 0; ///< of the centre; |v.e_x|*
        double normal = 0, lateral = 0, longitudinal = 0, moment = 0;
        double slip[2] = {0, 0};
    };

    Vec3 centre_of(const Kinematics& second) const { return second.r + second.D * centre_; }
    Vec3 on_road(const Kinematics& first, const Vec3& centre) const {
        return surface_.place().D.transpose() *
               (first.D.transpose() * (centre - first.r) - surface_.place().r);
    }

    State state(const Kinematics& first, const Kinematics& second) const {
        State s;
        const Vec3 c = centre_of(second), p = on_road(first, c);
        const Elevation road = surface_.at(p.x(), p.y());
        const Vec3 normal = Vec3(-road.dx, -road.dy, 1).normalized();
        const double distance = (p.z() - road.z) * normal.z();
        s.n = first.D * (surface_.place().D * normal);
        const Vec3 a = second.D * axis_;
        const double lean = std::clamp(s.n.dot(a), -1.0, 1.0);
        const double upright = std::sqrt(1 - lean * lean);
        s.penetration = radius_ * (sphere_ ? 1.0 : point_ ? normal.z() : upright) - distance;
        s.camber = std::asin(lean);
        s.touches = s.penetration > 0 && upright > least_upright;
        if (upright <= least_upright)
            return s;
        s.ex = a.cross(s.n) / upright;
        s.ey = s.n.cross(s.ex);
        s.v = second.v + second.w.cross(c - second.r) - first.v - first.w.cross(c - first.r);
        s.arm = sphere_ ? distance : distance / upright;
        s.point = sphere_ ? Vec3(c - distance * s.n) : Vec3(c - (s.arm / upright) * (s.n - lean * a));
        s.spin = (second.w - first.w).dot(a);
        s.along = s.v.dot(s.ex);
        s.across = s.v.dot(s.ey);
        const double size = std::abs(s.along);
        s.speed = size < low_speed_ ? 0.5 * (low_speed_ + size * size / low_speed_) : size;
        return s;
    }

    /// What the slips are without lag, and how fast they are followed.
    void find_slips(const State& s, double (&slip)[2], double& follow) const {
        slip[0] = s.touches ? std::atan2(s.across, s.speed) : 0.0;
        slip[1] = s.touches ? (s.arm * s.spin - s.along) / s.speed : 0.0;
        follow = relaxation_ > 0 ? s.speed / relaxation_ : 0.0;
    }

    static double lagged(const Lags& lags, int i, double target, double follow) {
        if (!lags.value)
            return target;
        const double half = 0.5 * lags.since;
        return (lags.value[i] + half * (lags.rate[i] + follow * target)) / (1 + half * follow);
    }

    void push(State& s, const Lags& lags) const {
        s.normal = std::max(stiffness_ * s.penetration - damping_ * s.v.dot(s.n), 0.0);
        double follow = 0;
        find_slips(s, s.slip, follow);
        if (relaxation_ > 0)
            for (int i = 0; i < 2; ++i)
                s.slip[i] = lagged(lags, i, s.slip[i], follow);
        if (!(s.normal > 0))
            return;
        const double camber = s.camber * std::abs(s.along) / s.speed;
        const TyreInput across{s.normal, s.slip[0], s.across, camber, surface_.friction()};
        const TyreInput along{s.normal, s.slip[1], s.along - s.arm * s.spin, camber, surface_.friction()};
        const TyreForce fy = lateral_ ? lateral_->force(across) : TyreForce{};
        const TyreForce fx = longitudinal_ ? longitudinal_->force(along) : TyreForce{};
        const double used = square(share(fx)) + square(share(fy));
        const double scale = used > 1 ? 1 / std::sqrt(used) : 1.0;
        s.lateral = scale * fy.value;
        s.longitudinal = scale * fx.value;
        s.moment = lateral_ ? lateral_->moment(across, s.lateral) : 0.0;
    }

    static double square(double x) { return x * x; }
    static double share(const TyreForce& force) { return force.limit > 0 ? force.value / force.limit : 0.0; }

    static constexpr double least_upright = 1e-3; ///< a wheel that lies flat does not roll

    std::string name_;
    RoadSurface surface_;
    Vec3 centre_, axis_;
    double radius_;
    bool sphere_, point_;
    double stiffness_, damping_, low_speed_, relaxation_;
    std::unique_ptr<TyreLaw> lateral_, longitudinal_;
};

void build_tyre(const ForcePlace& place, Loads& loads) {
    loads.wrench.push_back({std::make_unique<Tyre>(place), place.force.first, place.force.second});
}

std::vector<ForceReading> tyre_readings(bool) {
    return {
        {"penetration", "m", "of the wheel into the road, along the road's normal"},
        {"normal", "N", "force on the wheel along the road's normal"},
        {"lateral", "N", "force on the wheel to its left, along the road"},
        {"longitudinal", "N", "force on the wheel forward, along the road"},
        {"aligning", "N.m", "torque on the wheel about the road's normal"},
        {"slip_angle", "rad", "angle of the centre's velocity to the wheel's plane, positive to the left"},
        {"slip_ratio", "1", "(radius x spin - speed) / speed, positive where the wheel drives"},
        {"camber", "rad", "of the spin axis over the road, positive where the wheel leans to the right"},
        {"contact", "1", "1 where the wheel touches the road, else 0"}};
}

double one_metre_per_second(const Force&) { return 1; }

} // namespace

ForceType tyre() {
    using enum ValueType;
    return {.name = "tyre",
            .meaning = "a wheel on a road: it is pushed up, and held by its slip",
            .keys = {{.name = "bodies",
                      .type = two_bodies,
                      .required = true,
                      .meaning = "ground (\"world\", or a body that carries the road) and wheel"},
                     {.name = "road",
                      .type = road,
                      .fallback = "flat, z = 0",
                      .meaning = "name of the road under it"},
                     {.name = "at",
                      .type = vector,
                      .unit = "m",
                      .required = true,
                      .meaning = "centre of the wheel, in the world at t = 0",
                      .space = Space::point},
                     {.name = "axis",
                      .type = vector,
                      .required = true,
                      .meaning = "spin axis, to the left of the direction of travel, in the world at t = 0",
                      .space = Space::direction,
                      .limit = Limit::direction},
                     {.name = "radius",
                      .type = number,
                      .unit = "m",
                      .required = true,
                      .meaning = "of the wheel without load",
                      .limit = Limit::positive,
                      .parameter = "radius without load"},
                     {.name = "shape",
                      .type = word,
                      .fallback = "\"disc\"",
                      .meaning = "a thin disc; a sphere, which does not feel camber; or a disc whose"
                                 " penetration is that straight below the centre",
                      .words = {"disc", "sphere", "point"}},
                     {.name = "stiffness",
                      .type = number,
                      .unit = "N/m",
                      .required = true,
                      .meaning = "normal force per penetration",
                      .limit = Limit::not_negative,
                      .parameter = "normal force per penetration"},
                     {.name = "damping",
                      .type = number,
                      .unit = "N s/m",
                      .fallback = "0",
                      .meaning = "normal force per speed of penetration; never pulls",
                      .limit = Limit::not_negative,
                      .parameter = "normal force per speed of penetration"},
                     {.name = "lateral",
                      .type = choice,
                      .fallback = "none",
                      .meaning = "law of the lateral force, see below",
                      .choices = lateral_choices},
                     {.name = "longitudinal",
                      .type = choice,
                      .fallback = "none",
                      .meaning = "law of the longitudinal force, see below",
                      .choices = longitudinal_choices},
                     {.name = "low_speed",
                      .type = number,
                      .unit = "m/s",
                      .fallback = "1",
                      .meaning = "below it slips are taken as at a higher speed, so that a wheel can stand",
                      .limit = Limit::positive,
                      .otherwise = one_metre_per_second},
                     {.name = "relaxation_length",
                      .type = number,
                      .unit = "m",
                      .fallback = "0",
                      .meaning = "way over which the slips follow",
                      .limit = Limit::not_negative},
                     {.name = "origin",
                      .type = vector,
                      .unit = "m",
                      .meaning = "a point of the flat road, in the world at t = 0",
                      .space = Space::point,
                      .in_file = false},
                     {.name = "axes",
                      .type = orientation,
                      .meaning = "axes of the flat road, in the world at t = 0, as columns",
                      .space = Space::axes,
                      .in_file = false}},
            .build = build_tyre,
            .readings = tyre_readings,
            .drawn = "tyre"};
}

} // namespace tenon::forces
