// Lateral force of the Calspan tyre (as vehicle benchmarks of the 1990s give it), slip angle a, camber g, normal force F:
//
//   f = (B1 F + B3 + B4 F^2) SN friction                       coefficient of friction
//   D = A1 F (F - A2) - A0 A2,  a_g = -A2 A3 (A4 - F) F / (A4 D) g
//   s = D / (A2 f F) (a + a_g),  force = f F g(s)              g(s) = s - s |s| / 3 + s^3 / 27, sign(s) from |s| = 3 on
//   moment = (AF1 F + AF2 |force|) force                       about the road's normal
// Above F = OmegaT A2 cornering and camber stiffness, D / A2 and D a_g / A2, stay what they are there.

#include "core/model/tyres/tyre_laws.hpp"

#include <algorithm>
#include <cmath>

namespace tenon::tyres {
namespace {

class Calspan final : public TyreLaw {
  public:
    explicit Calspan(const Choice& given)
        : a0_(given.number("A0")), a1_(given.number("A1")), a2_(given.number("A2")), a3_(given.number("A3")),
          a4_(given.number("A4")), b1_(given.number("B1")), b3_(given.number("B3")), b4_(given.number("B4")),
          sn_(given.number("SN", 1)), af1_(given.number("AF1")), af2_(given.number("AF2")),
          most_(given.number("OmegaT", 1) * a2_) {}

    TyreForce force(const TyreInput& in) const override {
        const double normal = in.normal, held = std::min(normal, most_);
        const double limit =
            std::max((b1_ * normal + b3_ + b4_ * normal * normal) * sn_ * in.friction, 0.0) * normal;
        if (!(limit > 0))
            return {0, 0};
        const double cornering = (a1_ * held * (held - a2_) - a0_ * a2_) / a2_;
        const double camber = -a3_ * (a4_ - held) * held / a4_;
        return {limit * saturation((cornering * in.slip + camber * in.camber) / limit), limit};
    }

    double moment(const TyreInput& in, double force) const override {
        return (af1_ * in.normal + af2_ * std::abs(force)) * force;
    }

  private:
    double a0_, a1_, a2_, a3_, a4_, b1_, b3_, b4_, sn_, af1_, af2_, most_;
};

Key coefficient(std::string_view name, std::string_view unit, std::string_view meaning,
                Limit limit = Limit::none) {
    return {.name = name, .unit = unit, .required = true, .meaning = meaning, .limit = limit};
}

} // namespace

TyreLawType calspan() {
    return {{.name = "calspan",
             .meaning = "Calspan's lateral force and aligning torque",
             .keys = {coefficient("A0", "N/rad", "cornering stiffness without load"),
                      coefficient("A1", "1/rad", "growth of the cornering stiffness"),
                      coefficient("A2", "N", "load at which the cornering stiffness is A0 again",
                                  Limit::positive),
                      coefficient("A3", "1/rad", "growth of the camber stiffness"),
                      coefficient("A4", "N", "load at which the camber stiffness is zero", Limit::positive),
                      coefficient("B1", "1/N", "of the coefficient of friction, with the load"),
                      coefficient("B3", "", "of the coefficient of friction, constant"),
                      coefficient("B4", "1/N2", "of the coefficient of friction, with the load's square"),
                      {.name = "SN", .fallback = "1", .meaning = "skid number: scales the friction"},
                      {.name = "AF1", .unit = "m/N", .fallback = "0", .meaning = "trail per load"},
                      {.name = "AF2", .unit = "m/N", .fallback = "0", .meaning = "trail per lateral force"},
                      {.name = "OmegaT",
                       .fallback = "1",
                       .meaning = "part of A2 above which the stiffnesses stay",
                       .limit = Limit::positive}}},
            [](const Choice& given) -> std::unique_ptr<TyreLaw> { return std::make_unique<Calspan>(given); }};
}

} // namespace tenon::tyres
