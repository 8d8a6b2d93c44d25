#include "core/model/forces/force_types.hpp"

#include "core/math/error.hpp"

#include <algorithm>

namespace tenon {

// Each is defined in the file of its name.
namespace forces {
ForceType spring_damper(), torsion_spring(), bushing(), force(), torque(), tyre(), contact();
}

const std::vector<ForceType>& force_types() {
    static const std::vector<ForceType> types = {
        forces::spring_damper(), forces::torsion_spring(), forces::bushing(),
        forces::force(),         forces::torque(),
        forces::tyre(),          forces::contact(),
    };
    return types;
}

const ForceType* find_force_type(std::string_view name) {
    const auto found = std::ranges::find(force_types(), name, &ForceType::name);
    return found == force_types().end() ? nullptr : &*found;
}

const ForceType& type_of(const Force& force) {
    if (const ForceType* type = find_force_type(force.type))
        return *type;
    throw Error(ErrorKind::model, "force '" + force.name + "': there is no force type '" + force.type + "'",
                force.name + ".type");
}

const Key* ForceType::key(std::string_view key_name) const {
    const auto found = std::ranges::find(keys, key_name, &Key::name);
    return found == keys.end() ? nullptr : &*found;
}

const Key* ForceType::key(ValueType type) const {
    const auto found = std::ranges::find(keys, type, &Key::type);
    return found == keys.end() ? nullptr : &*found;
}

RoadSurface ForcePlace::surface() const {
    const std::string name = force.text("road");
    const auto named = [&] {
        if (name.empty() || !roads)
            return RoadSurface(force.vector("origin"), force.rotation("axes"));
        const auto found = std::ranges::find(*roads, name, &Road::name);
        if (found == roads->end())
            throw Error(ErrorKind::model, "force '" + force.name + "': there is no road '" + name + "'",
                        force.name + ".road");
        return RoadSurface(*found);
    };
    RoadSurface surface = named();
    surface.carry(first);
    return surface;
}

bool has_inputs(const Force& force) { return !type_of(force).inputs.empty() && force.flag("input"); }

} // namespace tenon
