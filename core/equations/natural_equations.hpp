#pragma once
// The natural face of a machine for implicit methods: q = (r, d1, d2, d3) a body, constant mass matrix, joints at most
// quadratic (gears, screws and driven angles apart, which bring discrete gradients of their own).
//
//   kinetic energy  1/2 m r'.r' + 1/2 sum E_ij d_i'.d_j',   E = 1/2 tr(I) 1 - I
//
// The directors stay orthonormal without multipliers: residuals f are tested along rigid motions, and increments are
// rigid motions (discrete null space, Betsch). A rotation takes D to theta x D, whatever D, so both come from
//
//   test      (f_r, sum d_i x f_i)      at the end frame, or at the mean frame in discrete form
//   trial     dr, dd_i = theta x d_i    at the end frame
//
// because DtD = 1 at both ends, reactions of these conditions do no work over a step: the conservation proofs of the
// papers hold with six unknowns a body instead of twelve and six multipliers. Tangents leave out second derivatives
// of rows and of measures of springs (why: docs/integrators/projection.md).

#include "core/equations/implicit_equations.hpp"
#include "core/equations/rigid_equations.hpp"
#include "core/equations/wrench_term.hpp"
#include "core/math/block_ldlt.hpp"
#include "core/math/block_lu.hpp"

#include <memory>

namespace tenon {

/// A gradient or force along rigid motions of a frame with directors D: (g_r, sum d_i x g_i).
inline Vec6 tested(const Vec12& g, const Mat3& D) {
    Vec6 out;
    out.head<3>() = g.head<3>();
    out.tail<3>() =
        D.col(0).cross(g.segment<3>(3)) + D.col(1).cross(g.segment<3>(6)) + D.col(2).cross(g.segment<3>(9));
    return out;
}

class NaturalEquations final : public ImplicitEquations {
  public:
    /// All three must outlive this; `rigid` (natural chart) serves the index-1 solutions. Rows that repeat others of
    /// their own joint are excluded: they get no automatic penalty and so no multiplier.
    NaturalEquations(const Mechanism& mechanism, const Memory& memory, RigidEquations& rigid,
                     const std::vector<char>& excluded);

    int coordinates() const override { return 12 * n_; }
    int increments() const override { return 6 * n_; }
    int rows() const override { return m_; }
    bool holonomic(int row) const override { return mechanism_.row_holonomic(row); }
    void evaluate(double t, const Vector& q, const Vector& v) override;
    void evaluate_rows(double t, const Vector& q, const Vector& v) override;
    void change_velocity(const Vector& v) override;
    void evaluate_between(double t0, const Vector& q0, double t1, const Vector& q1) override;
    const Vector& row_value() const override { return value_; }
    const Vector& row_rate() const override { return rate_; }
    const Vector& row_bias() override;
    const Vector& force() const override { return force_; }
    void add_reaction(const Vector& mu, Vector& f) const override;
    void row_times(const Vector& x, Vector& out) const override;
    void row_increment(const Vector& dx, Vector& out) const override;
    void mass_times(const Vector& x, Vector& out) const override;
    const Vector& row_mass() override;
    void factor(double m, double c, double k, const Vector& weight) override;
    void solve(const Vector& f, const Vector& mu, Vector& dx) override;
    void increment(const Vector& dx, Vector& q) const override;
    void increment(const Vector& dx, Vector& q, Vector& d) const override;
    void predict(Vector& q, Vector& d) const override;
    void tidy(Vector& q) const override;
    void solve_motion(const Vector& p, const Vector& mu, Vector& x, Vector& rows) override;
    void admit_velocity(Vector& v) override;
    void admit_acceleration(const Vector& v, Vector& a) override;
    void choose_metric(double m, double c, double k) override;
    void base_times(const Vector& x, Vector& out) const override;
    bool mass_alone() const override;
    void consistent(double t, const Vector& q, Vector& v, bool project, Vector& a, Vector& lambda) override;
    void settle_multipliers(double t, const Vector& q, Vector& mu) override;
    double kinetic(const Vector& v) const override;
    double potential(double t, const Vector& q) override;
    double work_between(const Vector& mu) const override;
    double power(const Vector& lambda) const override;
    void evaluate_decaying(double t0, const Vector& q0, const Vector& v0, const Vector& qj, const Vector& vj,
                           double t1, const Vector& q1, const Vector& v1, double dissipation) override;
    const Vector& inner_force() const override { return inner_force_; }
    void add_inner_reaction(const Vector& mu, Vector& f) const override;
    void add_inner_condition(const Vector& residual_g, Vector& f) const override;
    void keep_inner(Vector& x) const override;
    void renew_massless(const Vector& q, Vector& v) override;
    void solve_inner(double m, double c, double k, const Vector& f, Vector& x) override;
    double work_decaying(const Vector& mu) const override;
    std::string row_name(int row) const override { return mechanism_.row_name(row); }

    // -- for the simulation --
    void velocity_from_rigid(const Vector& q, const Vector& v6, Vector& v) const;
    /// Frames, and the rigid velocities with the same linear and angular momentum.
    void kinematics(const Vector& q, const Vector& v, std::vector<Kinematics>& k) const;
    /// Largest |J v + Phi_t|.
    double velocity_violation(double t, const Vector& q, const Vector& v);

