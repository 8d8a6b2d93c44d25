#include "core/simulation/assembly.hpp"
#include "core/math/digits.hpp"

#include "core/integrators/integrator.hpp"
#include "core/integrators/manifold_projection.hpp"
#include "core/math/error.hpp"
#include "core/model/joints/joint_types.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>

namespace tenon {

namespace {

/// Kinematics as the file gives them.
std::vector<Kinematics> given_kinematics(const Model& model, const Mechanism& mechanism) {
    std::vector<Kinematics> k(model.bodies.size());
    for (std::size_t b = 0; b < k.size(); ++b)
        static_cast<Frame&>(k[b]) = mechanism.body()[b].start;
    return given_velocities(model, mechanism, std::move(k));
}

class Assembly {
  public:
    Assembly(const Model& model, RigidEquations& equations, double t, double step)
        : model_(model), eq_(equations), t_(t), step_(step) {
        projection_.allocate(eq_.sizes());
    }

    StartReport run(Vector& q, Vector& v, std::vector<char>& excluded) {
        const ExplicitSizes sizes = eq_.sizes();
        q = Vector::Zero(sizes.q);
        v = Vector::Zero(sizes.v);
        eq_.pack(given_kinematics(model_, eq_.mechanism()), q, v);
        report_.rows = sizes.rows;
        close_positions(q, v);
        find_redundant_rows(q, v, excluded);
        settle_velocities(q, v);
        check_inertia(q, v);
        return report_;
    }

  private:
    std::string name(int row) const { return eq_.row_name(row); }
    std::string element(int row) const {
        const int joint = eq_.mechanism().row_joint(row);
        if (joint >= 0)
            return model_.joints[joint].name;
        for (const DriverRow& d : eq_.mechanism().drivers()) {
            if (d.row == row)
                return model_.drivers[d.driver].name;
        }
        return {};
    }
    const char* unit(int row) const { return eq_.mechanism().row_angular(row) ? "rad" : "m"; }

    /// The gap of a row as a user measures it: a distance joint's row is a difference of squares.
    double gap_of(int row) const {
        const double value = eq_.position_residual()[row];
        const int index = eq_.mechanism().row_joint(row);
        if (index < 0 || !type_of(model_.joints[index]).keeps_distance)
            return std::abs(value);
        const Joint& joint = model_.joints[index];
        const double length = joint.length.value_or((joint.point2 - joint.point1).norm());
        return std::abs(std::sqrt(std::max(0.0, length * (length + 2 * value))) - length);
    }

    void close_positions(Vector& q, const Vector& v) {
        eq_.evaluate_rows(t_, q, v);
        for (int r = 0; r < report_.rows; ++r) {
            const double limit = eq_.mechanism().row_angular(r) ? closing_limit_angle : closing_limit;
            const double gap = gap_of(r);
            if (!(gap <= limit))
                throw Error(ErrorKind::model,
                            name(r) + " does not fit at t = 0: gap " + rounded(gap) + " " + unit(r) +
                                " (limit " + rounded(limit) + " " + unit(r) +
                                "); check the positions of its bodies, its points and axes",
                            element(r));
            if (gap > std::max(report_.position_correction, 1e-12)) {
                report_.position_correction = gap;
                report_.corrected_joint = element(r);
            }
        }
        eq_.factor(Metric::mass);
        eq_.kkt().calibrate();
        try {
            projection_.positions(eq_, t_, q, v, Metric::mass, 50, 1e-13, 1e-9);
        } catch (const NotConverged& failure) {
            throw Error(ErrorKind::model,
                        "the joints cannot be closed at t = 0: " +
                            (failure.row >= 0 ? name(failure.row) : std::string("some joint")) +
                            " keeps a gap of " + rounded(failure.value) + " (limit 1e-9)",
                        failure.row >= 0 ? element(failure.row) : std::string());
        }
    }

    /// What is redundant at one place: rows of single joints that repeat others, and how many rows of the loops up to
    /// and including each block of the solver.
    struct Redundancy {
        std::vector<char> repeated;
        std::vector<int> up_to_block;
        int rank = 0;
    };

    Redundancy redundancy_here() {
        eq_.factor(Metric::mass);
        Redundancy here;
        for (int r = 0; r < report_.rows; ++r)
            here.repeated.push_back(eq_.kkt().dropped(r) ? 1 : 0);
        here.up_to_block = eq_.kkt().block_deficiency();
        std::partial_sum(here.up_to_block.begin(), here.up_to_block.end(), here.up_to_block.begin());
        here.rank = report_.rows - eq_.kkt().rank_deficiency();
        return here;
    }

