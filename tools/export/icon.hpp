#pragma once
// Icons of an FMU, drawn here: small PNG pictures, the same bytes every time.

#include <string>

namespace tenon {

std::string machine_icon(); ///< 64 x 64: a tenon in its mortise
std::string frame_icon_png();
std::string flange_icon_png();

} // namespace tenon
