// Method compliant, a spring and a damper instead of a joint: lambda = -(k phi + d phi'), constant over a step. Not exact: the joint
// deflects by force over stiffness, and a stiffness that the step cannot follow is unstable.

#include "tools/glue/methods/method_types.hpp"

namespace tenon::glue {
namespace {

class CompliantGroup final : public Group {
  public:
    explicit CompliantGroup(GroupParts parts) : Group(std::move(parts)) {
        for (const GluedJoint* joint : joints_) {
            const auto& numbers = ensemble_.system.system.joints[joint->number].numbers;
            springs_.push_back({numbers.at("stiffness").front(), numbers.at("damping").front()});
        }
    }

    const MethodType& method() const override { return compliant_method; }

    bool begin(double t, double h) override {
        for (std::size_t j = 0; j < joints_.size(); ++j) {
            GluedJoint& joint = *joints_[j];
            joint.c0 = -(springs_[j].stiffness * joint.begin.phi + springs_[j].damping * joint.begin.rate);
            joint.c1.setZero();
        }
        extrapolate_end(t, h);
        place_wrenches(h);
        return true;
    }

    Next look(double t, double h) override {
        evaluate_end(t, h);
        return Next::done;
    }

  private:
    struct Spring {
        double stiffness = 0, damping = 0;
    };
    std::vector<Spring> springs_; ///< of each joint
};

} // namespace

const MethodType compliant_method = {
    .name = "compliant",
    .lack = [](const GluedFmu&) { return std::string(); },
    .make = [](GroupParts parts) -> std::unique_ptr<Group> {
        return std::make_unique<CompliantGroup>(std::move(parts));
    },
    .automatic = false,
    .joint_lack =
        [](const system::GlueJoint& joint) {
            return std::string(joint.numbers.contains("stiffness") && joint.numbers.contains("damping")
                                   ? ""
                                   : "needs 'stiffness' and 'damping'");
        },
    .when_asked = "a spring in place of the joint, which deflects by force over stiffness",
};

} // namespace tenon::glue
