#pragma once
// A model compiled: bodies at their centres of mass, joints and drivers as rows, loads as functions of the bodies'
// kinematics. Both faces (rigid and natural) evaluate this; it holds no state but what a step began with.

#include "core/equations/state.hpp"
#include "core/math/graph_kkt.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/model.hpp"
#include "core/model/quantity.hpp"
#include "core/model/rows.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon {

/// Where angles are expected and what inputs are: what evaluation needs besides time, positions and velocities.
struct Memory {
    double time = 0;
    Vector angle, angle_rate;
    Vector lag, lag_rate; ///< of wrenches whose values lag; empty: they are settled
    std::vector<InputPolynomial> inputs;

    /// The angle of slot `slot` expected at time t; decides on which turn it is.
    double near(int slot, double t) const {
        return slot < 0 ? 0.0 : angle[slot] + angle_rate[slot] * (t - time);
    }
    Derivatives input(int index, double t) const;
    Lags lags(const WrenchLoad& load, double t) const {
        return lag.size() == 0 ? Lags{} : Lags{lag.data() + load.lag, lag_rate.data() + load.lag, t - time};
    }
    /// The value of an input; zero for none.
    double given(int index, double t) const { return index < 0 ? 0.0 : input(index, t).value; }
};

/// What input and command give a load at time t.
inline double given(const MeasureLoad& load, double t, const Memory& memory) {
    return load.given(t, memory.given(load.input, t));
}

/// Force and torque of an applied load at time t, in its own axes.
void applied_wrench(const AppliedLoad& load, double t, const Memory& memory, Vec3& force, Vec3& torque);

struct MechanismBody {
    std::string name;
    double mass = 0;
    Mat3 inertia = Mat3::Zero(); ///< body axes, about the centre of mass
    Vec3 com = Vec3::Zero();     ///< body frame: the origin of the body frame is at r - D com
    Frame start;
};

struct MechanismLink {
    int joint = -1; ///< in the model
    int first = -1, second = -1;
    int row = 0, rows = 0; ///< drivers' rows included, last
    JointRows parts;
    int angle_slot = -1;
};

struct DriverRow {
    int driver = -1; ///< in the model
    int row = -1;
    int input = -1; ///< index of its input or -1
    Coordinate coordinate;
};

/// second - ratio first = 0.
struct GearRow {
    int joint = -1;
    int row = -1;
    int gradient = 0; ///< of its first body in the coupling gradients
    double ratio = 1;
    Coordinate first, second;
};

struct InputVariable {
    std::string name, unit, description;
    double start = 0;
    int group = -1;                     ///< the group of bodies that it has feedthrough to; -1 for motions
    std::optional<Quantity> array = {}; ///< of the first of three: the vector
};

class Mechanism {
  public:
    explicit Mechanism(const Model& model);

    const Model& model() const { return model_; }
    int bodies() const { return static_cast<int>(body_.size()); }
    int rows() const { return rows_; }
    int slots() const { return static_cast<int>(slots_.size()); }
    const std::vector<MechanismBody>& body() const { return body_; }
    const std::vector<MechanismLink>& links() const { return link_; }
    const std::vector<DriverRow>& drivers() const { return driver_; }
    const std::vector<GearRow>& gears() const { return gear_; }
    const std::vector<InputVariable>& inputs() const { return input_; }
    /// Bodies joined to each other, directly or through others but not through the world, are a group.
    int group_of_body(int body) const { return body < 0 ? -1 : group_[static_cast<std::size_t>(body)]; }
    int group_of_joint(int joint) const;
    bool group_follows_time(int group) const { return timed_[static_cast<std::size_t>(group)] != 0; }
    const std::vector<Coordinate>& slot_coordinates() const { return slots_; }
    const Loads& loads() const { return loads_; }
    /// Numbers that lag behind others, of all wrenches together.
    int lags() const { return lags_; }
    /// Fills values and rates of all that lags at time t; `settled`: as in a steady state.
    void follow_lags(const std::vector<Kinematics>& k, double t, const Memory& memory, bool settled,
                     Vector& value, Vector& rate) const;
    /// Refuses a start, or a time, at which a wrench cannot act.
    void check_wrenches(const std::vector<Kinematics>& k, double t, bool start) const;
    /// The results of a force of the model, and their values (in order, without gaps) at time t. `efforts` is space for
    /// those that the force consists of.
    std::vector<ForceReading> force_readings(int force) const;
    std::size_t force_efforts(int force) const { return force_loads_[force].second; }
    void read_force(int force, const std::vector<Kinematics>& k, double t, const Memory& memory,
                    std::span<Effort> efforts, std::span<double> values) const;
    /// Index of the link of a joint of the model; -1 for gears.
    int link_of_joint(int joint) const { return link_of_joint_[joint]; }
    Coordinate angle_of(int joint) const;
    Coordinate distance_of(int joint) const;
    /// The angle of a revolute, the distance of a prismatic joint.
    Coordinate flange_coordinate(const Flange& flange) const { return coordinate(flange.joint); }

    /// Index of the input that a flange brings.
    int flange_input(const Flange& flange) const;

    std::string row_name(int row) const;
    bool row_holonomic(int row) const { return row_holonomic_[row] != 0; }
    bool row_angular(int row) const { return row_angular_[row] != 0; }
    /// Model joint of a row, -1 for drivers.
    int row_joint(int row) const { return row_joint_[row]; }

    Derivatives driver_signal(const DriverRow& driver, double t, const Memory& memory) const;
    std::vector<GraphKkt::Link> graph_links() const;
    std::vector<GraphKkt::Coupling> graph_couplings() const;
    int coupling_gradients() const { return 4 * static_cast<int>(gear_.size()); }

    const Kinematics& at(const std::vector<Kinematics>& k, int body) const {
        return body < 0 ? world_ : k[body];
    }

  private:
    void add_bodies();
    void add_joints();
    void add_drivers();
    void add_gears();
    void add_loads();
    void find_groups();
    int add_input(const std::string& name, const std::string& unit, const std::string& description,
                  double start);
    Frame start_of(int body) const { return body < 0 ? Frame{} : body_[body].start; }
    /// The angle of a joint, or else its distance.
    Coordinate coordinate(int joint) const;

    Model model_;
    std::vector<MechanismBody> body_;
    std::vector<MechanismLink> link_;
    std::vector<int> link_of_joint_;
    std::vector<DriverRow> driver_;
    std::vector<GearRow> gear_;
    std::vector<InputVariable> input_;
    std::vector<Coordinate> slots_;
    Loads loads_;
    /// Of each force of the model, where its efforts begin in loads_.measure and how many they are.
    std::vector<std::pair<std::size_t, std::size_t>> force_loads_;
    std::vector<std::pair<std::size_t, std::size_t>> force_wrenches_; ///< the same in loads_.wrench
    int lags_ = 0;
    std::vector<int> group_;  ///< by body
    std::vector<char> timed_; ///< by group
    std::vector<char> row_holonomic_, row_angular_;
    std::vector<int> row_joint_, row_driver_;
    int rows_ = 0;
    Kinematics world_;
};

} // namespace tenon
