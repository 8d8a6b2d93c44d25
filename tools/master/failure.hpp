#pragma once
// What went wrong in a step, as plain numbers: schemes meet failures often and on many threads, and only the one that
// ends the run is put into words.

#include "tools/import/slave.hpp"

#include <cstddef>
#include <string>

namespace tenon::master {

class Ensemble;

struct Failure {
    enum class Kind {
        none,
        call,          ///< an FMU answered with Discard, Error or Fatal
        not_finite,    ///< an output is not a number, or infinite
        no_fit,        ///< a value does not fit into the type of the input it goes to
        not_converged, ///< an iteration: over inputs, or what `words` says
        not_settled,   ///< the same, whose numbers agree, but values of other types still change
        inaccurate,    ///< the error estimate stays above the tolerance
        standstill,    ///< an FMU comes no further
        unsuited       ///< the scheme cannot work with an FMU, whatever the step; `words` say why
    };
    Kind kind = Kind::none;
    std::size_t participant = 0;
    const char* call = "";                ///< the FMI function without its prefix: "DoStep"
    fmi::Status status = fmi::Status::ok; ///< what it returned
    std::size_t slot = 0;        ///< not_finite: of the output; no_fit: wire; not_converged: of the input
    double h = 0;                ///< the step that failed
    double value = 0, limit = 0; ///< of the output, residual or error
    int iterations = 0;
    /// For failures that a scheme alone knows: what is said instead of the words for the kind.
    std::string (*words)(const Ensemble&, const Failure&) = nullptr;

    explicit operator bool() const { return kind != Kind::none; }
};

} // namespace tenon::master
