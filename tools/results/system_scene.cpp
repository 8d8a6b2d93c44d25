#include "tools/results/system_scene.hpp"

#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/model_bytes.hpp"
#include "core/model/placement.hpp"
#include "fmu/blueprint.hpp"
#include "tools/files/errors.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace tenon::results {
namespace {

/// Where the FMU's world is in the master's.
struct Place {
    Vec3 r = Vec3::Zero();
    Mat3 R = Mat3::Identity();
};

/// Which of the twelve numbers a parameter of FMI 2.0 is; null where it is none of them.
double* number_of(Place& place, const std::string& name) {
    for (int i = 0; i < 3; ++i) {
        if (name == fmt::format("world_r[{}]", i + 1))
            return &place.r[i];
        for (int j = 0; j < 3; ++j)
            if (name == fmt::format("world_R[{},{}]", i + 1, j + 1))
                return &place.R(i, j);
    }
    return nullptr;
}

Place place_of(const system::CheckedSystem& checked, std::size_t fmu) {
    using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    Place place;
    for (const system::CheckedSystem::Assignment& assignment : checked.assignments[fmu]) {
        const std::string& name = checked.fmus[fmu]->description().variables[assignment.variable].name;
        const auto* values = std::get_if<std::vector<double>>(&assignment.values);
        if (!values || values->empty())
            continue;
        if (name == "world_r" && values->size() == 3)
            place.r = Eigen::Map<const Vec3>(values->data());
        else if (name == "world_R" && values->size() == 9)
            place.R = Eigen::Map<const RowMajor>(values->data());
        else if (double* number = number_of(place, name))
            *number = values->front();
    }
    return place;
}

/// `first` is where the elements of the added machine begin; the world and "none" are negative and stay.
void shift(int& index, std::size_t first) {
    if (index >= 0)
        index += static_cast<int>(first);
}

/// Adds a machine to another; their elements do not touch.
void add(Model& all, Model part, const std::string& prefix) {
    const std::size_t bodies = all.bodies.size(), joints = all.joints.size();
    for (Joint& joint : part.joints) {
        shift(joint.first, bodies);
        shift(joint.second, bodies);
        shift(joint.joint1, joints);
        shift(joint.joint2, joints);
    }
    for (Force& force : part.forces) {
        shift(force.first, bodies);
        shift(force.second, bodies);
        shift(force.joint, joints);
        const Key* road = type_of(force).key(ValueType::road);
        if (road && force.has(road->name))
            force.set(road->name, prefix + force.text(road->name));
    }
    for (Driver& driver : part.drivers)
        shift(driver.joint, joints);
    for (Port& port : part.ports)
        shift(port.body, bodies);
    for (Flange& flange : part.flanges)
        shift(flange.joint, joints);
    const auto append = [&](auto& list, auto& added) {
        for (auto& element : added) {
            element.name = prefix + element.name;
            list.push_back(std::move(element));
        }
    };
    append(all.bodies, part.bodies);
    append(all.joints, part.joints);
    append(all.drivers, part.drivers);
    append(all.roads, part.roads);
    append(all.forces, part.forces);
    append(all.ports, part.ports);
    append(all.flanges, part.flanges);
}

const Port* port_of(const Model& all, const system::System& system, const system::Side& side) {
    if (!side.fmu)
        return nullptr;
    const std::string name = system.fmus[*side.fmu].name + "." + side.terminal;
    const auto found = std::ranges::find(all.ports, name, &Port::name);
    return found == all.ports.end() ? nullptr : &*found;
}

/// The joints between the machines, where both ports are in the scene. Axes are those of port a; the world has those of the
/// port that is joined to it (tools/glue/joint.hpp).
void add_glue(Model& all, const system::System& system) {
    for (const system::GlueJoint& glue : system.joints) {
        const Port* a = port_of(all, system, glue.a);
        const Port* b = port_of(all, system, glue.b);
        if ((glue.a.fmu && !a) || (glue.b.fmu && !b))
            continue; // a flange, or a machine that is not ours
        const Port& axes = a ? *a : *b;
        const auto turned = [&](const char* key, Vec3& vector) {
            if (const auto numbers = glue.numbers.find(key); numbers != glue.numbers.end())
                vector = axes.rotation * Eigen::Map<const Vec3>(numbers->second.data());
        };
        Joint joint;
        joint.name = glue.name;
        joint.type = glue.type;
        joint.first = a ? a->body : world;
        joint.second = b ? b->body : world;
        joint.at = b ? b->at : a->at;
        joint.point1 = axes.at;
        joint.point2 = joint.at;
        turned("axis", joint.axis);
        turned("axis2", joint.axis2);
        all.joints.push_back(std::move(joint));
    }
}

} // namespace

SystemScene system_scene(const system::CheckedSystem& checked) {
    SystemScene scene;
    const std::string file = std::string("resources/") + fmu::model_file;
    for (std::size_t i = 0; i < checked.fmus.size(); ++i) {
        const Archive& archive = checked.fmus[i]->archive();
        if (!archive.has("resources/scene.json") || !archive.has(file))
            continue;
        try {
            const std::string bytes = archive.read(file);
            Model part =
                model_from_bytes({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
            const Place place = place_of(checked, i);
            tenon::place(part, place.r, place.R);
            if (!scene.machine) {
                scene.machine.emplace();
                scene.machine->name = checked.system.name;
                scene.machine->gravity = part.gravity;
            }
            add(*scene.machine, std::move(part), checked.system.fmus[i].name + ".");
        } catch (const Error& error) { // made by another version: no reason not to compute
            scene.remarks.push_back(fmt::format("fmu '{}' is left out of the scene: {}",
                                                printable(checked.system.fmus[i].name), error.what()));
        }
    }
    if (scene.machine)
        add_glue(*scene.machine, checked.system);
    return scene;
}

} // namespace tenon::results
