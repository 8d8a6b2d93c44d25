#include "tools/master/algebraic_loop.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"
#include "modelDescription/words.hpp"
#include "tools/files/errors.hpp"
#include "tools/master/port_exchange.hpp"
#include "tools/master/schemes/loop_jacobian.hpp"
#include "tools/master/value_names.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::master {
namespace {

constexpr std::size_t most_names = 8;
constexpr int most_halvings = 10;

class LoopSolver {
  public:
    LoopSolver(Ensemble& ensemble, const std::vector<std::size_t>& component);
    void solve();

  private:
    bool newton(bool by_differences);
    bool improve(const Eigen::VectorXd& step);
    bool evaluate(const Eigen::VectorXd& x);
    double size(const Eigen::VectorXd& residual) const {
        return residual.cwiseQuotient(scale()).cwiseAbs().maxCoeff();
    }
    Eigen::VectorXd scale() const { return loop_.x.cwiseAbs().cwiseMax(nominal_); }
    bool hand_on_others();
    std::string names() const;
    [[noreturn]] void fail(const std::string& what) const;

    Ensemble& ensemble_;
    Loop loop_;
    std::vector<const Wiring::Wire*> others_; ///< wires of other types within the loop
    Eigen::VectorXd nominal_;
    double tolerance_;
    int iterations_ = 0;
};

LoopSolver::LoopSolver(Ensemble& ensemble, const std::vector<std::size_t>& component)
    : ensemble_(ensemble), tolerance_(ensemble.system.system.master.tolerance) {
    const Wiring& wiring = ensemble.wiring;
    const std::size_t first_output = wiring.inputs().size();
    for (const std::size_t node : component)
        node < first_output ? loop_.inputs.push_back(node) : loop_.outputs.push_back(node - first_output);
    for (const std::size_t input : loop_.inputs)
        for (const Wiring::Wire& wire : wiring.wires_to(input)) {
            const bool within = std::ranges::binary_search(loop_.outputs, wire.from);
            const fmi::Type from = wiring.outputs()[wire.from].type, to = wiring.inputs()[wire.to].type;
            if (!within)
                require_transfer(ensemble, wire);
            else if (fmi::is_float(from) && fmi::is_float(to))
                loop_.wires.push_back(&wire);
            else
                others_.push_back(&wire);
            if (within && (from == fmi::Type::float32 || to == fmi::Type::float32)) {
                loop_.single_precision = true;
                tolerance_ = std::max(tolerance_, 8.0 * std::numeric_limits<float>::epsilon());
            }
        }
    const auto n = static_cast<Eigen::Index>(loop_.wires.size());
    loop_.x = loop_.residual = nominal_ = Eigen::VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        const Port& port = wiring.inputs()[loop_.wires[static_cast<std::size_t>(i)]->to];
        nominal_[i] =
            nominal_value(ensemble.participants[port.participant]->description->variables[port.variable]);
        loop_.x[i] = input_value(ensemble, *loop_.wires[static_cast<std::size_t>(i)]);
    }
}

std::string LoopSolver::names() const {
    std::string text;
    std::size_t shown = 0;
    for (const std::size_t input : loop_.inputs) {
        const Port& port = ensemble_.wiring.inputs()[input];
        if (++shown > most_names)
            return text + fmt::format(" and {} more", loop_.inputs.size() - most_names);
        const std::string name =
            ensemble_.participants[port.participant]->name + "." +
            ensemble_.participants[port.participant]->description->variables[port.variable].name;
        text += (text.empty() ? "'" : ", '") + printable(name, 120) + "'";
    }
    return text;
}

void LoopSolver::fail(const std::string& what) const {
    throw Error(ErrorKind::computation,
                fmt::format("t={}: the algebraic loop over {} {}",
                            digits(ensemble_.system.system.master.start), names(), what));
}

