#pragma once
// Methods newton and difference: multipliers that are linear over the step, such that the joints are closed and at rest at its end,
//
//     lambda(t + s h) = c0 + c1 s:     R = (phi / h^2, phi' / h) = 0 at t + h
//
// The FMUs step along a predicted wrench; the correction of c0 and c1 follows from
//
//     newton:      J = [[G0/2 + D/6, G0/6 + D/12], [G0 + D/2, G0/2 + D/3]],   D = G1 - G0
//                  G0 = sum B1 H(t) B0^T,  G1 = sum B1 H(t + h) B1^T
//     difference:  J from steps with changed multipliers, one FMU at a time; kept until a correction gains less than a factor 10
//
// the FMUs are rolled back and step again. At least two corrections; more, with Broyden's updates, until the residual R is below 1/50 of
// the predictor's, and J^-1 R, what the forces still lack, below 1/50 of the first correction: a fixed number of corrections is
// stable only below 1/13, and that in all directions. R alone does not see those of hardly any compliance.
//
// Where newton does not get there, or with many corrections only, and the user has left the choice to us, difference takes its place for
// 20 steps; then newton is tried again, and each time that it fails the wait is twice as long.

#include "tools/glue/methods/correction.hpp"
#include "tools/glue/methods/method_types.hpp"

namespace tenon::glue {

class IteratedGroup final : public Group {
  public:
    enum class Way { newton, difference };
    /// Newton may turn into difference by itself where the method was chosen by us.
    IteratedGroup(GroupParts parts, Way way);

    const MethodType& method() const override {
        return way_ == Way::newton ? newton_method : difference_method;
    }
    bool begin(double t, double h) override;
    Next look(double t, double h) override;
    void accept(double t, double h) override;
    bool restart(double t) override;
    void change_rows(std::size_t j, const RowTransform& T) override {
        Group::change_rows(j, T);
        has_jacobian_ = false;
    }
    bool forget() override;
    void write(ByteWriter& bytes) const override;
    void read(ByteReader& bytes) override;

  private:
    static constexpr int least_corrections = 2, most_corrections = 10;
    static constexpr int first_wait = 20, longest_wait = 1 << 20;

    using Block = Correction<12>::Block;

    /// R of all joints, 12 a joint: six of positions, then six of velocities. Returns the largest that the basis sees.
    double residual(double h, Vector& R) const;
    bool is_negligible(double norm, double h) const;
    bool is_closed(double norm, double forces, double h) const;
    bool jacobian_from_compliance();
    bool jacobian_from_differences(double t, double h);
    unsigned measure_response(std::size_t fmu, double t, double h);
    void assemble_response(std::size_t fmu, double t, double h);
    bool factor();
    bool check_sampling(double t, double h, bool is_made);
    void find_least_step(double t, double h);
    void choose_pushes(double h);
    double doubt() const;
    void take_response();
    void correct();
    Next give_up(double norm, double h);
    void turn_to_differences(const std::string& why);
    void turn_to_newton();
    double scale() const;
    double reach() const;

    Way way_;
    bool fallback_;                     ///< newton is the method, and difference may take its place
    std::vector<Block> blocks_;         ///< J, one a slot
    std::vector<std::size_t> own_slot_; ///< of each joint: the slot between it and itself
    std::vector<std::size_t> mirror_;   ///< of each slot: that of the same joints the other way round
    Correction<12> correction_;
    Vector R_;
    /// A step of one FMU with one multiplier changed, and where its ports have come by it.
    struct Try {
        std::size_t joint = 0; ///< of the group
        int side = 0, row = 0;
        bool slope = false; ///< c1, not c0
        double push = 0;    ///< how much it is changed
        std::vector<PortMotion> ends;
    };
    std::vector<std::vector<Try>> tries_;            ///< for each FMU
    std::vector<std::vector<std::size_t>> pairs_of_; ///< for each FMU, in Group::pairs_
    double predicted_ = 0, last_norm_ = 0;           ///< of the residual
    double predicted_forces_ = 0;                    ///< size of the first correction
    double average_ = 0;                             ///< corrections a step
    int wait_ = first_wait;                          ///< steps by difference before newton is tried again
    int waited_ = 0;
    int since_jacobian_ = 0; ///< corrections of this step with the Jacobian that there is
    bool displaced_ = false; ///< FMUs have been stepped otherwise than along the wrenches
    bool has_jacobian_ = false, is_fresh_ = false;
    bool gave_up_ = false; ///< in the last attempt
    int give_ups_ = 0;     ///< since the last step that was accepted
    bool is_lost_ = false; ///< an FMU failed when the last step was over
};

} // namespace tenon::glue
