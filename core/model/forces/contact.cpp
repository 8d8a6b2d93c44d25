// Contact: a point or sphere of the second body against a plane or a road of the first.
//
// c centre of the sphere, n the normal of the plane (of the road's tangent plane below c), d the distance of c from it:
//   penetration  p = radius - d,  its speed p' = -v.n, v velocity of c relative to the ground
//   normal       N = k p^e (1 + b p') + c p',  nothing where p <= 0, never less than zero
//   friction     -mu N tanh(|u| / speed) u / |u|,  u what of the ground's and the sphere's velocity at the contact point is along the plane
// k stiffness, e exponent (1: linear, 1.5: Hertz), c damping, b dissipation (Hunt and Crossley 1975: no jump where contact begins or ends).
// Against a plane k p^e has the potential k p^(e+1) / (e + 1), an effort along the distance, and energy methods keep its energy; against a
// road all of it is a wrench whose work is counted.
// Of b alone the restitution r at speed v0 follows from v0/b - ln(1 + b v0)/b^2 = -r v0/b - ln(1 - b r v0)/b^2.

#include "core/model/forces/force_types.hpp"

#include "core/math/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon::forces {
namespace {

/// The normal force of a contact at penetration p and its speed p'.
struct NormalLaw {
    double stiffness = 0, exponent = 1, damping = 0, dissipation = 0;

    explicit NormalLaw(const Force& force)
        : stiffness(force.number("stiffness")), exponent(force.number("exponent")),
          damping(force.number("damping")), dissipation(force.number("dissipation")) {}

    double elastic(double p) const {
        return p > 0 ? stiffness * (exponent == 1 ? p : std::pow(p, exponent)) : 0.0;
    }
    double slope(double p) const {
        return p > 0 ? stiffness * (exponent == 1 ? 1.0 : exponent * std::pow(p, exponent - 1)) : 0.0;
    }
    double force(double p, double rate) const {
        return p > 0 ? std::max(elastic(p) * (1 + dissipation * rate) + damping * rate, 0.0) : 0.0;
    }
};

/// The same as an effort along the distance s = radius - p.
class DistanceLaw final : public LoadLaw {
  public:
    DistanceLaw(const NormalLaw& law, double radius) : law_(law), radius_(radius) {}

    double potential(double s) const override {
        const double p = radius_ - s;
        return p > 0 ? law_.elastic(p) * p / (law_.exponent + 1) : 0.0;
    }
    LoadEffort at(double s, double rate) const override {
        const double p = radius_ - s;
        LoadEffort effort;
        effort.elastic = law_.elastic(p);
        const double normal = law_.force(p, -rate);
        effort.loss = normal - effort.elastic;
        if (normal > 0) {
            effort.stiffness = law_.slope(p) * (1 - law_.dissipation * rate);
            effort.damping = effort.elastic * law_.dissipation + law_.damping;
        }
        return effort;
    }
    bool dissipates() const override { return law_.damping != 0 || law_.dissipation != 0; }
    double beyond(double s) const override { return std::max(radius_ - s, 0.0); }

  private:
    NormalLaw law_;
    double radius_;
};

class Contact final : public Wrench {
  public:
    explicit Contact(const ForcePlace& place)
        : name_(place.force.name), surface_(ground(place)), centre_(place.point2(place.force.vector("at"))),
          radius_(place.force.number("radius")), law_(place.force), on_road_(place.force.has("road")),
          friction_(place.force.number("friction") * surface_.friction()),
          speed_(place.force.number("speed")) {}

    Touch at(const Kinematics& first, const Kinematics& second, const Lags&) const override {
        const State s = state(first, second);
        Touch touch;
        touch.acts = s.penetration > 0 && (on_road_ || friction_ > 0);
        if (!touch.acts)
            return touch;
        touch.point = s.point;
        touch.force = s.friction;
        if (on_road_)
            touch.force += s.normal * s.n;
        return touch;
    }

    int results() const override { return 6; }
    void read(const Kinematics& first, const Kinematics& second, const Lags&,
              std::span<double> values) const override {
        const State s = state(first, second);
        const bool touches = s.penetration > 0;
        const std::array<double, 6> all = {touches ? s.penetration : 0.0,
                                           s.normal,
                                           s.friction.x(),
                                           s.friction.y(),
                                           s.friction.z(),
                                           touches ? 1.0 : 0.0};
        std::ranges::copy(all, values.begin());
    }

    void check(double t, const Kinematics& first, const Kinematics& second) const override {
        const Vec3 p = on_ground(first, second.r + second.D * centre_);
        if (surface_.ends_before(p.x()))
            throw Error(ErrorKind::computation,
                        "contact '" + name_ + "' is off the end of road '" + surface_.name() +
                            "' at x = " + digits(p.x()) + " m, t = " + digits(t) + " s; the road is " +
                            surface_.extent() + ": make it longer, or stop earlier",
                        name_);
    }

  private:
    struct State {
        double penetration = 0, normal = 0;
        Vec3 n = Vec3::Zero(), point = Vec3::Zero(), friction = Vec3::Zero();
    };

    /// The plane through `point` along `normal` where no road is named.
    static RoadSurface ground(const ForcePlace& place) {
        if (place.force.has("road"))
            return place.surface();
        const Vec3 normal = place.force.vector("normal").normalized();
        RoadSurface plane(place.force.vector("point"), road_axes(normal.unitOrthogonal(), normal));
        plane.carry(place.first);
        return plane;
    }

    Vec3 on_ground(const Kinematics& first, const Vec3& centre) const {
        return surface_.place().D.transpose() *
               (first.D.transpose() * (centre - first.r) - surface_.place().r);
    }

