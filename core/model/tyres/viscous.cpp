// Viscous laws: F = -coefficient u, u the sliding velocity v_y of the centre, or v_x - radius Omega along the wheel.

#include "core/model/tyres/tyre_laws.hpp"

namespace tenon::tyres {
namespace {

class Viscous final : public TyreLaw {
  public:
    explicit Viscous(const Choice& given) : coefficient_(given.number("coefficient")) {}
    TyreForce force(const TyreInput& in) const override { return {-coefficient_ * in.sliding}; }

  private:
    double coefficient_;
};

TyreLawType viscous(std::string_view meaning) {
    return {{.name = "viscous",
             .meaning = meaning,
             .keys = {{.name = "coefficient",
                       .unit = "N s/m",
                       .required = true,
                       .meaning = "force per sliding velocity",
                       .limit = Limit::not_negative}}},
            [](const Choice& given) -> std::unique_ptr<TyreLaw> { return std::make_unique<Viscous>(given); }};
}

} // namespace

TyreLawType lateral_viscous() {
    return viscous("proportional to the lateral velocity of the wheel's centre");
}
TyreLawType longitudinal_viscous() {
    return viscous("proportional to the sliding velocity v - radius Omega");
}

} // namespace tenon::tyres
