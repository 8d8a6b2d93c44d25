#include "core/simulation/equilibrium.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "core/math/rotation.hpp"
#include "core/simulation/assembly.hpp"
#include "core/simulation/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

constexpr int most_iterations = 200, most_falls = 30, most_relaxations = 40000;
constexpr int most_held = 50;          ///< steps from one machine's rest to that of another
constexpr double balanced = 1e-11;     ///< unbalanced, against the forces that act
constexpr double balanced_well = 1e-8; ///< the same, where no step makes it better
constexpr double longest_step = 0.3;   ///< of the machine's length
constexpr double least_part = 1e-6;    ///< of a step, in the line search

class Search {
  public:
    Search(RigidEquations& equations, Memory& memory, double t)
        : near_(equations, memory, t), eq_(equations) {
        const ExplicitSizes sizes = eq_.sizes();
        a_ = trial_a_ = p_ = Vector::Zero(sizes.v);
        lambda_ = Vector::Zero(sizes.rows);
        for (const MechanismBody& body : eq_.mechanism().body()) {
            mass_ += body.mass;
            report_.weight += body.mass * eq_.mechanism().loads().gravity.norm();
        }
    }

    EquilibriumReport run(Vector& q, bool newton_only) {
        const Vector given = q;
        look(q);
        const Matrix N = near_.directions(q, static_cast<int>(a_.size()));
        report_.degrees_of_freedom = static_cast<int>(N.cols());
        dense_ = N.cols() <= most_dense_directions;
        look(q);
        if (dense_ && !newton(q) && !newton_only) {
            relax(q, 1e-3);
            if (!newton(q))
                relax(q, balanced);
        } else if (!dense_) {
            relax(q, balanced);
        }
        if (!(unbalanced_ <= balanced_well))
            refuse("no equilibrium found in " + std::to_string(report_.iterations) + " steps and " +
                   std::to_string(report_.relaxations) + " of relaxation: ");
        report_.potential = eq_.potential();
        find_moves(given, q);
        if (dense_)
            judge(q);
        return report_;
    }

    /// From where q stands with `moves`, by whole steps that leave neutral directions alone.
    void hold(Vector& q, const std::vector<BodyMove>& moves) {
        look(q);
        std::vector<Kinematics> there = eq_.kinematics();
        for (const BodyMove& move : moves) {
            Kinematics& k = there[static_cast<std::size_t>(move.body)];
            k.r += move.shift;
            k.D = exp_so3(move.turn) * k.D;
        }
        Vector still = Vector::Zero(a_.size());
        eq_.pack(there, q, still);
        still.setZero();
        double before = HUGE_VAL;
        for (report_.iterations = 0; near_.settle(q, still); ++report_.iterations) {
            const Stiffness stiffness(near_, q, a_.size());
            look(q);
            still = stiffness.directions() * stiffness.step(stiffness.along(a_), HUGE_VAL);
            const double size = near_.size(still) / near_.length();
            // Either rounding, or what steps no longer make smaller.
            if (size <= 1e-13 || (size <= 1e-8 && size > 0.1 * before))
                return;
            if (report_.iterations == most_held || !(size < longest_step))
                break;
            before = size;
        }
        refuse("no equilibrium found near that of the machine before it was changed: ");
    }

  private:
    /// Forces and what is left of them at q: M a, and how much that is against the forces that act there.
    double look(const Vector& q) {
        near_.at_rest(q, a_, lambda_);
        eq_.momentum(a_, p_);
        const double L = near_.length();
        double acting = report_.weight;
        report_.force = report_.torque = 0;
        double worst = -1;
        for (Eigen::Index i = 0; i < p_.size(); i += 6) {
            const double force = p_.segment<3>(i).norm(), torque = p_.segment<3>(i + 3).norm();
            acting = std::max(
                {acting, eq_.force().segment<3>(i).norm(), eq_.force().segment<3>(i + 3).norm() / L});
            report_.force = std::max(report_.force, force);
            report_.torque = std::max(report_.torque, torque);
            if (std::max(force, torque / L) > worst) {
                worst = std::max(force, torque / L);
                report_.body = static_cast<int>(i / 6);
            }
        }
        unbalanced_ = !a_.allFinite() ? HUGE_VAL : acting > 0 ? std::max(worst, 0.0) / acting : 0.0;
        acting_ = acting;
        return unbalanced_;
    }

