#pragma once
// Joints that are coupled through FMUs, and the FMUs between them: they are solved as one. What all methods share is here: rows
// along the step, wrenches from multipliers, compliance between joints.

#include "core/math/block_lu.hpp"
#include "tools/glue/glued_fmu.hpp"
#include "tools/glue/joint_basis.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace tenon {
class ByteReader;
class ByteWriter;
} // namespace tenon

namespace tenon::glue {

struct MethodType;

/// A joint in the run. Multipliers are linear over a step, lambda(s) = c0 + c1 s, or cubic.
struct GluedJoint {
    struct End {
        GluedFmu* fmu = nullptr; ///< null: the world
        std::size_t port = 0;
    };
    std::size_t number = 0; ///< in the system
    PortJoint joint;
    std::array<End, 2> sides;
    std::array<bool, 2> own_work{};                       ///< the port's aux.work is the work of this joint
    PortJointRows begin{}, middle{}, end{};               ///< rows along the step
    RowVector c0{}, c1{}, c2{}, c3{};                     ///< of the step under way
    RowVector last_c0{}, last_c1{}, last_c2{}, last_c3{}; ///< of the last one that was accepted
    std::array<WrenchCurve, 2> wrench{};

    int rows() const { return joint.rows(); }
    RowVector multipliers(double s) const { return c0 + s * (c1 + s * (c2 + s * c3)); }
    /// At the end of the last step that was accepted.
    RowVector last_multipliers() const { return last_c0 + last_c1 + last_c2 + last_c3; }
    std::array<RowVector*, 4> last() { return {&last_c0, &last_c1, &last_c2, &last_c3}; }
    const PortMotion& motion_begin(int side) const;
    const PortMotion& motion_end(int side) const;
    /// Rows at the end of the step from t to t + h. An angle that is driven is on the turn where the rates at both ends bring it.
    void evaluate_end(double t, double h);
    /// By how much a driven coordinate is off at the end.
    double late() const { return joint.driven() ? end.phi[rows() - 1] : 0; }
    /// B of a side.
    static const RowMatrix& gradient(const PortJointRows& rows, int side) {
        return side == 0 ? rows.Ba : rows.Bb;
    }
};

using RowTransform = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most_rows, most_rows>;

/// What all groups go by.
struct GlueSettings {
    double tolerance = 1e-8;
    bool converged = false; ///< iterate until the gap is below the tolerance
    bool cubic = false;     ///< cubic multipliers
    bool adaptive = false;  ///< steps by the estimated error
    double length = 1;      ///< metres that a radian counts for
};

/// What a group is made of.
struct GroupParts {
    master::Ensemble& ensemble;
    std::vector<GluedJoint*> joints;
    std::vector<GluedFmu*> fmus;
    const GlueSettings& settings;
    bool automatic = false; ///< the method was chosen by us, and may be changed during the run
};

class Group {
  public:
    explicit Group(GroupParts parts);
    virtual ~Group() = default;

    virtual const MethodType& method() const = 0;
    /// Multipliers for the step from t to t + h as far as they are known before it; wrenches on the ports. False: an FMU failed.
    virtual bool begin(double t, double h) = 0;
    enum class Next { done, again, failed };
    /// After the FMUs have stepped: `again` where they are to be stepped once more, from the start, along new wrenches.
    virtual Next look(double t, double h) = 0;
    /// The step is over.
    virtual void accept(double t, double h);
    /// Ports have jumped at t, or feel other masses: multipliers, accelerations and compliance are found anew. False: an FMU failed.
    virtual bool restart(double t) { return solve_start(t); }
    /// Joint j of the group has other rows from now on, with multipliers T times those of before.
    virtual void change_rows(std::size_t j, const RowTransform& T);
    /// What was learned from earlier steps is dropped; false where there was nothing.
    virtual bool forget() { return false; }
    virtual void write(ByteWriter& bytes) const;
    virtual void read(ByteReader& bytes);

    const std::vector<GluedFmu*>& fmus() const { return fmus_; }
    const std::vector<GluedJoint*>& joints() const { return joints_; }
    int deficiency() const { return basis_.deficiency(); }
    const JointBasis& basis() const { return basis_; }
    /// Of begin() or look(): an FMU that failed, or the joint that stays open.
    master::Failure failure(double h) const { return failure_ ? failure_ : open_joint(0, 0, h); }
    /// Error of the last step as a length, estimated; 0 where there is no estimate.
    double error() const { return error_; }
    int corrections() const { return corrections_; }
    /// Smaller steps would hold one look of an FMU at the forces; 0 where that is not known.
    double least_step() const { return least_step_; }
    std::string names() const; ///< "joint 'pin'", "joints 'left', 'right'"

    /// Multipliers at t from the accelerations, with the slope that they had; unchanged where FMUs tell none. False: an FMU failed.
    bool solve_start(double t);

  protected:
    struct Pair {
        int i = 0, j = 0; ///< joints of the group
        GluedFmu* fmu = nullptr;
        int side_i = 0, side_j = 0;
        Eigen::Index first_i = 0, first_j = 0; ///< coordinates of the ports in the compliance
    };

    /// B_i H B_j^T of a pair, in the upper left of `block`.
    static void couple(const PortJointRows& i, const PortJointRows& j, const Pair& pair,
                       const Matrix& compliance, Mat6& block);
    bool measure(Matrix GluedFmu::*compliance);
    bool measure_at_end();
    /// G = sum of B H B^T at the start of the step, and the basis from it.
    void find_basis();
    /// The basis from the G that there is.
    void decide_rank(const JointBasis::Limits& limits);
    /// G y = rhs in the basis, for all joints; `rhs` six a joint, overwritten by multipliers. False where G is singular.
    bool solve_compliance(Vector& rhs);
    /// Where rows are redundant, multipliers that do the same work in the basis of now: what they hold in themselves, a stress that
    /// moves nothing, would grow from step to step otherwise. `multipliers`: six a joint.
    void reduce(Vector& multipliers);
    void reduce(RowVector GluedJoint::*multipliers);
    /// Rows at the end and in the middle, from the motions that the ports have.
    void evaluate_end(double t, double h);
    /// The same before the step, from where the ports would come with their accelerations.
    void extrapolate_end(double t, double h);
    /// Wrenches on all ports of the group from the multipliers and the rows at the three nodes.
    void place_wrenches(double h);
    void add_wrenches_to_accelerations();
    bool has_compliance() const;
    bool collect(unsigned flags, double t, double h);
    /// The failure that names the joint with the largest gap.
    master::Failure open_joint(double gap, double limit, double h) const;

    master::Ensemble& ensemble_;
    std::vector<GluedJoint*> joints_;
    std::vector<GluedFmu*> fmus_;
    const GlueSettings& settings_;
    std::vector<std::pair<int, int>> edges_;
    std::vector<Pair> pairs_;
    std::vector<std::pair<int, int>>
        slots_;                     ///< joints of the blocks between them: pairs that share both are one
    std::vector<std::size_t> slot_; ///< for each pair
    std::vector<Mat6> G_; ///< the compliance between joints, or a response of steps like it; one a slot
    JointBasis basis_;
    master::Failure failure_;
    double error_ = 0, last_h_ = 0; ///< last_h_: of the last accepted step; 0 before the first
    int corrections_ = 0;
    double least_step_ = 0;

  private:
    void add_terms(const Pair& pair);
    void decide(const JointBasis::Limits& limits);

    BlockLu schur_;
    Vector stacked_, effect_; ///< six a joint
};

std::vector<std::pair<int, int>> joint_edges(const std::vector<GluedJoint*>& joints);

} // namespace tenon::glue
