#include "fmu/log.hpp"

namespace tenon::fmu {

bool Log::enable(std::string_view name, bool on) {
    for (std::size_t i = 0; i < log_categories.size(); ++i)
        if (name == log_categories[i].name) {
            enabled_[i] = on;
            return true;
        }
    return false;
}

void Log::write(Category category, const std::string& text) const {
    const auto i = static_cast<std::size_t>(category);
    if (!sink_ || !(enabled_[i] || always_ == static_cast<int>(i)))
        return;
    std::string escaped;
    for (const char c : text) {
        escaped += c;
        if (c == '#')
            escaped += c; // a single one would begin the name of a variable
    }
    sink_(category, log_categories[i].name, escaped.c_str());
}

} // namespace tenon::fmu
