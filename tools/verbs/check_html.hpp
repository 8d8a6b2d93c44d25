#pragma once
// The report of `tenon check --html`: for whoever made the FMU, who may never have heard of Tenon.

#include "tools/check/check_fmu.hpp"

#include <string>

namespace tenon::verbs {

/// One page without scripts and without links to anything outside. All texts of the FMU are escaped.
std::string check_html(const check::CheckReport& report, const std::string& file);

} // namespace tenon::verbs
