#pragma once
// What went wrong in a step, as plain numbers: schemes meet failures often and on many threads, and only the one that
// ends the run is put into words.

#include "tools/import/slave.hpp"

#include <cstddef>

namespace tenon::master {

struct Failure {
    enum class Kind {
        none,
        call,          ///< an FMU answered with Discard, Error or Fatal
        not_finite,    ///< an output is not a number, or infinite
        no_fit,        ///< a value does not fit into the type of the input it goes to
        not_converged, ///< an iteration over inputs
        not_settled,   ///< the same, whose numbers agree, but values of other types still change
        inaccurate,    ///< the error estimate stays above the tolerance
        standstill,    ///< an FMU comes no further
        open_joint,    ///< the iteration over a joint's forces; slot: of the joint
        one_sample,    ///< an FMU looks at the forces on its ports once a step, which glue cannot work with
        lost_port      ///< the motion of a port is not a number; slot: of the port among those of its FMU
    };
    Kind kind = Kind::none;
    std::size_t participant = 0;
    const char* call = "";                ///< the FMI function without its prefix: "DoStep"
    fmi::Status status = fmi::Status::ok; ///< what it returned
    std::size_t slot = 0;        ///< not_finite: of the output; no_fit: wire; not_converged: of the input
    double h = 0;                ///< the step that failed
    double value = 0, limit = 0; ///< of the output, residual or error
    int iterations = 0;

    explicit operator bool() const { return kind != Kind::none; }
};

} // namespace tenon::master
