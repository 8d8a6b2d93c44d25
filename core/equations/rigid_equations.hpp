#pragma once
// The rigid face of a machine: six velocities a body about its centre of mass, reactions from GraphKkt.
//
//   m v' = F,   I w' = T - w x I w          v of the centre of mass, w angular velocity
//
// Positions are always (r, D), 12 numbers a body. Two charts differ in what moves them:
//   natural   q' = (v, w x d1, w x d2, w x d3) in R^12, w in world axes; q0 (+) u = q0 + u
//   lie       r' = v, D' = D w~, w in body axes; q0 (+) u = (r + u_r, D exp(u_D~))

#include "core/equations/explicit_equations.hpp"
#include "core/equations/mechanism.hpp"

namespace tenon {

enum class Chart { natural, lie };

class RigidEquations final : public ExplicitEquations {
  public:
    /// Mechanism and memory must outlive this; the memory says where angles are expected and what inputs are.
    RigidEquations(const Mechanism& mechanism, const Memory& memory, Chart chart);

    ExplicitSizes sizes() const override;
    void displace(const Vector& q0, const Vector& u, Vector& q) const override;
    void rate(const Vector& q, const Vector& u, const Vector& v, Vector& ud) const override;
    void correct(Vector& q, const Vector& delta) const override;
    void evaluate(double t, const Vector& q, const Vector& v) override;
    void evaluate_rows(double t, const Vector& q, const Vector& v) override;
    const Vector& force() const override { return force_; }
    const Vector& position_residual() const override { return value_; }
    const Vector& velocity_residual() const override { return rate_; }
    const Vector& bias() const override { return bias_; }
    void factor(Metric metric) override;
    void solve(const Vector& f, const Vector& rhs, Vector& a, Vector& lambda) override;
    void row_times(const Vector& x, Vector& out) const override;
    void momentum(const Vector& v, Vector& p) const override;
    int rank_deficiency() const override { return kkt_.rank_deficiency(); }
    double kinetic() const override;
    double potential() const override { return potential_; }
    double elastic() const { return elastic_; } ///< the springs' part of it
    double potential_rate(const Vector& v) const override;
    double power(const Vector& lambda) const override;
    std::string row_name(int row) const override { return mechanism_.row_name(row); }

    // -- for assembly and results --
    const Mechanism& mechanism() const { return mechanism_; }
    GraphKkt& kkt() { return kkt_; }
    const std::vector<Kinematics>& kinematics() const { return k_; }
    void set_kinematics(const Vector& q, const Vector& v);
    /// q and v of this chart from kinematics.
    void pack(const std::vector<Kinematics>& k, Vector& q, Vector& v) const;
    /// Evaluates at the kinematics given.
    void evaluate_at(double t, const std::vector<Kinematics>& k);
    /// Rows alone: force and potential stay those of the last evaluation.
    void evaluate_rows_at(double t, const std::vector<Kinematics>& k);
    const RowGradient& gradient(int row) const { return gradient_[row]; }
    const Vec6& coupling_gradient(int index) const { return coupling_[index]; }
    /// Angular acceleration of a body in world axes, out of accelerations of this chart.
    Vec3 world_angular_acceleration(int body, const Vector& a) const {
        const Vec3 own = a.segment<3>(6 * body + 3);
        return chart_ == Chart::lie ? Vec3(k_[body].D * own) : own;
    }
    /// f += what a unit of an input does as a generalised force of this chart (drivers' inputs: nothing).
    void add_input_force(const Vector& seed, Vector& f) const;
    /// Largest |G a + bias| at the kinematics evaluated last, a of this chart.
    double acceleration_violation(const Vector& a) const;
    /// Value and rate of a joint's angle or distance at the kinematics evaluated last.
    void measure(const Coordinate& c, double& value, double& rate) const;
    /// Its second derivative for accelerations a of this chart.
    double measure_acceleration(const Coordinate& c, const Vector& a) const;
    /// What changes da of the accelerations add to it.
    double measure_response(const Coordinate& c, const Vector& da) const;
    /// Results of a force, as Mechanism::read_force, at the kinematics evaluated last.
    void read_force(int force, std::span<Effort> efforts, std::span<double> values) const {
        mechanism_.read_force(force, k_, time_, memory_, efforts, values);
    }

  private:
    double along(const RigidRow& row, const Coordinate& c, const Vector& a) const;
    void evaluate_links();
    void evaluate_loads();
    void world_masses();

    const Mechanism& mechanism_;
    const Memory& memory_;
    Chart chart_;
    GraphKkt kkt_;
    double time_ = 0;
    std::vector<Kinematics> k_;
    std::vector<BodyMass> mass_, unit_mass_;
    std::vector<Vec3> position_;
    std::vector<RowGradient> gradient_;
    std::vector<Vec6> coupling_;
    Vector value_, rate_, bias_, force_, conservative_;
    Vector world_force_, world_a_; // scratch of solve() in the lie chart
    mutable Vector row_scratch_;
    double potential_ = 0, elastic_ = 0, dissipated_ = 0;
};

} // namespace tenon
