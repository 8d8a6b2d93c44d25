#pragma once
// The result variables of a machine: one list of what they are, each with its own way of being read.

#include "core/equations/rigid_equations.hpp"
#include "core/simulation/simulation.hpp"

#include <memory>
#include <utility>

namespace tenon {

/// What is not in the kinematics and the reactions.
struct Totals {
    double kinetic = 0, potential = 0, work = 0;
    double position_violation = 0, velocity_violation = 0, acceleration_violation = 0;
    double iterations = 0;
};

/// A state with all that follows from it: `rigid` evaluated there, accelerations a (of its chart) and reactions lambda
/// (M a = Q + G^T lambda), work done through ports and flanges and its rate.
struct Solution {
    const RigidEquations& rigid;
    const Vector &a, &lambda, &port_work, &port_power;
    const Totals& totals;
};

/// Changes of accelerations and reactions, the state held.
struct Response {
    const RigidEquations& rigid;
    const Vector &da, &dlambda;
};

/// Where values are written, one after the other.
class ValueSink {
  public:
    explicit ValueSink(double* at) : at_(at) {}
    void put(double x) { *at_++ = x; }
    void put(const Vec3& x) {
        for (int i = 0; i < 3; ++i)
            put(x[i]);
    }
    void put(const Mat3& x) {
        for (int i = 0; i < 3; ++i)
            put(Vec3(x.row(i)));
    }
    void skip(int count) { at_ += count; } ///< what stays zero
    /// Room for the next ones, for who writes them by himself.
    std::span<double> next(std::size_t count) { return {std::exchange(at_, at_ + count), count}; }

  private:
    double* at_;
};

/// Reads some variables that are best computed together: those of a body, a joint, a port, ... Its constructor adds them to
/// the list, in the order in which the functions below write them.
class VariableReader {
  public:
    virtual ~VariableReader() = default;
    virtual void read(const Solution& solution, ValueSink out) const = 0;
    /// Derivatives by time, where the state gives them: of positions, rates, works of ports; the others stay zero.
    virtual void rates(const Solution&, ValueSink) const {}
    /// What depends on accelerations and reactions directly; the others stay zero.
    virtual void response(const Response&, ValueSink) const {}
};

/// The variables while they are added.
class VariableList {
  public:
    /// Returns the index of the variable; `rate_of` is that of the variable whose derivative by time it is.
    int add(Quantity quantity, int group = Variable::no_group, int rate_of = -1);
    /// Adds a reader; the variables that its constructor adds are its own.
    template <class Kind, class... Arguments> void read_by(const Arguments&... arguments);

    std::vector<Variable> variables;
    struct Entry {
        std::size_t first, end; ///< columns
        std::unique_ptr<VariableReader> reader;
    };
    std::vector<Entry> entries;
    std::size_t columns = 0;
    bool on_request = false; ///< what is added from now on
};

template <class Kind, class... Arguments> void VariableList::read_by(const Arguments&... arguments) {
    const std::size_t first = columns;
    auto reader = std::make_unique<Kind>(*this, arguments...);
    entries.push_back({first, columns, std::move(reader)});
}

/// A port fixed to its body, or to the world: where it is from the centre of mass, in body axes, and how it moves, in world axes.
struct PortFrame {
    int body = world;
    Vec3 point = Vec3::Zero();
    Mat3 axes = Mat3::Identity();

    PortFrame(const Mechanism& mechanism, const Port& port);
    struct Motion {
        Vec3 r, v, w, a, al;
        Mat3 R;
    };
    Motion motion(const RigidEquations& rigid, const Vector& a) const;
};

/// Readers of every element of the machine, in the order of the result file; what comes on request only is last.
void add_readers(VariableList& list, const Mechanism& mechanism);
void add_readers_on_request(VariableList& list, const Mechanism& mechanism);

class ResultVariables {
  public:
    explicit ResultVariables(const Mechanism& mechanism);

    const std::vector<Variable>& variables() const { return list_.variables; }
    const std::vector<Column>& columns() const { return columns_; }
    std::size_t usual_columns() const { return usual_columns_; }

    /// The first columns, as many as `values` has room for: all of them, or the usual ones.
    void read(const Solution& solution, std::span<double> values) const;
    void read_rates(const Solution& solution, std::span<double> values) const;
    void read_response(const Response& response, std::span<double> values) const;

  private:
    void resolve_outputs(const std::vector<Alias>& outputs, std::size_t first);
    const VariableList::Entry& entry_of(std::size_t column) const;
    template <class Read> void fill(std::span<double> values, Read read) const;

    struct Output { ///< another name, and perhaps another unit, of an element
        std::size_t column, source;
        double scale; ///< from the element's unit to the one the user wants
    };
    VariableList list_;
    std::vector<Column> columns_;
    std::size_t usual_columns_ = 0, own_columns_ = 0; ///< with and without the model's outputs
    std::vector<Output> outputs_;
    mutable std::vector<double> apart_; ///< where a reader on request writes for the sake of an output
};

} // namespace tenon
