#include "core/model/joints/joint_types.hpp"

#include "core/model/joints/joint_builders.hpp"

namespace tenon {

const std::vector<JointType>& joint_types() {
    // name, keys of the model file, has an angle, has a distance, builder, passes on a torque
    static const std::vector<JointType> types = {
        {"fixed", {"at"}, false, false, build_fixed},
        {"revolute", {"at", "axis"}, true, false, build_revolute},
        {"prismatic", {"at", "axis"}, false, true, build_prismatic},
        {"cylindrical", {"at", "axis"}, true, true, build_cylindrical},
        {"screw", {"at", "axis", "pitch"}, true, true, build_screw},
        {"spherical", {"at"}, false, false, build_spherical, false},
        {"universal", {"at", "axis", "axis2"}, false, false, build_universal},
        {"planar", {"at", "axis"}, true, false, build_planar},
        {"distance", {"points", "length"}, false, true, build_distance, false},
        {"point_on_line", {"at", "axis"}, false, false, build_point_on_line, false},
        {"point_on_plane", {"at", "axis"}, false, false, build_point_on_plane, false},
        {"gear", {"joints", "ratio"}, false, false, nullptr},
        {"rolling", {"at", "normal", "axis", "radius"}, false, false, build_rolling},
    };
    return types;
}

const JointType* find_joint_type(std::string_view name) {
    for (const JointType& type : joint_types()) {
        if (type.name == name) {
            return &type;
        }
    }
    return nullptr;
}

} // namespace tenon
