// In the tool alone: the packed library does not carry itself.

#include "fmu/coupler/coupler_data.hpp"

// binary.S
extern "C" {
extern const char tenon_coupler_begin, tenon_coupler_end;
}

namespace tenon::fmu {

std::string_view coupler_library() { return {&tenon_coupler_begin, &tenon_coupler_end}; }

} // namespace tenon::fmu
