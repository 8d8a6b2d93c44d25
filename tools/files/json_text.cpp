#include "tools/files/json_text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tenon {
namespace {

/// 10 for 10.0.
Json with_short_numbers(Json json) {
    if (json.is_number_float()) {
        const double value = json;
        constexpr double exact = 1e15;
        if (std::abs(value) < exact && value == std::trunc(value) && !(value == 0 && std::signbit(value)))
            return static_cast<std::int64_t>(value);
    } else if (json.is_structured()) {
        for (Json& part : json)
            part = with_short_numbers(std::move(part));
    }
    return json;
}

} // namespace

std::string json_text(const Json& json) {
    return with_short_numbers(json).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace tenon
