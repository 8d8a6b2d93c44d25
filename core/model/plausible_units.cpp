#include "core/model/plausible_units.hpp"

#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"

#include <cmath>
#include <numbers>

namespace tenon {
namespace {

/// Gravity in mm/s2.
constexpr double least_milligravity = 9.7e3, most_milligravity = 9.9e3;

/// Nobody turns a joint by whole multiples of 15 radians; 15, 30, 45, ... are degrees.
bool is_degrees(double angle) { return std::abs(angle) >= 15 && std::remainder(angle, 15) == 0; }

class Units {
  public:
    explicit Units(std::vector<Doubt>& doubts) : doubts_(doubts) {}

    void examine(const Model& model) {
        const double g = model.gravity.norm();
        if (g > least_milligravity && g < most_milligravity)
            doubts_.push_back({"model.gravity", "gravity is " + about(g) +
                                                    " m/s2; it is given in m/s2: did you mean " +
                                                    about(Vec3(1e-3 * model.gravity)) + "?"});
        for (const Driver& driver : model.drivers)
            examine(driver, model);
        for (const Force& force : model.forces)
            examine(force, model);
    }

  private:
    static const JointType& type_at(const Model& model, int joint) {
        return type_of(model.joints[static_cast<std::size_t>(joint)]);
    }

    void examine_angle(std::string_view kind, const std::string& name, std::string_view key,
                       std::string_view what, double angle) {
        if (is_degrees(angle))
            doubts_.push_back(
                {name + "." + std::string(key),
                 std::string(kind) + " '" + name + "': " + std::string(what) + " is " + digits(angle) +
                     " rad, " + about(std::abs(angle) / (2 * std::numbers::pi)) +
                     " turns; angles are in radians: did you mean " + about(angle * std::numbers::pi / 180) +
                     " (" + digits(angle) + " degrees)?"});
    }

    void examine(const Driver& driver, const Model& model) {
        if (driver.input || !driver.table.empty())
            return;
        examine_angle("driver", driver.name, "motion", "phase", driver.motion.phase);
        if (!type_at(model, driver.joint).driven_along(driver))
            examine_angle("driver", driver.name, "motion", "offset", driver.motion.offset);
    }

    void examine(const Force& force, const Model& model) {
        for (const Key& key : type_of(force).keys)
            if (key.type == ValueType::number && key.unit == "rad" && force.has(key.name) &&
                force.joint >= 0 && !type_at(model, force.joint).slides())
                examine_angle("force", force.name, key.name, key.name, force.number(key.name));
    }

    std::vector<Doubt>& doubts_;
};

} // namespace

void doubt_units(const Model& model, std::vector<Doubt>& doubts) { Units(doubts).examine(model); }

} // namespace tenon
