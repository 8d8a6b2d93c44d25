// Magic Formula 5.2, pure slip. With dF = (F - FNOMIN) / FNOMIN, slip angle a, slip ratio k, camber g, F the normal force:
//
//   y = D sin(C atan(B x - E (B x - atan(B x)))) + SV,  x = slip + SH,  B = K / (C D)
// lateral       C = pCy1, D = F (pDy1 + pDy2 dF) (1 - pDy3 g^2), E = (pEy1 + pEy2 dF) (1 - (pEy3 + pEy4 g) sgn x)
//               K = pKy1 FNOMIN sin(2 atan(F / (pKy2 FNOMIN))) (1 - pKy3 |g|)
//               SH = pHy1 + pHy2 dF + pHy3 g, SV = F (pVy1 + pVy2 dF + (pVy3 + pVy4 dF) g)
// longitudinal  C = pCx1, D = F (pDx1 + pDx2 dF) (1 - pDx3 g^2), E = (pEx1 + pEx2 dF + pEx3 dF^2) (1 - pEx4 sgn x)
//               K = F (pKx1 + pKx2 dF) exp(pKx3 dF), SH = pHx1 + pHx2 dF, SV = F (pVx1 + pVx2 dF)
// aligning      M = -t Fy + Mr
//               t = Dt cos(Ct atan(Bt x - Et (Bt x - atan(Bt x)))) cos a, x = a + qHz1 + qHz2 dF + (qHz3 + qHz4 dF) g
//               Bt = (qBz1 + qBz2 dF + qBz3 dF^2) (1 + qBz4 g + qBz5 |g|), Ct = qCz1
//               Dt = F (qDz1 + qDz2 dF) (1 + qDz3 g + qDz4 g^2) R0 / FNOMIN
//               Et = (qEz1 + qEz2 dF + qEz3 dF^2) (1 + (qEz4 + qEz5 g) 2/pi atan(Bt Ct x))
//               Mr = Dr cos(atan(Br x)) cos a, x = a + SH + SV / K, Br = qBz9 + qBz10 B C
//               Dr = F ((qDz6 + qDz7 dF) + (qDz8 + qDz9 dF) g) R0
// The road's friction scales D. pKy1 is negative where a positive slip angle gives a negative force, as the axes here have it.
// Source: H. B. Pacejka, Tyre and Vehicle Dynamics, 2nd edition, 2006, chapter 4, without turn slip and scaling factors.

#include "core/model/tyres/tyre_laws.hpp"

#include <cmath>
#include <numbers>

namespace tenon::tyres {
namespace {

double sign_of(double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : 0.0); }
double bent(double bx, double e) { return bx - e * (bx - std::atan(bx)); }

/// D sin(C atan(...)) + SV; D = 0 has no force.
TyreForce formula(double x, double c, double d, double e, double k, double sv) {
    if (d == 0)
        return {0, 0};
    return {d * std::sin(c * std::atan(bent(k / (c * d) * x, e))) + sv, std::abs(d)};
}

class MagicLateral final : public TyreLaw {
  public:
    explicit MagicLateral(const Choice& p)
        : nominal_(p.number("FNOMIN")), r0_(p.number("R0")),
          c_(p.number("pCy1")), d_{p.number("pDy1"), p.number("pDy2"), p.number("pDy3")},
          e_{p.number("pEy1"), p.number("pEy2"), p.number("pEy3"), p.number("pEy4")}, k_{p.number("pKy1"),
                                                                                         p.number("pKy2"),
                                                                                         p.number("pKy3")},
          h_{p.number("pHy1"), p.number("pHy2"), p.number("pHy3")}, v_{p.number("pVy1"), p.number("pVy2"),
                                                                       p.number("pVy3"), p.number("pVy4")},
          bt_{p.number("qBz1"), p.number("qBz2"), p.number("qBz3"), p.number("qBz4"), p.number("qBz5")},
          br_{p.number("qBz9"), p.number("qBz10")},
          ct_(p.number("qCz1")), dt_{p.number("qDz1"), p.number("qDz2"), p.number("qDz3"), p.number("qDz4")},
          dr_{p.number("qDz6"), p.number("qDz7"), p.number("qDz8"), p.number("qDz9")}, et_{p.number("qEz1"),
                                                                                           p.number("qEz2"),
                                                                                           p.number("qEz3"),
                                                                                           p.number("qEz4"),
                                                                                           p.number("qEz5")},
          ht_{p.number("qHz1"), p.number("qHz2"), p.number("qHz3"), p.number("qHz4")} {}

