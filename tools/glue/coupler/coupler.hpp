#pragma once
// An instance of the coupler. It has no state: its outputs follow from its inputs and the time.

#include "tools/glue/coupler/coupler_data.hpp"

#include <memory>

namespace tenon::glue {

class Coupler {
  public:
    /// Throws Error(model).
    explicit Coupler(CouplerData data);

    const CouplerData& data() const { return data_; }
    double time = 0;

    /// Both throw Error(usage) for references that do not exist; set() also for outputs.
    double get(std::size_t reference);
    void set(std::size_t reference, double value);
    void reset();

    /// All values, for copies of the instance.
    const std::vector<double>& values() const { return values_; }
    void restore(const std::vector<double>& values);

  private:
    /// Where the variables of a side begin; none of the world.
    struct SidePlace {
        bool is_port = false;
        std::size_t motion = 0, effort = 0;
    };

    std::size_t checked(std::size_t reference) const;
    /// Nobody has given this side's motion yet: tools that know no start values begin with zeros, which are no rotation.
    bool is_unset(const SidePlace& side, const PortMotion& start) const;
    PortMotion motion(const SidePlace& side, const PortMotion& start) const;
    void evaluate();

    CouplerData data_;
    std::vector<CouplerVariable> variables_;
    std::vector<double> values_;
    std::array<SidePlace, 2> sides_;
    std::size_t motions_, efforts_; ///< values of a side
    PortJoint joint_;
    PortJointRows rows_;
    bool evaluated_ = false;
    double evaluated_time_ = 0;
};

} // namespace tenon::glue
