#include "core/model/roads/road_features.hpp"

#include <algorithm>

namespace tenon {

// Each is defined in the file of its name.
namespace roads {
RoadFeatureType bump(), ramp(), stairs(), plane(), table(), grid();
}

const std::vector<RoadFeatureType>& road_features() {
    static const std::vector<RoadFeatureType> types = {
        roads::bump(), roads::ramp(), roads::stairs(), roads::plane(), roads::table(), roads::grid(),
    };
    return types;
}

const RoadFeatureType* find_road_feature(std::string_view name) {
    for (const RoadFeatureType& type : road_features())
        if (type.choice.name == name)
            return &type;
    return nullptr;
}

const std::vector<ChoiceType>& road_feature_choices() {
    static const std::vector<ChoiceType> choices = [] {
        std::vector<ChoiceType> list;
        for (const RoadFeatureType& type : road_features())
            list.push_back(type.choice);
        return list;
    }();
    return choices;
}

std::size_t interval_of(const std::vector<double>& x, double at) {
    const auto above = std::upper_bound(x.begin() + 1, x.end() - 1, at);
    return static_cast<std::size_t>(above - x.begin()) - 1;
}

} // namespace tenon
