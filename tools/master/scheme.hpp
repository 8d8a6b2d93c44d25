#pragma once
// A stepping scheme: how all participants get from one communication point to the next. What to do when they do not is
// the driver's business. The glue of joints will be one more of these.

#include "tools/master/failure.hpp"

#include <string>

namespace tenon::master {

class ByteReader;
class ByteWriter;

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

class Scheme {
  public:
    virtual ~Scheme() = default;

    /// All participants from t to t + h. On return the outputs at the end are in Signals::next; Signals::now is as before.
    virtual Outcome advance(double t, double h) = 0;

    /// Whether advance() may go back to the start of its step: all states must then have been saved there.
    virtual bool goes_back() const = 0;

    /// What has been learned from earlier steps may be wrong: forget it. False where there was nothing.
    virtual bool forget() { return false; }

    /// Everything that the next steps depend on, for checkpoints.
    virtual void write(ByteWriter&) const {}
    virtual void read(ByteReader&) {}
};

} // namespace tenon::master
