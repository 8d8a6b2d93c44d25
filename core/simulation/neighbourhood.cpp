#include "core/simulation/neighbourhood.hpp"

#include "core/integrators/integrator.hpp"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

/// What is left of a direction's own diagonal, relative to it, where it follows from others: squared, as the diagonal is.
constexpr double follows_from_others = 1e-9;
/// A motion that unit forces hardly cause, against the easiest one: rounding.
constexpr double held_fast = 1e-13;

double machine_length(const Mechanism& mechanism) {
    std::vector<Vec3> points;
    for (const MechanismBody& body : mechanism.body())
        points.push_back(body.start.r);
    for (const Joint& joint : mechanism.model().joints)
        points.push_back(joint.at);
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : points)
        middle += p / static_cast<double>(points.size());
    double mean = 0;
    for (const Vec3& p : points)
        mean += (p - middle).norm() / static_cast<double>(points.size());
    return mean > 1e-6 ? mean : 1.0;
}

} // namespace

Neighbourhood::Neighbourhood(RigidEquations& equations, Memory& memory, double t)
    : eq_(equations), memory_(memory), t_(t), length_(machine_length(equations.mechanism())) {
    const ExplicitSizes sizes = eq_.sizes();
    projection_.allocate(sizes);
    zero_v_ = change_ = Vector::Zero(sizes.v);
    zero_rows_ = rhs_ = reaction_ = Vector::Zero(sizes.rows);
}

double Neighbourhood::size(const Vector& displacement) const {
    double most = 0;
    for (Eigen::Index i = 0; i < displacement.size(); i += 6)
        most = std::max(
            {most, displacement.segment<3>(i).norm(), length_ * displacement.segment<3>(i + 3).norm()});
    return most;
}

Matrix Neighbourhood::directions(const Vector& q, int most) {
    const Eigen::Index n = zero_v_.size();
    eq_.evaluate_rows(t_, q, zero_v_);
    eq_.factor(Metric::mass);
    Matrix all(n, n); // N N^T
    Vector unit = zero_v_, a = zero_v_, lambda = zero_rows_;
    for (Eigen::Index i = 0; i < n; ++i) {
        unit[i] = 1;
        eq_.solve(unit, zero_rows_, a, lambda);
        all.col(i) = a;
        unit[i] = 0;
    }
    // Metres and radians are compared by the length; a motion is judged against its own diagonal.
    const auto weight = [&](Eigen::Index i) { return i % 6 < 3 ? 1.0 : length_ * length_; };
    Vector left = all.diagonal();
    double easiest = 0;
    for (Eigen::Index i = 0; i < n; ++i)
        easiest = std::max(easiest, weight(i) * left[i]);
    Matrix N(n, std::min<Eigen::Index>(most, n));
    Eigen::Index rank = 0;
    const Vector whole = left;
    while (rank < N.cols()) {
        Eigen::Index pivot = -1;
        double best = follows_from_others;
        for (Eigen::Index i = 0; i < n; ++i) {
            if (weight(i) * whole[i] > held_fast * easiest && left[i] > best * whole[i]) {
                best = left[i] / whole[i];
                pivot = i;
            }
        }
        if (pivot < 0)
            break;
        Vector column = all.col(pivot);
        column -= N.leftCols(rank) * N.row(pivot).head(rank).transpose();
        column /= std::sqrt(left[pivot]);
        left -= column.cwiseAbs2();
        left[pivot] = 0;
        N.col(rank++) = column;
    }
    return N.leftCols(rank);
}

bool Neighbourhood::move(Vector& q, const Vector& displacement) {
    before_ = q;
    eq_.correct(q, displacement);
    try {
        projection_.positions(eq_, t_, q, zero_v_, Metric::mass, 30, 1e-13, 1e-9);
    } catch (const NotConverged&) {
        q = before_;
        return false;
    }
    return q.allFinite();
}

bool Neighbourhood::settle(Vector& q, const Vector& displacement) {
    if (!move(q, displacement))
        return false;
    remember(q);
    return true;
}

void Neighbourhood::remember(const Vector& q) {
    eq_.set_kinematics(q, zero_v_);
    const std::vector<Coordinate>& slots = eq_.mechanism().slot_coordinates();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        double value = 0, rate = 0;
        eq_.measure(slots[i], value, rate);
        memory_.angle[static_cast<Eigen::Index>(i)] = value;
    }
}

void Neighbourhood::at_rest(const Vector& q, Vector& a, Vector& lambda) {
    eq_.evaluate(t_, q, zero_v_);
    eq_.factor(Metric::mass);
    eq_.solve(eq_.force(), zero_rows_, a, lambda);
}

void Neighbourhood::moving(const Vector& q, const Vector& v, Vector& a, Vector& lambda) {
    eq_.evaluate(t_, q, v);
    eq_.factor(Metric::mass);
    rhs_ = -eq_.bias();
    eq_.solve(eq_.force(), rhs_, a, lambda);
}

void Neighbourhood::project(const Vector& q, Vector& v) {
    eq_.evaluate_rows(t_, q, v);
    projection_.velocities(eq_, v, Metric::mass);
}

void Neighbourhood::project_still(const Vector& q, Vector& v) {
    eq_.evaluate_rows(t_, q, zero_v_);
    eq_.factor(Metric::mass);
    eq_.row_times(v, rhs_);
    rhs_ = -rhs_;
    eq_.solve(zero_v_, rhs_, change_, reaction_);
    v += change_;
}

} // namespace tenon
