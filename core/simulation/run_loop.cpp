#include "core/simulation/run_loop.hpp"

#include "core/math/digits.hpp"
#include "core/math/error.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon {
namespace {

class Loop {
  public:
    Loop(Stepped& machine, const Schedule& schedule, const LoopOptions& options, Observer& observer)
        : machine_(machine), schedule_(schedule), options_(options), observer_(observer), done_(options.done),
          last_row_(options.last_row), values_(machine.columns()) {}

    Ending run() {
        if (done_ == 0) {
            write_events(); // of the start
            write_row();
            observer_.checkpoint(0, schedule_.steps() == 0);
        }
        while (done_ < schedule_.steps()) {
            const bool goes_on = step();
            const bool events = write_events();
            const bool last = !goes_on || done_ == schedule_.steps();
            const bool stopped = !last && observer_.stops();
            if (last || events || done_ % options_.every == 0)
                write_row();
            observer_.stepped(machine_.time());
            if (last || stopped || observer_.wants_checkpoint())
                observer_.checkpoint(done_, last);
            if (!goes_on)
                return Ending::ended_early;
            if (stopped) {
                write_row();
                return Ending::interrupted;
            }
        }
        return Ending::done;
    }

  private:
    bool step() {
        try {
            const bool goes_on = machine_.step(schedule_.time(done_ + 1));
            ++done_;
            return goes_on;
        } catch (const Error&) {
            observer_.failed(done_);
            try {
                write_row();
            } catch (const Error&) { // who has failed need not answer; the failure itself is what is reported
            }
            throw;
        }
    }

    bool write_events() {
        const bool any =
            options_.rows && machine_.events([this](double time, std::span<const double> values) {
                observer_.row(time, values);
            });
        if (any)
            last_row_.reset(); // the row of this time comes behind those of its events
        return any;
    }

    /// Asking again for the same state does nothing.
    void write_row() {
        if (!options_.rows || last_row_ == machine_.time())
            return;
        machine_.read(values_);
        try {
            observer_.row(machine_.time(), values_);
        } catch (const Error&) {
            if (machine_.undo() && last_row_ != machine_.time()) {
                machine_.read(values_);
                observer_.row(machine_.time(), values_);
            }
            throw;
        }
        last_row_ = machine_.time();
    }

    Stepped& machine_;
    const Schedule& schedule_;
    const LoopOptions& options_;
    Observer& observer_;
    long done_;
    std::optional<double> last_row_;
    std::vector<double> values_;
};

/// Numbers of 1e200 m are still finite; their squares are not, and no row could be written.
void require_finite_energy(const Simulation& simulation) {
    const double energy = simulation.report().energy;
    const double work = simulation.state().work;
    if (!std::isfinite(energy) || !std::isfinite(work))
        throw Error(ErrorKind::computation,
                    std::string(std::isfinite(energy) ? "energy.work" : "energy.total") + " is not finite (" +
                        digits(std::isfinite(energy) ? work : energy) +
                        ") at t = " + digits(simulation.time()) + " s");
}

} // namespace

void require_finite_start(const Simulation& simulation) {
    std::vector<double> values(simulation.columns().size());
    simulation.read(values);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            throw Error(ErrorKind::model, simulation.columns()[i].name + " is not finite (" +
                                              digits(values[i]) +
                                              ") at the start; does the model have values that are very "
                                              "large or very small?");
}

Ending run_loop(Stepped& machine, const Schedule& schedule, const LoopOptions& options, Observer& observer) {
    return Loop(machine, schedule, options, observer).run();
}

SteppedModel::SteppedModel(Simulation& simulation, std::vector<std::size_t> columns)
    : simulation_(simulation), columns_(std::move(columns)),
      values_(std::ranges::any_of(columns_, [&](std::size_t i) { return i >= simulation.columns().size(); })
                  ? simulation.all_columns().size()
                  : simulation.columns().size()),
      before_(simulation.state()) {}

bool SteppedModel::step(double until) {
    before_ = simulation_.state();
    try {
        simulation_.step(until - simulation_.time());
        require_finite_energy(simulation_);
    } catch (const Error&) {
        undo();
        throw;
    }
    return true;
}

bool SteppedModel::undo() {
    simulation_.restore(before_);
    return true;
}

void SteppedModel::read(std::span<double> values) {
    simulation_.read(values_);
    for (std::size_t i = 0; i < columns_.size(); ++i)
        values[i] = values_[columns_[i]];
}

} // namespace tenon
