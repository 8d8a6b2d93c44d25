#include "tools/system/endpoint_names.hpp"

#include "core/model/suggest.hpp"

namespace tenon::system {

FmuNames::FmuNames(const System& system) {
    for (std::size_t i = 0; i < system.fmus.size(); ++i)
        names_.emplace(system.fmus[i].name, i);
}

std::optional<SplitName> FmuNames::split(std::string_view text, char separator) const {
    for (std::size_t at = text.rfind(separator); at != text.npos && at > 0;
         at = text.rfind(separator, at - 1))
        if (const auto place = names_.find(text.substr(0, at)); place != names_.end() && at + 1 < text.size())
            return SplitName{place->second, std::string(text.substr(at + 1))};
    return {};
}

std::string FmuNames::suggest(std::string_view text, char separator) const {
    std::vector<std::string> names;
    for (const auto& [name, index] : names_)
        names.emplace_back(name);
    return suggestion(text.substr(0, text.find(separator)), names);
}

std::string side_text(const System& system, const Side& side) {
    return side.fmu ? system.fmus[*side.fmu].name + "/" + side.terminal : "world";
}

} // namespace tenon::system
