#pragma once
// A stepping scheme: how all participants get from one communication point to the next. What to do when they do not is
// the driver's business.

#include "core/math/bytes.hpp"
#include "tools/master/failure.hpp"
#include "tools/master/master.hpp"

#include <span>
#include <string>
#include <vector>

namespace tenon::master {

class Participant;

/// What a step of all participants has come to.
struct Outcome {
    bool early = false;     ///< one of them did not come to the end, but to `reached`
    bool event = false;     ///< one of them wants to handle events
    bool terminate = false; ///< one of them wants the simulation to end
    double reached = 0;     ///< the earliest time that one of them came to
    bool together = true;   ///< all of them came to it
    double error = 0;       ///< estimated, as a part of what is allowed; 0 without an estimate
    Failure failure{};

    bool is_plain() const { return !early && !event && !terminate && !failure && error == 0; }
};

/// Values of variables that place a participant in the world of all, instead of its start values.
struct Placement {
    std::size_t participant = 0;
    std::vector<fmi::Reference> references;
    std::vector<double> values;
};

class Scheme {
  public:
    virtual ~Scheme() = default;

    /// What the slave of a participant must be made with; before any slave is.
    virtual void complete(fmi::InstanceOptions&, Participant&) {}

    /// All participants from t to t + h; may restore the states of t, which have been saved. On return the outputs at the end are in Signals::next; Signals::now is as before.
    virtual Outcome advance(double t, double h) = 0;

    /// What has been learned from earlier steps may be wrong: forget it. False where there was nothing.
    virtual bool forget() { return false; }

    /// After a first initialisation: where participants are to begin instead. Empty: where they are. May throw as Master::initialize.
    virtual std::vector<Placement> assembly(double) { return {}; }
    /// Once, when all participants have been initialised. May throw as Master::initialize.
    virtual void start(double) {}
    /// The step that advance() has made is the one that the run goes on with.
    virtual void accept(double, double) {}
    /// These participants have handled events at time t: their values may have jumped. May throw as Master::step.
    virtual void after_events(double, std::span<const std::size_t>) {}

    /// Whether Outcome::error is the scheme's own estimate; then better_step() is the step that would have met the tolerance with a
    /// safe distance, after one of size h with this error.
    virtual bool estimates_error() const { return false; }
    virtual double better_step(double h, double) const { return h; }
    /// Steps that an error asks for are not smaller than this.
    virtual double least_step() const { return 0; }

    /// What it has to say for itself: columns of results with their values now, and its part of the report.
    virtual std::vector<Column> columns() const { return {}; }
    virtual void values(std::span<double>) const {}
    virtual void report(MasterReport&) const {}

    /// Everything that the next steps depend on, for checkpoints and for the way back from an event that failed.
    virtual void write(ByteWriter&) const {}
    virtual void read(ByteReader&) {}
};

} // namespace tenon::master