    TyreForce force(const TyreInput& in) const override {
        const Shape s = shape(in);
        const double x = in.slip + s.sh;
        const double e = (e_[0] + e_[1] * s.df) * (1 - (e_[2] + e_[3] * in.camber) * sign_of(x));
        return formula(x, c_, s.d, e, s.k, s.sv);
    }

    double moment(const TyreInput& in, double force) const override {
        const Shape s = shape(in);
        const double a = in.slip, g = in.camber, df = s.df;
        const double x = a + ht_[0] + ht_[1] * df + (ht_[2] + ht_[3] * df) * g;
        const double b = (bt_[0] + df * (bt_[1] + df * bt_[2])) * (1 + bt_[3] * g + bt_[4] * std::abs(g));
        const double d =
            in.normal * (dt_[0] + dt_[1] * df) * (1 + g * (dt_[2] + g * dt_[3])) * r0_ / nominal_;
        const double e = (et_[0] + df * (et_[1] + df * et_[2])) *
                         (1 + (et_[3] + et_[4] * g) * (2 / std::numbers::pi) * std::atan(b * ct_ * x));
        const double trail = d * std::cos(ct_ * std::atan(bent(b * x, e))) * std::cos(a);
        const double shift = s.sh + (s.k == 0 ? 0.0 : s.sv / s.k);
        const double steep = br_[0] + (s.d == 0 ? 0.0 : br_[1] * s.k / s.d); // B C = K / D
        const double rest = in.normal * ((dr_[0] + dr_[1] * df) + (dr_[2] + dr_[3] * df) * g) * r0_ *
                            std::cos(std::atan(steep * (a + shift))) * std::cos(a);
        return -trail * force + rest;
    }

  private:
    struct Shape {
        double df, d, k, sh, sv;
    };
    Shape shape(const TyreInput& in) const {
        const double g = in.camber, df = (in.normal - nominal_) / nominal_;
        const double d = in.normal * (d_[0] + d_[1] * df) * (1 - d_[2] * g * g) * in.friction;
        const double k = k_[0] * nominal_ * std::sin(2 * std::atan(in.normal / (k_[1] * nominal_))) *
                         (1 - k_[2] * std::abs(g));
        return {df, d, k, h_[0] + h_[1] * df + h_[2] * g,
                in.normal * (v_[0] + v_[1] * df + (v_[2] + v_[3] * df) * g)};
    }

    double nominal_, r0_, c_;
    double d_[3], e_[4], k_[3], h_[3], v_[4], bt_[5], br_[2], ct_, dt_[4], dr_[4], et_[5], ht_[4];
};

class MagicLongitudinal final : public TyreLaw {
  public:
    explicit MagicLongitudinal(const Choice& p)
        : nominal_(p.number("FNOMIN")),
          c_(p.number("pCx1")), d_{p.number("pDx1"), p.number("pDx2"), p.number("pDx3")},
          e_{p.number("pEx1"), p.number("pEx2"), p.number("pEx3"), p.number("pEx4")}, k_{p.number("pKx1"),
                                                                                         p.number("pKx2"),
                                                                                         p.number("pKx3")},
          h_{p.number("pHx1"), p.number("pHx2")}, v_{p.number("pVx1"), p.number("pVx2")} {}