/// Sets the inputs to x and leaves r(x) behind. False where an FMU does not take them, or gives something that is not finite.
bool LoopSolver::evaluate(const Eigen::VectorXd& x) {
    loop_.x = x;
    for (std::size_t i = 0; i < loop_.wires.size(); ++i)
        if (!set_input_value(ensemble_, *loop_.wires[i], x[static_cast<Eigen::Index>(i)]))
            return false;
    const auto may_go_on = [&](bool success, std::size_t participant) {
        const Failure& failure = ensemble_.participants[participant]->failure;
        if (!success && failure.status > fmi::Status::discard)
            fail(fmt::format("cannot be evaluated: {}: {} returned an error{}", ensemble_.who(participant),
                             failure.call, ensemble_.says(participant)));
        return success;
    };
    for (const std::size_t input : loop_.inputs)
        if (!may_go_on(set_port(ensemble_, input), ensemble_.wiring.inputs()[input].participant))
            return false;
    for (const std::size_t output : loop_.outputs)
        if (!may_go_on(read_port(ensemble_, output), ensemble_.wiring.outputs()[output].participant))
            return false;
    for (std::size_t i = 0; i < loop_.wires.size(); ++i)
        loop_.residual[static_cast<Eigen::Index>(i)] =
            std::get<double>(ensemble_.wiring.value(*loop_.wires[i], ensemble_.participants,
                                                    ensemble_.signals.now.data())) -
            x[static_cast<Eigen::Index>(i)];
    return loop_.residual.allFinite();
}

/// Along the step as far as it makes the residual smaller.
bool LoopSolver::improve(const Eigen::VectorXd& step) {
    const Eigen::VectorXd from = loop_.x;
    const double before = size(loop_.residual);
    double part = 1;
    for (int i = 0; i <= most_halvings; ++i, part /= 2)
        if (evaluate(from + part * step) &&
            (size(loop_.residual) < before || size(loop_.residual) <= tolerance_))
            return true;
    evaluate(from);
    return false;
}

bool LoopSolver::newton(bool by_differences) {
    for (int i = 0; i < ensemble_.system.system.master.max_iterations; ++i) {
        if (size(loop_.residual) <= tolerance_)
            return true;
        ++iterations_;
        const Eigen::MatrixXd jacobian = loop_jacobian(ensemble_, loop_, by_differences);
        Eigen::FullPivLU<Eigen::MatrixXd> factors(jacobian);
        factors.setThreshold(by_differences ? 1e-7 : 1e-12); // differences are known to half the digits
        if (!factors.isInvertible() && !by_differences)
            return false;
        if (!factors.isInvertible())
            fail(fmt::format("is singular: its equations have rank {} of {}; residual {:.3g} (limit {})",
                             factors.rank(), jacobian.rows(), size(loop_.residual), digits(tolerance_)));
        if (!improve(factors.solve(-loop_.residual)))
            return false;
    }
    return size(loop_.residual) <= tolerance_;
}

/// One after the other, each with what the last one has led to: all at once, a value could be passed round for ever.
bool LoopSolver::hand_on_others() {
    bool any = false;
    for (const Wiring::Wire* wire : others_) {
        bool changed = false;
        require_transfer(ensemble_, *wire, &changed);
        if (!changed)
            continue;
        any = true;
        require_set(ensemble_, wire->to);
        const std::size_t participant = ensemble_.wiring.inputs()[wire->to].participant;
        for (const std::size_t output : loop_.outputs)
            if (ensemble_.wiring.outputs()[output].participant == participant)
                require_read(ensemble_, output);
    }
    return any;
}

void LoopSolver::solve() {
    for (int round = 0; round < ensemble_.system.system.master.max_iterations; ++round) {
        if (!evaluate(Eigen::VectorXd(loop_.x)))
            fail("cannot be evaluated with its start values");
        // An FMU's derivatives may be wrong where its values are not.
        if (loop_.x.size() > 0 && !newton(false) && !newton(true))
            fail(fmt::format("does not converge: residual {:.3g} > {} after {} Newton iterations",
                             size(loop_.residual), digits(tolerance_), iterations_));
        if (hand_on_others())
            continue;
        ensemble_.remark(
            fmt::format("algebraic loop at the start over {}: solved by Newton's method in {} iteration{}",
                        names(), iterations_, iterations_ == 1 ? "" : "s"));
        return;
    }
    fail(fmt::format("does not come to rest: discrete values still change after {} rounds",
                     ensemble_.system.system.master.max_iterations));
}

} // namespace

void solve_loop(Ensemble& ensemble, const std::vector<std::size_t>& component) {
    LoopSolver(ensemble, component).solve();
}

} // namespace tenon::master
