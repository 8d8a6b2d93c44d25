#pragma once
// The documentation that goes into an FMU.

#include "core/model/model.hpp"
#include "modelDescription/description.hpp"

#include <string>

namespace tenon {

/// documentation/index.html: what the model is, its interface, how to choose the integrator.
std::string documentation_page(const Model& model, const fmi::Description& description);

/// documentation/licenses/license.txt: of Tenon and of what is linked into the library.
std::string license_text();

} // namespace tenon