    TyreForce force(const TyreInput& in) const override {
        const double g = in.camber, df = (in.normal - nominal_) / nominal_;
        const double x = in.slip + h_[0] + h_[1] * df;
        const double d = in.normal * (d_[0] + d_[1] * df) * (1 - d_[2] * g * g) * in.friction;
        const double e = (e_[0] + df * (e_[1] + df * e_[2])) * (1 - e_[3] * sign_of(x));
        const double k = in.normal * (k_[0] + k_[1] * df) * std::exp(k_[2] * df);
        return formula(x, c_, d, e, k, in.normal * (v_[0] + v_[1] * df));
    }

  private:
    double nominal_, c_;
    double d_[3], e_[4], k_[3], h_[2], v_[2];
};

Key needed(std::string_view name, std::string_view unit, std::string_view meaning,
           Limit limit = Limit::positive) {
    return {.name = name, .unit = unit, .required = true, .meaning = meaning, .limit = limit};
}

void add(std::vector<Key>& keys, std::string_view meaning, std::initializer_list<std::string_view> names) {
    for (std::string_view name : names)
        keys.push_back({.name = name, .fallback = "0", .meaning = meaning});
}

} // namespace

TyreLawType lateral_magic() {
    std::vector<Key> keys = {
        needed("FNOMIN", "N", "nominal load"),
        needed("pCy1", "", "shape"),
        needed("pDy1", "", "friction"),
        needed("pKy1", "", "cornering stiffness, negative", Limit::none),
        needed("pKy2", "", "load of the largest cornering stiffness, per FNOMIN"),
        {.name = "R0", .unit = "m", .fallback = "0", .meaning = "radius, for the torque"}};
    add(keys, "friction with load and camber", {"pDy2", "pDy3"});
    add(keys, "curvature", {"pEy1", "pEy2", "pEy3", "pEy4"});
    add(keys, "cornering stiffness with camber", {"pKy3"});
    add(keys, "horizontal shift", {"pHy1", "pHy2", "pHy3"});
    add(keys, "vertical shift", {"pVy1", "pVy2", "pVy3", "pVy4"});
    add(keys, "slope of the trail", {"qBz1", "qBz2", "qBz3", "qBz4", "qBz5"});
    add(keys, "slope of the residual torque", {"qBz9", "qBz10"});
    add(keys, "shape of the trail", {"qCz1"});
    add(keys, "peak of the trail", {"qDz1", "qDz2", "qDz3", "qDz4"});
    add(keys, "peak of the residual torque", {"qDz6", "qDz7", "qDz8", "qDz9"});
    add(keys, "curvature of the trail", {"qEz1", "qEz2", "qEz3", "qEz4", "qEz5"});
    add(keys, "shift of the trail", {"qHz1", "qHz2", "qHz3", "qHz4"});
    return {
        {.name = "magic", .meaning = "Magic Formula 5.2, lateral force and aligning torque", .keys = keys},
        [](const Choice& given) -> std::unique_ptr<TyreLaw> {
            return std::make_unique<MagicLateral>(given);
        }};
}

TyreLawType longitudinal_magic() {
    std::vector<Key> keys = {needed("FNOMIN", "N", "nominal load"), needed("pCx1", "", "shape"),
                             needed("pDx1", "", "friction"), needed("pKx1", "", "slip stiffness")};
    add(keys, "friction with load and camber", {"pDx2", "pDx3"});
    add(keys, "curvature", {"pEx1", "pEx2", "pEx3", "pEx4"});
    add(keys, "slip stiffness with load", {"pKx2", "pKx3"});
    add(keys, "horizontal shift", {"pHx1", "pHx2"});
    add(keys, "vertical shift", {"pVx1", "pVx2"});
    return {{.name = "magic", .meaning = "Magic Formula 5.2, longitudinal force", .keys = keys},
            [](const Choice& given) -> std::unique_ptr<TyreLaw> {
                return std::make_unique<MagicLongitudinal>(given);
            }};
}

} // namespace tenon::tyres
