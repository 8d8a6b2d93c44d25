#pragma once
// Which scheme a system is stepped with, and what has to be said about it before the run.

#include "tools/master/ensemble.hpp"

#include <memory>

namespace tenon::master {

/// Adds remarks to the report. Throws InputError(malformed) where an FMU lacks what the chosen scheme needs, and for joints where `options`
/// have no scheme for them.
std::unique_ptr<Scheme> choose_scheme(Ensemble& ensemble, const MasterOptions& options);

/// Once all participants have been initialised: FMUs that say they can save their state and cannot do so lose the way back, with a
/// remark, unless the scheme needs it. True where there was one: after an error it has to be reset and initialised again.
bool lose_rollback(Ensemble& ensemble);

} // namespace tenon::master
