#include "tools/verbs/element_text.hpp"

#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"

#include <fmt/format.h>

namespace tenon::verbs {

const std::string& joint_name(const Model& model, int index) {
    return model.joints[static_cast<std::size_t>(index)].name;
}

std::string between(const Model& model, const Joint& joint) {
    if (type_of(joint).couples_joints())
        return fmt::format("{} - {}", joint_name(model, joint.joint1), joint_name(model, joint.joint2));
    return fmt::format("{} - {}", model.body_name(joint.first), model.body_name(joint.second));
}

std::string acts_on(const Model& model, const Force& force) {
    if (force.joint >= 0)
        return joint_name(model, force.joint);
    if (type_of(force).key(ValueType::body))
        return model.body_name(force.second);
    return fmt::format("{} - {}", model.body_name(force.first), model.body_name(force.second));
}

std::string motion_text(const Driver& driver) {
    if (driver.input)
        return "input";
    if (!driver.table.empty())
        return fmt::format("table, {} points", driver.table.times().size());
    const Formula& f = driver.motion;
    std::string text = fmt::format("{} + {} t", f.offset, f.rate);
    if (f.amplitude != 0)
        text += fmt::format(" + {} sin(2 pi {} t + {})", f.amplitude, f.frequency, f.phase);
    return text;
}

} // namespace tenon::verbs
