#include "core/model/forces/force_types.hpp"

#include "core/math/error.hpp"
#include "core/model/joints/joint_types.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace tenon {

// Each is defined in the file of its name.
namespace forces {
ForceType spring_damper(), torsion_spring(), bushing(), force(), torque(), actuator(), joint_limit(), tyre(),
    contact();
}

namespace {

struct Registry {
    std::mutex mutex;
    std::atomic<bool> in_use = false; ///< somebody may hold references to types
    std::vector<ForceType> types = {
        forces::spring_damper(), forces::torsion_spring(), forces::bushing(),
        forces::force(),         forces::torque(),         forces::actuator(),
        forces::joint_limit(),   forces::tyre(),           forces::contact(),
    };
};

Registry& registry() {
    static Registry all;
    return all;
}

} // namespace

const std::vector<ForceType>& force_types() {
    Registry& all = registry();
    if (!all.in_use.load(std::memory_order_acquire)) {
        const std::lock_guard lock(all.mutex);
        all.in_use.store(true, std::memory_order_release);
    }
    return all.types;
}

void register_force_type(ForceType type) {
    Registry& all = registry();
    const std::lock_guard lock(all.mutex);
    const auto refuse = [&](const std::string& why) {
        const std::string name(type.name);
        throw Error(ErrorKind::usage, "force type '" + name + "' cannot be registered: " + why, name);
    };
    if (all.in_use.load(std::memory_order_acquire))
        refuse("models have been read or built already; register types first");
    if (type.name.empty() || type.build == nullptr)
        refuse("it needs a name and a function that builds it");
    if (std::ranges::find(all.types, type.name, &ForceType::name) != all.types.end())
        refuse("there is a type of this name");
    all.types.push_back(std::move(type));
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

bool is_given(const Force& force, const Key& key) {
    switch (key.type) {
    case ValueType::two_bodies:
        return force.first != world || force.second != world;
    case ValueType::body:
        return force.second != world;
    case ValueType::joint:
        return force.joint >= 0;
    default:
        return force.has(key.name);
    }
}

bool slides(const Force& force, const Model& model) {
    return force.joint < 0 || (force.joint < static_cast<int>(model.joints.size()) &&
                               type_of(model.joints[static_cast<std::size_t>(force.joint)]).slides());
}

std::string_view unit_along(bool slides, std::string_view unit, std::string_view sliding_unit) {
    return slides && !sliding_unit.empty() ? sliding_unit : unit;
}

} // namespace tenon
