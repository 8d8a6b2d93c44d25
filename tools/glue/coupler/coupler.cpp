#include "tools/glue/coupler/coupler.hpp"

#include "core/math/error.hpp"

#include <algorithm>

namespace tenon::glue {

Coupler::Coupler(CouplerData data)
    : data_(std::move(data)), variables_(coupler_variables(data_)),
      motions_(data_.kind == PortKind::frame ? 18 : 2), efforts_(data_.kind == PortKind::frame ? 6 : 1),
      joint_(data_.joint, data_.kind, data_.start_a, data_.start_b) {
    const auto rows = static_cast<std::size_t>(joint_.rows());
    if (data_.stiffness.size() != rows || data_.damping.size() != rows)
        throw Error(ErrorKind::model, "a " + data_.joint.type + " joint has " + std::to_string(rows) +
                                          " rows, but there are " + std::to_string(data_.stiffness.size()) +
                                          " stiffnesses and " + std::to_string(data_.damping.size()) +
                                          " dampings");
    std::size_t next = 2 * rows;
    const bool is_port[] = {!data_.joint.world_a, !data_.joint.world_b};
    for (std::size_t side = 0; side < 2; ++side)
        if (is_port[side]) {
            sides_[side] = {true, next, next + motions_};
            next += motions_ + efforts_;
        }
    reset();
}

void Coupler::reset() {
    values_.clear();
    for (const CouplerVariable& variable : variables_)
        values_.push_back(variable.start);
    evaluated_ = false;
}

void Coupler::restore(const std::vector<double>& values) {
    values_ = values;
    evaluated_ = false;
}

std::size_t Coupler::checked(std::size_t reference) const {
    if (reference >= values_.size())
        throw Error(ErrorKind::usage,
                    "there is no variable with value reference " + std::to_string(reference));
    return reference;
}

double Coupler::get(std::size_t reference) {
    if (variables_[checked(reference)].role == CouplerVariable::Role::effort)
        evaluate();
    return values_[reference];
}

void Coupler::set(std::size_t reference, double value) {
    if (variables_[checked(reference)].role == CouplerVariable::Role::effort)
        throw Error(ErrorKind::usage, "'" + variables_[reference].name + "' is an output");
    values_[reference] = value;
    evaluated_ = false;
}

bool Coupler::is_unset(const SidePlace& side, const PortMotion& start) const {
    if (!side.is_port)
        return false;
    const auto is_zero = [](double x) { return x == 0; };
    const double* first = values_.data() + side.motion;
    const std::vector<double> begin = motion_values(start, data_.kind);
    return std::all_of(first, first + motions_, is_zero) && !std::all_of(begin.begin(), begin.end(), is_zero);
}

PortMotion Coupler::motion(const SidePlace& side, const PortMotion& start) const {
    return side.is_port ? motion_from(values_.data() + side.motion, data_.kind) : start;
}

void Coupler::evaluate() {
    if (evaluated_ && evaluated_time_ == time)
        return;
    // Axes of zeros have no angles: not even the rows can be had of them.
    const bool is_set = !is_unset(sides_[0], data_.start_a) && !is_unset(sides_[1], data_.start_b);
    RowVector lambda = RowVector::Zero(joint_.rows());
    if (is_set) {
        joint_.evaluate(time, motion(sides_[0], data_.start_a), motion(sides_[1], data_.start_b), rows_);
        for (int i = 0; i < joint_.rows(); ++i) {
            const double stiffness = values_[static_cast<std::size_t>(i)];
            const double damping = values_[static_cast<std::size_t>(joint_.rows() + i)];
            lambda[i] = -(stiffness * rows_.phi[i] + damping * rows_.rate[i]);
        }
    }
    for (std::size_t side = 0; side < 2; ++side) {
        Vec6 wrench = Vec6::Zero();
        if (is_set)
            wrench = (side == 0 ? rows_.Ba : rows_.Bb).transpose() * lambda;
        if (sides_[side].is_port)
            std::copy_n(wrench.data(), efforts_,
                        values_.begin() + static_cast<std::ptrdiff_t>(sides_[side].effort));
    }
    evaluated_ = true;
    evaluated_time_ = time;
}

} // namespace tenon::glue
