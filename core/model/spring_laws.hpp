#pragma once
// What springs, dampers and limits between two bodies or in a joint have besides their numbers.

#include "core/model/law.hpp"
#include "core/model/load_law.hpp"

#include <optional>

namespace tenon {

/// Laws of spring and damper over x = s - free and x', and the stops of x; each may be absent.
class SpringLaws final : public LoadLaw {
  public:
    SpringLaws(double free, const Law& spring, const Law& damper, std::optional<Stop> bump,
               std::optional<Stop> rebound);

    double potential(double s) const override;
    LoadEffort at(double s, double rate) const override { return between(s, s, rate); }
    LoadEffort between(double s0, double s1, double rate) const override;
    bool dissipates() const override;
    double beyond(double s) const override;

  private:
    double free_;
    LawCurve spring_, damper_;
    std::optional<Stop> bump_, rebound_;
};

} // namespace tenon