  private:
    /// A row or an effort along a measure between two bodies: discrete (or end-point) gradient that reactions act along,
    /// the same tested, and the gradient at the end along rigid motions. A gear's row has a second term of its own.
    struct Term {
        int body[2] = {-1, -1};
        int block[4] = {-1, -1, -1, -1}; ///< of the general factorisation
        int own[2] = {-1, -1};           ///< of the symmetric one: diagonal blocks,
        BlockLdlt::Entry pair;           ///< and that of both bodies
        Vec12 g[2] = {Vec12::Zero(), Vec12::Zero()};
        Vec6 test[2] = {Vec6::Zero(), Vec6::Zero()};
        Vec6 trial[2] = {Vec6::Zero(), Vec6::Zero()};
        double stiffness = 0, damping = 0; ///< of loads: -dQ/ds, -dQ/ds'
    };
    struct GearTerm {
        int row = -1;
        Term second;
        int cross[8] = {-1, -1, -1, -1, -1, -1, -1, -1}; ///< blocks (first, second) and (second, first)
        BlockLdlt::Entry pair[4];                        ///< of the symmetric factorisation: (first, second)
    };
    /// A row as it was factorised: along rigid motions.
    struct KeptRow {
        int row = -1;
        int body[2] = {-1, -1};
        Vec6 test[2] = {Vec6::Zero(), Vec6::Zero()};
        Vec6 trial[2] = {Vec6::Zero(), Vec6::Zero()};
    };

    void set_frames(const Vector& q, std::vector<Frame>& frames) const;
    const Frame& frame(const std::vector<Frame>& frames, int body) const {
        return body < 0 ? world_ : frames[body];
    }
    void set_point(double t, const Vector& q, const Vector& v);
    void reduce(Term& term, const NaturalRow& end);
    void evaluate_row_terms(bool discrete);
    void evaluate_loads(bool discrete, const Vector* v);
    // natural_wrenches.cpp
    void add_wrench_terms();
    WrenchMotion motion_of(int body, const std::vector<Frame>& frames, const Vector& v) const;
    void evaluate_wrenches(const Vector& v);
    void add_wrenches(double t, const std::vector<Frame>& frames, const Vector& v, Vector& force) const;
    void keep_wrench_points(const std::vector<Frame>& frames, const Vector& v);
    void find_wrench_tangents();
    void factor_wrenches(double c, double k);
    void wrench_base_times(const Vector& x, Vector& out) const;
    void factor_inner_wrenches(double c, double k, BlockLuOf<12>& lu);

    static double term_times(const Term& term, const Vector& x);
    static void add_term(const Term& term, double effort, Vector& f);
    double row_times(int row, const Vector& x) const;
    void connect();
    void connect(Term& term);
    void keep_rows();
    void assemble(double m, double c, double k, const Vector& weight);
    void assemble_symmetric(double m, double c, double k, const Vector& weight);
    void solve_kept(const Vector& mu, Vector& x) const;
    void keep_inner(int body, double* x) const;
    /// Applied loads and dissipative efforts at one point, added to `force`.
    void add_point_loads(double t, const std::vector<Frame>& frames, const Vector& v, Vector& force) const;

    const Mechanism& mechanism_;
    const Memory& memory_;
    RigidEquations& rigid_;
    int n_, m_;
    Frame world_;
    double t0_ = 0, t1_ = 0, h_ = 0;
    std::vector<Mat3> second_moment_;
    std::vector<Mat3> mobility_; ///< inverse inertia in body axes, massless directors counted like the others
    std::vector<GraphKkt::Coupling> couplings_;
    std::vector<char> excluded_;
    std::vector<Frame> start_, end_, test_;
    std::vector<Term> row_term_, load_term_;
    std::vector<GearTerm> gear_term_;
    std::vector<WrenchTerm> wrench_term_;
    int first_gear_row_ = 0; ///< gears' rows are the last
    BlockLu lu_;             ///< of the discrete forms, where test and trial motions differ
    BlockLdlt ldlt_;         ///< of the end-point form
    std::vector<int> diagonal_, symmetric_diagonal_;
    std::vector<KeptRow> kept_;  ///< a row each, then the second terms of gears
    bool end_point_ = true;      ///< the form of the last evaluation,
    bool symmetric_ = true;      ///< of the last factorisation
    bool regular_ = true;        ///< the last factorisation
    bool rows_at_point_ = false; ///< rows are those of point_q_ at t1_
    Vector value_, rate_, force_, row_mass_, x6_, difference_, velocity_;
    Vector bias_, point_q_, point_v_;
    double m_factor_ = 0, c_factor_ = 0, k_factor_ = 0;
    double load_work_ = 0, load_power_ = 0;
    // energy-decaying scheme: J_h, the inner frames, second moments inverted
    std::vector<Term> inner_row_term_;
    std::vector<GearTerm> inner_gear_term_;
    std::vector<Frame> first_, inner_;
    std::vector<Mat3> massless_; ///< projector on directors without mass (thin rods), scaled like the others
    std::vector<Mat3> light_;    ///< projector on directors that the inner state keeps (plates, rods, points)
    std::unique_ptr<BlockLuOf<12>> inner_lu_;
    Vector inner_force_, point_load_[3], load_f_, load_g_, difference_j_;
    Vector scratch12_, scratch6_, scratch_rows_, v6_, a6_, lambda_;
    mutable std::vector<Kinematics> k_; // room to work in
};

} // namespace tenon
