#pragma once
// Random vectors, rotations and inertias that are the same on every machine: std distributions are not.

#include "core/math/rotation.hpp"

#include <cstdint>

namespace tenon::tests {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x1234567ULL) {}

    std::uint64_t bits() { // splitmix64
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    /// In [-1, 1).
    double number() { return static_cast<double>(bits() >> 11) * 0x1p-52 - 1; }
    double between(double low, double high) { return low + (high - low) * 0.5 * (number() + 1); }
    /// 0 ... n - 1.
    int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }
    Vec3 vec3() { return {number(), number(), number()}; }
    Vec3 direction() {
        while (true) {
            const Vec3 v = vec3();
            if (v.norm() > 0.1 && v.norm() <= 1)
                return v.normalized();
        }
    }
    Vec6 vec6() {
        Vec6 v;
        v << vec3(), vec3();
        return v;
    }
    Vector vector(Eigen::Index n) {
        Vector v(n);
        for (Eigen::Index i = 0; i < n; ++i)
            v[i] = number();
        return v;
    }
    Mat3 rotation() { return exp_so3(between(0, 3) * direction()); }
    /// Positive definite and possible for a body: that of a box of uniform density.
    Mat3 inertia(double mass) {
        const Vec3 e(between(0.1, 1), between(0.1, 1), between(0.1, 1));
        const Vec3 square = e.cwiseAbs2();
        const Mat3 R = rotation();
        return mass / 12 * R * (square.sum() * Vec3::Ones() - square).asDiagonal() * R.transpose();
    }

  private:
    std::uint64_t state_;
};

} // namespace tenon::tests
