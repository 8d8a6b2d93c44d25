#include "tools/master/schemes/loop_jacobian.hpp"

#include "core/math/error.hpp"
#include "tools/master/failure_text.hpp"
#include "tools/master/port_exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenon::master {
namespace {

/// Columns of the Jacobian, one input at a time. An input acts on the outputs of its own FMU only.
class Columns {
  public:
    Columns(Ensemble& ensemble, const Loop& loop) : ensemble_(ensemble), loop_(loop) {}

    bool derivatives(Eigen::Index column, Eigen::MatrixXd& jacobian);
    void differences(Eigen::Index column, Eigen::MatrixXd& jacobian);

  private:
    const Wiring::Wire& wire(Eigen::Index i) const { return *loop_.wires[static_cast<std::size_t>(i)]; }
    std::size_t owner(const Wiring::Wire& w) const { return ensemble_.wiring.inputs()[w.to].participant; }
    std::size_t source(const Wiring::Wire& w) const { return ensemble_.wiring.outputs()[w.from].participant; }
    double brought_by(const Wiring::Wire& w) const {
        return std::get<double>(
            ensemble_.wiring.value(w, ensemble_.participants, ensemble_.signals.now.data()));
    }
    void read_outputs(std::size_t participant);

    Ensemble& ensemble_;
    const Loop& loop_;
};

/// False where the FMU has no derivatives, or none for these types.
bool Columns::derivatives(Eigen::Index column, Eigen::MatrixXd& jacobian) {
    const Wiring::Wire& moved = wire(column);
    const Port& known = ensemble_.wiring.inputs()[moved.to];
    Participant& participant = *ensemble_.participants[known.participant];
    if (!participant.description->capabilities.directional_derivatives || known.block != Port::shared)
        return false;
    std::vector<fmi::Reference> unknowns;
    std::vector<std::size_t> slots; // of the outputs, element by element
    for (const std::size_t output : loop_.outputs) {
        const Port& port = ensemble_.wiring.outputs()[output];
        if (port.participant != known.participant)
            continue;
        if (port.block != Port::shared)
            return false;
        unknowns.push_back(port.reference);
        for (std::size_t i = 0; i < port.count; ++i)
            slots.push_back(port.first + i);
    }
    std::vector<double> seed(known.count, 0), sensitivity(slots.size());
    seed[moved.to_index - known.first] = 1;
    if (!participant.succeeded(
            "GetDirectionalDerivative",
            participant.slave->directional_derivative(unknowns, {&known.reference, 1}, seed, sensitivity))) {
        if (participant.failure.status > fmi::Status::discard) // nothing more may be asked of it
            throw Error(ErrorKind::computation,
                        describe(ensemble_, ensemble_.system.system.master.start, participant.failure),
                        participant.name);
        participant.failure = {};
        return false;
    }
    for (Eigen::Index row = 0; row < jacobian.rows(); ++row) {
        if (source(wire(row)) != known.participant)
            continue;
        const auto slot = std::ranges::find(slots, wire(row).from_index);
        jacobian(row, column) +=
            wire(row).what->factor * sensitivity[static_cast<std::size_t>(slot - slots.begin())];
    }
    return true;
}

void Columns::read_outputs(std::size_t participant) {
    for (const std::size_t output : loop_.outputs)
        if (ensemble_.wiring.outputs()[output].participant == participant)
            require_read(ensemble_, output);
}

void Columns::differences(Eigen::Index column, Eigen::MatrixXd& jacobian) {
    const Wiring::Wire& moved = wire(column);
    const std::size_t participant = owner(moved);
    const double x = loop_.x[column];
    const double precision = loop_.single_precision ? std::numeric_limits<float>::epsilon()
                                                    : std::numeric_limits<double>::epsilon();
    const Port& port = ensemble_.wiring.inputs()[moved.to];
    const double nominal =
        nominal_value(ensemble_.participants[participant]->description->variables[port.variable]);
    const double step = std::sqrt(precision) * std::max(std::abs(x), nominal);
    Eigen::VectorXd before(jacobian.rows());
    for (Eigen::Index row = 0; row < jacobian.rows(); ++row)
        before[row] = brought_by(wire(row));

    set_input_value(ensemble_, moved, x + step);
    const double made = input_value(ensemble_, moved) - x; // as it was rounded
    require_set(ensemble_, moved.to);
    read_outputs(participant);
    for (Eigen::Index row = 0; row < jacobian.rows(); ++row)
        if (source(wire(row)) == participant)
            jacobian(row, column) += (brought_by(wire(row)) - before[row]) / made;
    set_input_value(ensemble_, moved, x);
    require_set(ensemble_, moved.to);
    read_outputs(participant);
}

} // namespace

double input_value(const Ensemble& ensemble, const Wiring::Wire& wire) {
    const Port& port = ensemble.wiring.inputs()[wire.to];
    return port.block == Port::shared
               ? ensemble.signals.inputs[wire.to_index]
               : ensemble.participants[port.participant]->other_inputs[port.block].number(wire.to_index);
}

bool set_input_value(Ensemble& ensemble, const Wiring::Wire& wire, double value) {
    const Port& port = ensemble.wiring.inputs()[wire.to];
    if (port.block != Port::shared)
        return ensemble.participants[port.participant]->other_inputs[port.block].assign(wire.to_index,
                                                                                        Scalar(value));
    ensemble.signals.inputs[wire.to_index] = value;
    return true;
}

Eigen::MatrixXd loop_jacobian(Ensemble& ensemble, const Loop& loop, bool by_differences) {
    const Eigen::Index n = loop.x.size();
    Eigen::MatrixXd jacobian = -Eigen::MatrixXd::Identity(n, n);
    Columns columns(ensemble, loop);
    for (Eigen::Index column = 0; column < n; ++column)
        if (by_differences || !columns.derivatives(column, jacobian))
            columns.differences(column, jacobian);
    return jacobian;
}

} // namespace tenon::master