    /// True where it has arrived.
    bool newton(Vector& q) {
        int falls = 0;
        double cap = longest_step * near_.length();
        while (unbalanced_ > balanced && report_.iterations < most_iterations) {
            ++report_.iterations;
            const Stiffness stiffness(near_, q, a_.size());
            const Matrix& N = stiffness.directions();
            look(q);
            const Vector r = stiffness.along(a_);
            // Forces along directions without stiffness that are rounding.
            const Vector dx = stiffness.step(r, 1e-9 * acting_ / std::sqrt(mass_ > 0 ? mass_ : 1));
            const Vector whole = N * dx;
            const double length = near_.size(whole);
            if (!(length > 0))
                return unbalanced_ <= balanced_well;
            const double first = std::min(1.0, cap / length), before = unbalanced_;
            if (!line_search(q, stiffness, r, dx, whole, first))
                return unbalanced_ <= balanced_well;
            // Falling: nothing changes, however far the step.
            const bool falling = first < 1 && unbalanced_ > 0.99 * before && stiffness.neutral(dx);
            falls = falling ? falls + 1 : 0;
            cap = falling ? 2 * cap : longest_step * near_.length();
            if (falls == most_falls)
                refuse("there is no equilibrium; the machine falls: ");
            if (unbalanced_ <= balanced_well && unbalanced_ > 0.5 * before)
                return true; // what is left is rounding
        }
        return unbalanced_ <= balanced_well;
    }

    bool line_search(Vector& q, const Stiffness& stiffness, const Vector& r, const Vector& dx,
                     const Vector& whole, double part) {
        const double work = r.dot(dx), size = r.norm();
        Vector trial = q;
        while (part > least_part) {
            trial = q;
            if (near_.move(trial, part * whole)) {
                near_.at_rest(trial, trial_a_, lambda_);
                const Vector there = stiffness.along(trial_a_);
                const double left = there.dot(dx);
                const bool smaller = there.norm() <= (1 - 0.1 * part) * size;
                if (there.allFinite() && (smaller || (work > 0 && left >= 0 && there.norm() <= 10 * size))) {
                    near_.settle(q, part * whole);
                    look(q);
                    return true;
                }
                const double root = work > left ? work / (work - left) : 0.5;
                part *= std::isfinite(root) ? std::clamp(root, 0.1, 0.5) : 0.1;
            } else {
                part *= 0.25;
            }
        }
        look(q);
        return false;
    }

    /// Kinetic damping until the unbalanced part is `wanted`, or time is up.
    void relax(Vector& q, double wanted) {
        Vector v = Vector::Zero(a_.size()), momentum = v;
        double kinetic = 0, travelled = 0, h = 0;
        look(q);
        for (int i = 0; i < most_relaxations && unbalanced_ > wanted; ++i) {
            if (i % 500 == 0)
                h = 1 / std::sqrt(std::max(stiffest(q), 1e-12));
            ++report_.relaxations;
            v += h * a_;
            const double shift = near_.size(v) * h, most = 0.05 * near_.length();
            if (shift > most)
                v *= most / shift;
            if (!near_.settle(q, h * v)) {
                v.setZero();
                h *= 0.5;
                continue;
            }
            travelled += std::min(shift, most);
            near_.project_still(q, v);
            eq_.momentum(v, momentum);
            const double now = 0.5 * v.dot(momentum);
            if (now < kinetic) {
                v.setZero();
                kinetic = travelled = 0;
            } else {
                kinetic = now;
            }
            look(q);
            if (travelled > 500 * near_.length())
                refuse("there is no equilibrium; the machine falls: ");
        }
    }

    /// The largest stiffness against the mass near q, by the power method; rounded up.
    double stiffest(const Vector& q) {
        Vector x = a_.norm() > 0 ? a_ : Vector(Vector::Ones(a_.size())), a = a_, there;
        Vector moved;
        double found = 0;
        for (int i = 0; i < 12; ++i) {
            near_.project_still(q, x);
            const double size = near_.size(x);
            if (!(size > 0))
                break;
            const double h = 1e-6 * near_.length() / size;
            moved = q;
            if (!near_.move(moved, h * x))
                break;
            near_.at_rest(moved, a, lambda_);
            a = (a_ - a) / h; // of x
            const double growth = near_.size(a) / size;
            found = std::max(found, growth);
            if (!(growth > 0))
                break;
            x = a;
        }
        look(q);
        return 2 * found;
    }

