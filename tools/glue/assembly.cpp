// The unknowns are twists (d, th) of the FMUs that can be moved, about the middle c of their ports: where an FMU's own world has
// its origin says nothing about where its parts are, and minimum norm depends on the point. A port at r moves by
//
//     dr = d + th x (r - c),   dR = th~ R                so that  A = [B_v,  B_w + B_v (c - r)~]  for each side
//
// Minimum norm by a complete orthogonal decomposition of the rows; poses in which rows lose rank keep the rows they have.

#include "tools/glue/assembly.hpp"

#include "core/math/rotation.hpp"

#include <algorithm>

namespace tenon::glue {
namespace {

constexpr int most_iterations = 100;
/// Directions in which the rows change by less than this part of the most are left alone.
constexpr double rank_limit = 1e-8;

PortMotion moved(const PortMotion& motion, const Move& move) {
    return {.p_WP = move.R_WV * motion.p_WP + move.p_WV,
            .R_WP = move.R_WV * motion.R_WP,
            .v_WP = move.R_WV * motion.v_WP,
            .w_WP = move.R_WV * motion.w_WP};
}

class Assembly {
  public:
    Assembly(std::span<const AssemblyLink> links, std::span<const AssemblyPort> ports,
             const std::vector<char>& movable, double time)
        : links_(links), ports_(ports), time_(time), column_(movable.size(), -1),
          middle_(movable.size(), Vec3::Zero()) {
        for (std::size_t i = 0; i < movable.size(); ++i)
            if (movable[i]) {
                column_[i] = columns_;
                columns_ += 6;
            }
        std::vector<int> count(movable.size(), 0);
        for (const AssemblyPort& port : ports)
            middle_[port.fmu] += (port.motion.p_WP - middle_[port.fmu]) / ++count[port.fmu];
        for (const AssemblyLink& link : links)
            rows_ += link.joint->rows();
        A_.resize(rows_, columns_);
        phi_.resize(rows_);
    }

    AssemblyResult run(double tolerance) {
        AssemblyResult result;
        result.moves.resize(column_.size());
        result.gap_before = result.gap_after = linearise(result.moves, &result.worst);
        const double enough = tolerance * std::max(1.0, farthest());
        while (result.gap_after > enough && result.iterations < most_iterations && columns_ > 0) {
            ++result.iterations;
            if (!improve(result))
                break;
        }
        result.converged = result.gap_after <= enough;
        return result;
    }

  private:
    PortMotion side(int port, const PortMotion& world, const std::vector<Move>& moves) const {
        if (port < 0)
            return world;
        const AssemblyPort& p = ports_[static_cast<std::size_t>(port)];
        return moved(p.motion, moves[p.fmu]);
    }

    void add_side(const RowMatrix& B, int port, const PortMotion& motion, const std::vector<Move>& moves,
                  int row) {
        if (port < 0)
            return;
        const std::size_t fmu = ports_[static_cast<std::size_t>(port)].fmu;
        if (column_[fmu] < 0)
            return;
        const Vec3 lever = motion.p_WP - (moves[fmu].R_WV * middle_[fmu] + moves[fmu].p_WV);
        auto block = A_.block(row, column_[fmu], B.rows(), 6);
        block.leftCols(3) += B.leftCols(3);
        block.rightCols(3) += B.rightCols(3) - B.leftCols(3) * skew(lever);
    }

    /// Rows and their gradients where the FMUs are after these moves; the largest row.
    double linearise(const std::vector<Move>& moves, std::size_t* worst = nullptr) {
        A_.setZero();
        double largest = 0;
        int row = 0;
        for (std::size_t i = 0; i < links_.size(); ++i) {
            const AssemblyLink& link = links_[i];
            const PortMotion a = side(link.a, link.joint->start_a(), moves);
            const PortMotion b = side(link.b, link.joint->start_b(), moves);
            link.joint->evaluate_for_assembly(time_, a, b, joint_);
            phi_.segment(row, joint_.phi.size()) = joint_.phi;
            add_side(joint_.Ba, link.a, a, moves, row);
            add_side(joint_.Bb, link.b, b, moves, row);
            row += link.joint->rows();
            if (const double gap = joint_.phi.cwiseAbs().maxCoeff(); gap > largest) {
                largest = gap;
                if (worst)
                    *worst = i;
            }
        }
        return largest;
    }

    /// x -> exp(th) (x - c) + c + d after the move, c where it has taken the middle.
    std::vector<Move> after(std::vector<Move> moves, const Vector& dx) const {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            if (column_[i] < 0)
                continue;
            const Vec3 d = dx.segment<3>(column_[i]), th = dx.segment<3>(column_[i] + 3);
            const Vec3 c = moves[i].R_WV * middle_[i] + moves[i].p_WV;
            const Mat3 turn = exp_so3(th);
            moves[i].p_WV = turn * (moves[i].p_WV - c) + c + d;
            moves[i].R_WV = turn * moves[i].R_WV;
            orthonormalise(moves[i].R_WV);
        }
        return moves;
    }

    /// One step of Newton's method, halved until the rows become smaller; where none does that, a step down the slope:
    /// (A^T A + mu) dx = -A^T phi with growing mu. False where that fails, too.
    bool improve(AssemblyResult& result) {
        Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
        decomposition.setThreshold(rank_limit);
        decomposition.compute(A_);
        const Matrix A = A_;
        const Vector phi = phi_;
        const Vector newton = -decomposition.solve(phi);
        for (double part = 1; part > 0.1; part *= 0.5)
            if (accept(after(result.moves, part * newton), phi.norm(), result))
                return true;
        const Matrix normal = A.transpose() * A;
        const Vector slope = A.transpose() * phi;
        for (double mu = 1e-4; mu < 1e4; mu *= 10)
            if (accept(after(result.moves,
                             -(normal + mu * Matrix::Identity(columns_, columns_)).ldlt().solve(slope)),
                       phi.norm(), result))
                return true;
        return false;
    }

    bool accept(std::vector<Move> moves, double before, AssemblyResult& result) {
        const double gap = linearise(moves);
        if (!(phi_.norm() < before))
            return false;
        result.moves = std::move(moves);
        result.gap_after = gap;
        return true;
    }

    double farthest() const {
        double distance = 0;
        for (const AssemblyPort& port : ports_)
            distance = std::max(distance, port.motion.p_WP.cwiseAbs().maxCoeff());
        return distance;
    }

    std::span<const AssemblyLink> links_;
    std::span<const AssemblyPort> ports_;
    double time_;
    std::vector<int> column_;  ///< of an FMU's twist, -1: may not move
    std::vector<Vec3> middle_; ///< of an FMU's ports at the start
    int columns_ = 0, rows_ = 0;
    Matrix A_;
    Vector phi_;
    PortJointRows joint_;
};

} // namespace

AssemblyResult assemble(std::span<const AssemblyLink> links, std::span<const AssemblyPort> ports,
                        const std::vector<char>& movable, double tolerance, double time) {
    return Assembly(links, ports, movable, time).run(tolerance);
}

} // namespace tenon::glue
