#pragma once
// The registry of joint types: one line a type, one file <type>.cpp each. Nobody else knows a type by name.

#include "core/model/driver.hpp"
#include "core/model/joint.hpp"
#include "core/model/rows.hpp"

#include <string_view>
#include <vector>

namespace tenon {

/// What a joint leaves of the relative orientation of its bodies; the rows for it come after those for points.
enum class Orientation {
    same,  ///< none: the bodies keep their orientation to each other
    axis,  ///< rotation about an axis that both bodies have
    cross, ///< rotation about an axis of each body, at right angles
    free,  ///< all
};

/// A key of joint_keys() as a type takes it.
struct JointKeyUse {
    std::string_view name;
    std::string_view fallback = {}; ///< what stands for it where it is absent; empty: as joint_keys() says
    std::string_view meaning = {};  ///< instead of that in joint_keys()

    JointKeyUse(const char* key) : name(key) {}
    JointKeyUse(const char* key, const char* otherwise, const char* says = "")
        : name(key), fallback(otherwise), meaning(says) {}
};

struct JointType {
    std::string_view name;
    std::string_view meaning; ///< one sentence without its full stop
    std::vector<JointKeyUse> keys;
    /// Adds the rows of the joint; null for gears, which couple the coordinates of two other joints.
    void (*build)(const JointPlace&, JointRows&) = nullptr;
    Orientation orientation = Orientation::free;
    bool has_angle = false;    ///< of the second body about the axis, zero at t = 0
    bool has_distance = false; ///< of the second body along the axis, zero at t = 0
    /// The reaction has a torque at the joint's point; a single point passes on a force only.
    bool has_torque = true;
    bool one_motion = false;     ///< angle and distance are tied
    bool keeps_distance = false; ///< the distance is what it holds, by a row that is a difference of squares
    bool flange = false;         ///< can be seen as a one-dimensional flange
    bool gluable = true;         ///< can join ports of two FMUs
    std::string_view drawn = {}; ///< the viewer's sign for it (tools/viewer/web/glyphs.js); empty: none

    bool takes(std::string_view key) const;
    bool couples_joints() const { return build == nullptr; }
    bool rigid() const { return orientation == Orientation::same && !has_distance; }
    /// A distance and no angle: what friction, springs and flanges act along is a length.
    bool slides() const { return has_distance && !has_angle; }
    /// Whether it is the distance that a driver of such a joint prescribes: the coordinate that it names, else the only one.
    bool driven_along(const Driver& driver) const;
};

const std::vector<JointType>& joint_types();
/// Null where there is no such type.
const JointType* find_joint_type(std::string_view name);
/// Throws Error(model) where there is no such type.
const JointType& type_of(const Joint& joint);
/// Whether there is such a type and it leaves nothing free.
bool is_rigid_type(std::string_view name);

} // namespace tenon
