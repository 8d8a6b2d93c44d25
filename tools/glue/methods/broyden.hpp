#pragma once
// Broyden's updates of an inverse that is known as a solver: after a step s that has changed the residual by y,
//
//     B+^-1 = B^-1 + (s - B^-1 y) s^T B^-1 / (s^T B^-1 y)
//
// kept as pairs of vectors (C. G. Broyden 1965, "good" update). Room for a fixed number of them.

#include "core/math/types.hpp"

#include <array>
#include <cmath>

namespace tenon::glue {

class Broyden {
  public:
    static constexpr std::size_t most = 16;

    explicit Broyden(Eigen::Index size) {
        for (std::size_t i = 0; i < most; ++i) {
            steps_[i] = Vector::Zero(size);
            changes_[i] = Vector::Zero(size);
        }
    }

    void clear() { count_ = 0; }
    /// x = B^-1 x, where x comes as that of the solver.
    void apply(Vector& x) const {
        for (std::size_t i = 0; i < count_; ++i)
            x += changes_[i] * steps_[i].dot(x);
    }
    /// `image` = B^-1 y.
    void add(const Vector& step, const Vector& image) {
        const double size = step.dot(image);
        if (count_ == most || !(std::abs(size) > 1e-3 * step.squaredNorm()))
            return; // it would make the inverse nearly singular
        steps_[count_] = step;
        changes_[count_] = (step - image) / size;
        ++count_;
    }

  private:
    std::size_t count_ = 0;
    std::array<Vector, most> steps_, changes_;
};

} // namespace tenon::glue
