#pragma once
// The extent of points, with and without one of them, and of bodies by their inertia.

#include "core/model/body.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

namespace tenon {

/// The box around points, with the second outermost in each direction, so that each point can be left out.
class Box {
  public:
    void add(const Vec3& p) {
        ++count_;
        for (int i = 0; i < 3; ++i) {
            for (double x = p[i]; double& least : least_[static_cast<std::size_t>(i)])
                if (x < least)
                    std::swap(x, least);
            for (double x = p[i]; double& most : most_[static_cast<std::size_t>(i)])
                if (x > most)
                    std::swap(x, most);
        }
    }
    double diagonal() const {
        return diagonal_of([](int, double) { return false; });
    }
    /// Without p, which is one of them.
    double diagonal_without(const Vec3& p) const {
        return diagonal_of([&](int i, double x) { return p[i] == x; });
    }

  private:
    template <class LeftOut> double diagonal_of(LeftOut left_out) const {
        Vec3 size = Vec3::Zero();
        for (int i = 0; i < 3 && count_ > 1; ++i) {
            const auto& [least, next_least] = least_[static_cast<std::size_t>(i)];
            const auto& [most, next_most] = most_[static_cast<std::size_t>(i)];
            size[i] = (left_out(i, most) ? next_most : most) - (left_out(i, least) ? next_least : least);
        }
        return size.cwiseMax(0).norm();
    }

    static constexpr double infinity = std::numeric_limits<double>::infinity();
    using Pair = std::array<double, 2>;
    std::array<Pair, 3> least_{Pair{infinity, infinity}, Pair{infinity, infinity}, Pair{infinity, infinity}};
    std::array<Pair, 3> most_{Pair{-infinity, -infinity}, Pair{-infinity, -infinity},
                              Pair{-infinity, -infinity}};
    int count_ = 0;
};

inline Vec3 principal_moments(const Body& body) {
    return Eigen::SelfAdjointEigenSolver<Mat3>(body.inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

inline double radius_of_gyration(const Body& body) {
    return body.mass > 0 ? std::sqrt(std::max(principal_moments(body)[2], 0.0) / body.mass) : 0;
}

/// Of an ellipsoid with this mass and these moments, J_i = m (a_j^2 + a_k^2) / 5; infinite where it is flat.
inline double density(const Body& body) {
    const Vec3 moments = principal_moments(body);
    const Vec3 squares = 2.5 / body.mass * (Vec3::Constant(moments.sum()) - 2 * moments);
    const double volume = 4.0 / 3 * std::numbers::pi * std::sqrt(squares.cwiseMax(0).prod());
    return volume > 0 ? body.mass / volume : std::numeric_limits<double>::infinity();
}

} // namespace tenon