    [[noreturn]] void refuse(const std::string& what) const {
        const std::string body = report_.body < 0
                                     ? std::string()
                                     : eq_.mechanism().body()[static_cast<std::size_t>(report_.body)].name;
        throw Error(ErrorKind::computation,
                    what + "nothing holds body '" + body + "' against " + rounded(report_.force) + " N and " +
                        rounded(report_.torque) + " N m (weight of the machine " + rounded(report_.weight) +
                        " N); give it a spring, a contact or a joint, or start where it is drawn",
                    body);
    }

    std::vector<BodyMove> moves_of(const Vector& displacement) const {
        std::vector<BodyMove> moves;
        for (int b = 0; b < eq_.mechanism().bodies(); ++b)
            moves.push_back(
                {b, displacement.segment<3>(6 * b), eq_.world_angular_acceleration(b, displacement)});
        return moves;
    }

    void find_moves(const Vector& given, const Vector& q) {
        const Vector rest = Vector::Zero(a_.size());
        eq_.set_kinematics(given, rest);
        const std::vector<Kinematics> before = eq_.kinematics();
        eq_.set_kinematics(q, rest);
        for (int b = 0; b < eq_.mechanism().bodies(); ++b) {
            const auto i = static_cast<std::size_t>(b);
            const Kinematics& now = eq_.kinematics()[i];
            report_.moves.push_back({b, now.r - before[i].r, log_so3(Mat3(now.D * before[i].D.transpose()))});
        }
    }

    void judge(const Vector& q) {
        const Stiffness stiffness(near_, q, a_.size());
        look(q);
        report_.stability = Stability::stable;
        report_.least_stiffness = stiffness.least();
        for (const auto& [k, direction] : stiffness.soft()) {
            const Vector mode = stiffness.directions() * direction;
            const double size = near_.size(mode);
            RestingMode shown{k, moves_of(mode / (size > 0 ? size : 1))};
            const bool falls = k < -stiffness.nothing();
            (falls ? report_.unstable : report_.neutral).push_back(std::move(shown));
        }
        if (!report_.unstable.empty())
            report_.stability = Stability::unstable;
        else if (!report_.neutral.empty())
            report_.stability = Stability::neutral;
    }

    Neighbourhood near_;
    RigidEquations& eq_;
    EquilibriumReport report_;
    Vector a_, trial_a_, p_, lambda_;
    double mass_ = 0, unbalanced_ = 0, acting_ = 0;
    bool dense_ = true;
};

} // namespace

EquilibriumReport find_equilibrium(RigidEquations& equations, Memory& memory, double t, Vector& q,
                                   bool newton_only) {
    return Search(equations, memory, t).run(q, newton_only);
}

void hold_at_equilibrium(RigidEquations& equations, Memory& memory, double t,
                         const std::vector<BodyMove>& moves, Vector& q) {
    Search(equations, memory, t).hold(q, moves);
}

void rest_with_velocities(const Mechanism& mechanism, RigidEquations& equations, Memory& memory, Vector& q,
                          Vector& v) {
    equations.set_kinematics(q, v);
    std::vector<Kinematics> moving = given_velocities(mechanism.model(), mechanism, equations.kinematics());
    // Angular velocities turn with their bodies: a spinning wheel spins about its axle.
    for (std::size_t b = 0; b < moving.size(); ++b) {
        const MechanismBody& body = mechanism.body()[b];
        const Vec3 w = moving[b].D * (body.start.D.transpose() * moving[b].w);
        moving[b].v += (w - moving[b].w).cross(moving[b].D * body.com);
        moving[b].w = w;
    }
    equations.pack(moving, q, v);
    Neighbourhood(equations, memory, 0).project(q, v);
}

std::string_view name_of(Stability stability) {
    switch (stability) {
    case Stability::stable:
        return "stable";
    case Stability::neutral:
        return "neutral";
    case Stability::unstable:
        return "unstable";
    case Stability::unknown:
        break;
    }
    return "unknown";
}

} // namespace tenon
