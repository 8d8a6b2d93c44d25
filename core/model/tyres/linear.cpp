// Linear laws.
//
//   lateral        F = -(cornering a + camber g),  moment -trail F, the force acts behind the centre
//   longitudinal   F = stiffness k
// With a coefficient of friction mu the force bends over to mu N friction:  mu N friction g(F / (mu N friction)), g the saturation
// x - x|x|/3 + x^3/27 of slope 1 at zero. Without it nothing bounds it.

#include "core/model/tyres/tyre_laws.hpp"

namespace tenon::tyres {
namespace {

/// `mu` 0: no bound.
TyreForce bounded(double force, double mu, const TyreInput& in) {
    if (mu == 0)
        return {force};
    const double limit = mu * in.friction * in.normal;
    return limit > 0 ? TyreForce{limit * saturation(force / limit), limit} : TyreForce{0, 0};
}

class LinearLateral final : public TyreLaw {
  public:
    explicit LinearLateral(const Choice& given)
        : cornering_(given.number("cornering")), camber_(given.number("camber")),
          trail_(given.number("trail")), mu_(given.number("mu")) {}
    TyreForce force(const TyreInput& in) const override {
        return bounded(-(cornering_ * in.slip + camber_ * in.camber), mu_, in);
    }
    double moment(const TyreInput&, double force) const override { return -trail_ * force; }

  private:
    double cornering_, camber_, trail_, mu_;
};

class LinearLongitudinal final : public TyreLaw {
  public:
    explicit LinearLongitudinal(const Choice& given)
        : stiffness_(given.number("stiffness")), mu_(given.number("mu")) {}
    TyreForce force(const TyreInput& in) const override { return bounded(stiffness_ * in.slip, mu_, in); }

  private:
    double stiffness_, mu_;
};

Key bound_key() {
    return {.name = "mu",
            .fallback = "no bound",
            .meaning = "coefficient of friction that bounds the force",
            .limit = Limit::positive};
}

} // namespace

TyreLawType lateral_linear() {
    return {{.name = "linear",
             .meaning = "proportional to slip angle and camber, whatever the load",
             .keys = {{.name = "cornering",
                       .unit = "N/rad",
                       .required = true,
                       .meaning = "force per slip angle",
                       .limit = Limit::not_negative},
                      {.name = "camber", .unit = "N/rad", .fallback = "0", .meaning = "force per camber"},
                      {.name = "trail",
                       .unit = "m",
                       .fallback = "0",
                       .meaning = "how far behind the contact point it acts"},
                      bound_key()}},
            [](const Choice& given) -> std::unique_ptr<TyreLaw> {
                return std::make_unique<LinearLateral>(given);
            }};
}

TyreLawType longitudinal_linear() {
    return {{.name = "linear",
             .meaning = "proportional to the slip ratio, whatever the load",
             .keys = {{.name = "stiffness",
                       .unit = "N",
                       .required = true,
                       .meaning = "force per slip ratio",
                       .limit = Limit::not_negative},
                      bound_key()}},
            [](const Choice& given) -> std::unique_ptr<TyreLaw> {
                return std::make_unique<LinearLongitudinal>(given);
            }};
}

} // namespace tenon::tyres
