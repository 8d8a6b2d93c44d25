#include "core/model/tyres/tyre_laws.hpp"

#include <cmath>

namespace tenon {

// Each is defined in the file of its name; magic has both.
namespace tyres {
TyreLawType calspan(), lateral_linear(), lateral_viscous(), lateral_magic();
TyreLawType longitudinal_linear(), longitudinal_viscous(), longitudinal_magic();
} // namespace tyres

namespace {

TyreLawType none() { return {{.name = "none", .meaning = "no force", .keys = {}}, nullptr}; }

std::vector<ChoiceType> choices_of(const std::vector<TyreLawType>& types) {
    std::vector<ChoiceType> list;
    for (const TyreLawType& type : types)
        list.push_back(type.choice);
    return list;
}

} // namespace

const std::vector<TyreLawType>& lateral_laws() {
    static const std::vector<TyreLawType> types = {tyres::calspan(), tyres::lateral_magic(),
                                                   tyres::lateral_linear(), tyres::lateral_viscous(), none()};
    return types;
}

const std::vector<TyreLawType>& longitudinal_laws() {
    static const std::vector<TyreLawType> types = {tyres::longitudinal_magic(), tyres::longitudinal_linear(),
                                                   tyres::longitudinal_viscous(), none()};
    return types;
}

const std::vector<ChoiceType>& lateral_choices() {
    static const std::vector<ChoiceType> choices = choices_of(lateral_laws());
    return choices;
}

const std::vector<ChoiceType>& longitudinal_choices() {
    static const std::vector<ChoiceType> choices = choices_of(longitudinal_laws());
    return choices;
}

std::unique_ptr<TyreLaw> make_tyre_law(const std::vector<TyreLawType>& types, const Choice& given) {
    for (const TyreLawType& type : types)
        if (type.choice.name == given.type && type.make)
            return type.make(given);
    return nullptr;
}

double saturation(double x) {
    const double size = std::abs(x);
    return size < 3 ? x - x * size / 3 + x * x * x / 27 : (x > 0 ? 1.0 : -1.0);
}

} // namespace tenon