    State state(const Kinematics& first, const Kinematics& second) const {
        State s;
        const Vec3 c = second.r + second.D * centre_, p = on_ground(first, c);
        const Elevation road = surface_.at(p.x(), p.y());
        const Vec3 normal = Vec3(-road.dx, -road.dy, 1).normalized();
        const double distance = (p.z() - road.z) * normal.z();
        s.penetration = radius_ - distance;
        if (!(s.penetration > 0))
            return s;
        s.n = first.D * (surface_.place().D * normal);
        s.point = c - distance * s.n;
        const Vec3 v =
            second.v + second.w.cross(s.point - second.r) - first.v - first.w.cross(s.point - first.r);
        const double rate = -v.dot(s.n);
        s.normal = law_.force(s.penetration, rate);
        const Vec3 u = v + rate * s.n;
        const double size = u.norm(), x = size / speed_;
        // tanh(x) / x is 1 at rest
        s.friction = -(friction_ * s.normal / speed_ * (x > 1e-8 ? std::tanh(x) / x : 1.0)) * u;
        return s;
    }

    std::string name_;
    RoadSurface surface_;
    Vec3 centre_;
    double radius_;
    NormalLaw law_;
    bool on_road_; ///< against a plane the normal force is an effort along the distance
    double friction_, speed_;
};

void build_contact(const ForcePlace& place, Loads& loads) {
    const Force& force = place.force;
    if (!force.has("road")) {
        MeasureLoad load =
            load_along(point_measure(place.point1(force.vector("point")), place.point2(force.vector("at")),
                                     place.direction1(force.vector("normal").normalized())),
                       force.first, force.second);
        load.law = std::make_unique<DistanceLaw>(NormalLaw(force), force.number("radius"));
        loads.measure.push_back(std::move(load));
    }
    loads.wrench.push_back({std::make_unique<Contact>(place), place.force.first, place.force.second});
}

void check_contact(const Element& element, const Force& force) {
    if (force.has("road") && (force.has("point") || force.has("normal")))
        element.refuse("it is against a road or against the plane of point and normal, not both", "road");
    if (!force.has("road") && !(force.has("point") && force.has("normal")))
        element.refuse("say against what it is: road = \"...\", or point and normal of a plane",
                       force.has("point") ? "point" : "normal");
    if (!force.has("road"))
        element.direction(force.vector("normal"), "normal");
    if (force.number("exponent") < 1)
        element.refuse("exponent must be at least 1 (" + digits(force.number("exponent")) +
                           "): below, the stiffness where contact begins is infinite",
                       "exponent");
}

std::vector<ForceReading> contact_readings(bool) {
    return {{"penetration", "m", "into the plane or road"},
            {"normal", "N", "force on the second body along the normal"},
            {"friction", "N", "force of friction on the second body", 3},
            {"contact", "1", "1 where there is contact, else 0"}};
}

double linear_exponent(const Force&) { return 1; }
double slow(const Force&) { return 0.01; }

} // namespace

ForceType contact() {
    using enum ValueType;
    return {
        .name = "contact",
        .meaning = "a point or sphere of the second body that a plane or road of the first pushes back",
        .keys = {{.name = "bodies",
                  .type = two_bodies,
                  .required = true,
                  .meaning = "what carries the plane or road (\"world\" or a body), and what touches it"},
                 {.name = "at",
                  .type = vector,
                  .unit = "m",
                  .required = true,
                  .meaning = "point, or centre of the sphere, in the world at t = 0",
                  .space = Space::point},
                 {.name = "radius",
                  .type = number,
                  .unit = "m",
                  .fallback = "0: a point",
                  .meaning = "of the sphere",
                  .limit = Limit::not_negative,
                  .parameter = "radius of the sphere"},
                 {.name = "point",
                  .type = vector,
                  .unit = "m",
                  .meaning = "a point of the plane, in the world at t = 0",
                  .space = Space::point},
                 {.name = "normal",
                  .type = vector,
                  .meaning = "of the plane, to the free side, in the world at t = 0",
                  .space = Space::direction},
                 {.name = "road", .type = road, .meaning = "name of the road, instead of point and normal"},
                 {.name = "stiffness",
                  .type = number,
                  .unit = "N/m",
                  .required = true,
                  .meaning = "normal force at 1 m (N/m where exponent is 1)",
                  .limit = Limit::not_negative,
                  .parameter = "normal force per penetration"},
                 {.name = "exponent",
                  .type = number,
                  .fallback = "1",
                  .meaning = "of the penetration; 1.5 for spheres (Hertz)",
                  .limit = Limit::positive,
                  .otherwise = linear_exponent},
                 {.name = "damping",
                  .type = number,
                  .unit = "N s/m",
                  .fallback = "0",
                  .meaning = "normal force per speed of penetration; never pulls",
                  .limit = Limit::not_negative,
                  .parameter = "normal force per speed of penetration"},
                 {.name = "dissipation",
                  .type = number,
                  .unit = "s/m",
                  .fallback = "0",
                  .meaning =
                      "of Hunt and Crossley: the elastic force grows by it times the speed of penetration",
                  .limit = Limit::not_negative,
                  .parameter = "growth of the elastic force per speed of penetration"},
                 {.name = "friction",
                  .type = number,
                  .fallback = "0",
                  .meaning = "coefficient of Coulomb friction",
                  .limit = Limit::not_negative,
                  .parameter = "coefficient of friction"},
                 {.name = "speed",
                  .type = number,
                  .unit = "m/s",
                  .fallback = "0.01",
                  .meaning = "friction is smoothed by tanh(speed of sliding / speed)",
                  .limit = Limit::positive,
                  .otherwise = slow}},
        .build = build_contact,
        .check = check_contact,
        .readings = contact_readings,
        .drawn = {}};
}

} // namespace tenon::forces