    /// How many rows follow from the others here and at places nearby that the machine can reach: the first along random
    /// admissible motions, at times a little later. What is dependent in one place only is a singular position, and does
    /// not count. Ranks are what they are in most places wherever they are largest, for all blocks up to any of them.
    void find_redundant_rows(const Vector& q0, const Vector& v0, std::vector<char>& excluded) {
        GraphKkt& kkt = eq_.kkt();
        excluded.assign(static_cast<std::size_t>(report_.rows), 0);
        eq_.evaluate_rows(t_, q0, v0);
        eq_.factor(Metric::mass);
        report_.degrees_of_freedom = 6 * eq_.mechanism().bodies() - report_.rows + kkt.rank_deficiency();
        if (kkt.rank_deficiency() == 0)
            return;
        kkt.collect_loops(excluded);
        Redundancy found = redundancy_here();
        Vector q = q0, v = v0, random = v0, lambda = Vector::Zero(report_.rows), zero = lambda;
        std::uint64_t seed = 88172645463325252ULL;
        constexpr int trials = 3;
        int reached = 0;
        for (int trial = 1; trial <= trials; ++trial) {
            for (Eigen::Index i = 0; i < random.size(); ++i) {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                random[i] = static_cast<double>(seed >> 11) * 0x1p-52 - 1;
            }
            eq_.evaluate_rows(t_, q0, v0);
            eq_.factor(Metric::unit);
            eq_.solve(random, zero, v, lambda); // along the constraints
            const double size = v.lpNorm<Eigen::Infinity>();
            q = q0;
            try {
                if (size > 1e-12) {
                    v *= 0.05 / size;
                    eq_.correct(q, v);
                }
                v.setZero();
                const double t = t_ + 10 * trial * step_;
                projection_.positions(eq_, t, q, v, Metric::unit, 30, 1e-12, 1e-9);
            } catch (const NotConverged&) {
                continue; // not a place the machine can reach that way
            }
            ++reached;
            const Redundancy there = redundancy_here();
            found.rank = std::max(found.rank, there.rank);
            for (int r = 0; r < report_.rows; ++r)
                found.repeated[r] = found.repeated[r] && there.repeated[r] ? 1 : 0;
            for (std::size_t b = 0; b < found.up_to_block.size(); ++b)
                found.up_to_block[b] = std::min(found.up_to_block[b], there.up_to_block[b]);
        }
        report_.degrees_of_freedom = 6 * eq_.mechanism().bodies() - found.rank;
        if (reached == 0) {
            kkt.exclude(excluded); // nothing is known of other places: rows are dropped where they depend
            return;
        }
        report_.rank_deficiency =
            static_cast<int>(std::count(found.repeated.begin(), found.repeated.end(), 1)) +
            (found.up_to_block.empty() ? 0 : found.up_to_block.back());
        if (report_.rank_deficiency == 0) {
            kkt.exclude(excluded);
            return;
        }
        excluded = found.repeated;
        // The blocks stay what they are: rows that repeat others of their joint in the tree are in none.
        eq_.evaluate_rows(t_, q0, v0);
        kkt.collect_loops(excluded);
        std::vector<int>& count = found.up_to_block;
        std::adjacent_difference(count.begin(), count.end(), count.begin());
        kkt.expect(count);
        eq_.factor(Metric::mass);
        std::set<std::string> seen;
        for (int r = 0; r < report_.rows; ++r) {
            if (kkt.redundancy(r) > 1e-6 && seen.insert(element(r)).second)
                report_.redundant_joints.push_back(element(r));
        }
    }

