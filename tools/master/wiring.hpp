#pragma once
// The connections of a system as the master runs them: every connected variable has its place, and a wire is a copy from
// one place to another. Wires between float64 variables, nearly all there are, are pairs of indices into two arrays.

#include "tools/master/participant.hpp"
#include "tools/system/system.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tenon::master {

using Participants = std::vector<std::unique_ptr<Participant>>;

/// A connected variable.
struct Port {
    static constexpr std::size_t shared = static_cast<std::size_t>(-1);
    std::size_t participant = 0, variable = 0; ///< variable: index in the description
    fmi::Type type = fmi::Type::float64;
    fmi::Reference reference = 0;
    /// Which of the participant's blocks of other values it is in; `shared`: among the float64 of all participants.
    std::size_t block = shared;
    std::size_t first = 0, count = 1; ///< its elements there
};

/// What counts as large for a variable: its nominal value, 1 where it gives none.
inline double nominal_value(const fmi::Variable& variable) {
    const double nominal = std::abs(variable.nominal.value_or(1));
    return nominal > 0 && std::isfinite(nominal) ? nominal : 1;
}

/// Values of all participants: float64 inputs and outputs, each participant's in one piece.
struct Signals {
    std::vector<double> inputs;
    std::vector<double> now;  ///< outputs at the current time
    std::vector<double> next; ///< outputs at the end of the step under way
};

class Wiring {
  public:
    /// A wire with its places; `from` and `to` are indices of ports.
    struct Wire {
        std::size_t from = 0, from_index = 0, to = 0, to_index = 0; ///< indices: in the block, or the slot
        const system::CheckedSystem::Wire* what = nullptr;
    };

    /// Gives all connected variables of `participants` their places, with the start values of inputs. The system must
    /// outlive it.
    Wiring(const system::CheckedSystem& system, Participants& participants, Signals& signals);

    const std::vector<Port>& inputs() const { return inputs_; }
    const std::vector<Port>& outputs() const { return outputs_; }
    const std::vector<Wire>& wires() const { return wires_; }

    /// The float64 inputs of a participant from `outputs`.
    void gather(std::size_t participant, const double* outputs, double* inputs) const {
        const Range copies = copy_ranges_[participant], lines = line_ranges_[participant];
        for (std::size_t i = copies.first; i < copies.last; ++i)
            inputs[copies_[i].to] = outputs[copies_[i].from];
        for (std::size_t i = lines.first; i < lines.last; ++i)
            inputs[lines_[i].to] = lines_[i].factor * outputs[lines_[i].from] + lines_[i].offset;
    }
    bool has_others() const { return !others_.empty(); }
    /// The inputs that gather() leaves out: of other types, or from others. `changed` becomes true where one is not what
    /// it was. False: `failure` says which value does not fit.
    bool gather_others(std::size_t participant, Participants& participants, const double* outputs,
                       double* inputs, Failure& failure, bool* changed = nullptr) const {
        return gather_list(others_, other_ranges_[participant], participant, participants, outputs, inputs,
                           failure, changed);
    }
    /// Discrete inputs of a participant with event mode, which may change in that mode only: no other function gathers
    /// them. Otherwise as gather_others().
    bool gather_held(std::size_t participant, Participants& participants, const double* outputs,
                     double* inputs, Failure& failure, bool* changed) const {
        return gather_list(held_, held_ranges_[participant], participant, participants, outputs, inputs,
                           failure, changed);
    }
    /// One wire of any kind. False where the value does not fit.
    bool transfer(const Wire& wire, Participants& participants, const double* outputs, double* inputs,
                  bool* changed = nullptr) const;
    /// What a wire brings to its target.
    Scalar value(const Wire& wire, const Participants& participants, const double* outputs) const;
    /// The wires that lead to an input port.
    std::span<const Wire> wires_to(std::size_t port) const;

    /// For float64 inputs, by slot; slots that are only there to fill a cache line are not continuous.
    const std::vector<char>& continuous() const { return continuous_; }
    const std::vector<double>& nominal() const { return nominal_; }

    /// "crank.angle"
    std::string input_name(std::size_t slot) const { return name(inputs_, slot); }
    std::string output_name(std::size_t slot) const { return name(outputs_, slot); }
    std::string wire_target_name(std::size_t wire) const;

  private:
    struct Range {
        std::size_t first = 0, last = 0;
    };
    struct Copy {
        std::uint32_t from = 0, to = 0;
    };
    struct Line {
        std::uint32_t from = 0, to = 0;
        double factor = 1, offset = 0;
    };

    void find_ports();
    void place_ports(Participants& participants, Signals& signals);
    void place_inputs(Participant& participant, std::span<Port> ports, Signals& signals);
    void place_outputs(Participant& participant, std::span<Port> ports, Signals& signals);
    void make_wires(const Participants& participants);
    void sort_in(std::size_t wire, bool event_mode);
    bool gather_list(const std::vector<std::size_t>& wires, Range range, std::size_t participant,
                     Participants& participants, const double* outputs, double* inputs, Failure& failure,
                     bool* changed) const;
    std::string name(const std::vector<Port>& ports, std::size_t slot) const;

    const system::CheckedSystem& system_;
    std::vector<Port> inputs_, outputs_; ///< in the order of participants, then of variables
    std::vector<Wire> wires_;            ///< in the order of targets
    std::vector<Copy> copies_;
    std::vector<Line> lines_;
    std::vector<std::size_t> others_, held_;                                    ///< indices of wires_
    std::vector<Range> copy_ranges_, line_ranges_, other_ranges_, held_ranges_; ///< for each participant
    std::vector<char> continuous_;
    std::vector<double> nominal_;
};

} // namespace tenon::master
