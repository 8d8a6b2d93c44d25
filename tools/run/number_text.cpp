#include "tools/run/number_text.hpp"

#include <cmath>
#include <fmt/format.h>

namespace tenon::run {

std::string short_number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; }

std::string counted(long number, std::string_view singular) {
    return fmt::format("{} {}{}", number, singular, number == 1 ? "" : "s");
}

} // namespace tenon::run