    /// A driver may set bodies moving whose velocities the file leaves out; a velocity that is given must fit.
    void settle_velocities(const Vector& q, Vector& v) {
        eq_.evaluate_rows(t_, q, v);
        const Vector before = v;
        const bool driven = !eq_.mechanism().drivers().empty();
        int worst = -1;
        double gap = 0;
        for (int r = 0; r < report_.rows; ++r) {
            const bool driver = eq_.mechanism().row_joint(r) < 0;
            const double rate = std::abs(eq_.velocity_residual()[r]);
            if (!(rate <= gap) && !(driver && driven)) {
                gap = rate;
                worst = r;
            }
        }
        const Vector residual = eq_.velocity_residual();
        projection_.velocities(eq_, v, Metric::mass);
        if (driven) {
            // Only bodies with given velocities are bound to them.
            double change = 0;
            for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
                if (model_.bodies[b].velocity || model_.bodies[b].angular_velocity) {
                    const Eigen::Index i = 6 * static_cast<Eigen::Index>(b);
                    change = std::max(change, (v - before).segment(i, 6).lpNorm<Eigen::Infinity>());
                }
            }
            if (change > closing_limit_velocity) {
                Eigen::Index row = 0;
                residual.cwiseAbs().maxCoeff(&row);
                refuse_velocity(static_cast<int>(row), std::abs(residual[row]));
            }
            gap = std::min(gap, change);
        } else if (!(gap <= closing_limit_velocity)) {
            refuse_velocity(worst, gap);
        }
        eq_.evaluate_rows(t_, q, v);
        for (int r = 0; r < report_.rows; ++r) {
            if (!(std::abs(eq_.velocity_residual()[r]) <=
                  1e-6 * std::max(1.0, residual.lpNorm<Eigen::Infinity>())))
                throw Error(ErrorKind::model,
                            name(r) + " cannot have a consistent velocity at t = 0: " +
                                rounded(eq_.velocity_residual()[r]) +
                                " is left; does a driver work against another joint?",
                            element(r));
        }
        if (gap > 1e-12 && worst >= 0) {
            report_.velocity_correction = gap;
            if (report_.corrected_joint.empty())
                report_.corrected_joint = element(worst);
        }
    }

    [[noreturn]] void refuse_velocity(int row, double gap) const {
        const std::string u = std::string(unit(row)) + "/s";
        throw Error(ErrorKind::model,
                    "start velocities do not fit " + name(row) + ": " + rounded(gap) + " " + u + " (limit " +
                        rounded(closing_limit_velocity) + " " + u +
                        "); give velocity and angular_velocity of both bodies so that the joint holds",
                    element(row));
    }

    /// The body that unit forces throw away: where rounding has given a direction without inertia a tiny one. -1: none.
    int weightless_body(const Vector& a) const {
        constexpr double rounding = 1e-12, far = 1e9;
        double lightest = 0; ///< the largest 1 / mass or 1 / principal inertia that is meant
        for (const Body& body : model_.bodies) {
            const Vec3 principal = body.inertia.selfadjointView<Eigen::Lower>().eigenvalues();
            const double least = rounding * std::max(principal.maxCoeff(), 0.0);
            for (int i = 0; i < 3; ++i)
                if (principal[i] > least)
                    lightest = std::max(lightest, 1 / principal[i]);
            if (body.mass > 0)
                lightest = std::max(lightest, 1 / body.mass);
        }
        Eigen::Index worst = 0;
        const double largest = a.size() > 0 ? a.cwiseAbs().maxCoeff(&worst) : 0;
        return largest <= far * lightest ? -1 : static_cast<int>(worst / 6);
    }

    void check_inertia(const Vector& q, const Vector& v) {
        const ExplicitSizes sizes = eq_.sizes();
        Vector a = Vector::Zero(sizes.v), lambda = Vector::Zero(sizes.rows);
        const Vector zero = lambda;
        // Forces of about 1 that are perpendicular to nothing which somebody would draw.
        const Vector f = Vector::NullaryExpr(sizes.v, [](Eigen::Index i) {
            return 1 + std::fmod(0.6180339887 * static_cast<double>(i + 1), 1.0);
        });
        eq_.evaluate(t_, q, v);
        eq_.factor(Metric::mass);
        eq_.solve(f, zero, a, lambda);
        int body = eq_.kkt().unresolved_body();
        if (body < 0)
            body = weightless_body(a);
        if (body >= 0)
            throw Error(
                ErrorKind::model,
                "body '" + model_.bodies[body].name +
                    "' can move without inertia: its mass or a principal inertia is zero where the joints "
                    "leave it free; give it mass or inertia, or a joint that holds that motion",
                model_.bodies[body].name);
    }

    const Model& model_;
    RigidEquations& eq_;
    double t_, step_;
    ManifoldProjection projection_;
    StartReport report_;
};

} // namespace

std::vector<Kinematics> given_velocities(const Model& model, const Mechanism& mechanism,
                                         std::vector<Kinematics> k) {
    for (std::size_t b = 0; b < k.size(); ++b) {
        k[b].w = model.bodies[b].angular_velocity.value_or(Vec3::Zero());
        k[b].v =
            model.bodies[b].velocity.value_or(Vec3::Zero()) + k[b].w.cross(k[b].D * mechanism.body()[b].com);
    }
    return k;
}

StartReport assemble(const Model& model, RigidEquations& equations, double t, double step, Vector& q,
                     Vector& v, std::vector<char>& excluded) {
    return Assembly(model, equations, t, step).run(q, v, excluded);
}

} // namespace tenon
