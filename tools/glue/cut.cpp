#include "tools/glue/cut.hpp"

#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"
#include "core/simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace tenon::glue {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Which bodies are coupled: the smallest index of a body that each one is tied to.
class Groups {
  public:
    explicit Groups(std::size_t bodies) : root_(bodies) { std::iota(root_.begin(), root_.end(), 0); }
    int root(int body) const {
        while (root_[at(body)] != body)
            body = root_[at(body)];
        return body;
    }
    void tie(int a, int b) {
        if (a == world || b == world)
            return;
        const int low = std::min(root(a), root(b)), high = std::max(root(a), root(b));
        root_[at(high)] = low;
    }

  private:
    std::vector<int> root_;
};

class Cutter {
  public:
    Cutter(const Model& machine, const std::vector<std::string>& names)
        : machine_(machine), cut_(machine.joints.size()), groups_(machine.bodies.size()),
          body_(machine.bodies.size()), joint_(machine.joints.size(), -1) {
        for (const std::string& name : names)
            cut_[find(name)] = 1;
    }

    CutMachine run() {
        if (const auto start = machine_.solver.options.find("start");
            start != machine_.solver.options.end() &&
            start->second == OptionValue(std::string("equilibrium")))
            throw Error(ErrorKind::model,
                        "a machine that starts at its equilibrium cannot be cut, for each part would look "
                        "for its own; write "
                        "it at rest (tenon equilibrium FILE -o AT_REST.toml) and cut that",
                        "solver.start");
        for (std::size_t j = 0; j < cut_.size(); ++j)
            if (cut_[j])
                refuse_unfit(machine_.joints[j], static_cast<int>(j));
        tie_bodies();
        make_parts();
        set_velocities();
        distribute_joints();
        distribute_drivers();
        distribute_forces();
        distribute_places();
        distribute_aliases();
        for (std::size_t j = 0; j < cut_.size(); ++j)
            if (cut_[j])
                glue(machine_.joints[j], static_cast<int>(j));
        return std::move(result_);
    }

  private:
    std::size_t find(const std::string& name) const {
        std::vector<std::string> known;
        for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
            if (machine_.joints[j].name == name)
                return j;
            known.push_back(machine_.joints[j].name);
        }
        throw Error(ErrorKind::usage, "there is no joint '" + name + "'; " + suggestion(name, known), name);
    }

    [[noreturn]] static void refuse(const tenon::Joint& joint, const std::string& why) {
        throw Error(ErrorKind::model, "joint '" + joint.name + "' cannot be cut: " + why, joint.name);
    }

    void refuse_unfit(const tenon::Joint& joint, int index) const {
        if (!type_of(joint).gluable)
            refuse(joint, "FMUs are not glued by joints of type '" + joint.type + "'");
        if (joint.friction.coulomb != 0 || joint.friction.viscous != 0)
            refuse(joint,
                   "it has friction, which a glued joint has not; take out 'friction', or cut elsewhere");
        for (const tenon::Joint& gear : machine_.joints)
            if (gear.joint1 == index || gear.joint2 == index)
                refuse(joint, "gear '" + gear.name + "' turns with it; cut elsewhere");
        for (const Force& force : machine_.forces)
            if (force.joint == index)
                refuse(joint, "spring '" + force.name +
                                  "' acts in it, which a glued joint has not; take it out, or cut elsewhere");
        for (const Flange& flange : machine_.flanges)
            if (flange.joint == index)
                refuse(joint, "flange '" + flange.name + "' belongs to it; take it out, or cut elsewhere");
        for (const Driver& driver : machine_.drivers)
            if (driver.joint == index && (driver.input || !driver.coordinate.empty()))
                refuse(joint, "driver '" + driver.name + "' needs more than a motion over time");
    }

    void tie_bodies() {
        for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
            const tenon::Joint& joint = machine_.joints[j];
            if (type_of(joint).couples_joints())
                groups_.tie(carrier(joint.joint1), carrier(joint.joint2));
            else if (!cut_[j])
                groups_.tie(joint.first, joint.second);
        }
        for (const Force& force : machine_.forces)
            groups_.tie(force.first, force.second);
    }

    int carrier(int joint) const {
        const tenon::Joint& j = machine_.joints[at(joint)];
        return j.second == world ? j.first : j.second;
    }

    void make_parts() {
        std::vector<int> part_of_root(machine_.bodies.size(), -1);
        for (std::size_t b = 0; b < machine_.bodies.size(); ++b) {
            int& part = part_of_root[at(groups_.root(static_cast<int>(b)))];
            if (part < 0) {
                part = static_cast<int>(result_.parts.size());
                Model& model = result_.parts.emplace_back();
                model.name = machine_.bodies[b].name;
                model.description = "part of " + machine_.name;
                model.gravity = machine_.gravity;
                model.solver = machine_.solver;
            }
            Model& model = result_.parts[at(part)];
            body_[b] = {part, static_cast<int>(model.bodies.size())};
            model.bodies.push_back(machine_.bodies[b]);
        }
    }

    /// Bodies may have none of their own where a driver moves them; a part without that driver needs them.
    void set_velocities() {
        const Simulation start(machine_);
        std::vector<double> values(start.columns().size());
        start.read(values);
        std::map<std::string, std::size_t> index;
        for (std::size_t i = 0; i < values.size(); ++i)
            index.emplace(start.columns()[i].name, i);
        const auto vector = [&](const std::string& name) -> Vec3 {
            const std::size_t first = index.at(name + "[1]");
            return {values[first], values[first + 1], values[first + 2]};
        };
        for (Model& part : result_.parts)
            for (Body& body : part.bodies) {
                body.velocity = vector(body.name + ".v_0");
                body.angular_velocity = vector(body.name + ".w_0");
            }
    }

    int part_of(int first, int second) const { return body_[at(second == world ? first : second)].part; }
    int local(int body) const { return body == world ? world : body_[at(body)].index; }

    void distribute_joints() {
        for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
            tenon::Joint joint = machine_.joints[j];
            if (cut_[j] || type_of(joint).couples_joints())
                continue;
            Model& part = result_.parts[at(part_of(joint.first, joint.second))];
            joint.first = local(joint.first);
            joint.second = local(joint.second);
            joint_[j] = static_cast<int>(part.joints.size());
            part.joints.push_back(std::move(joint));
        }
        for (tenon::Joint gear : machine_.joints) {
            if (!type_of(gear).couples_joints())
                continue;
            Model& part = part_of_joint(gear.joint1);
            gear.joint1 = joint_[at(gear.joint1)];
            gear.joint2 = joint_[at(gear.joint2)];
            part.joints.push_back(std::move(gear));
        }
    }

    Model& part_of_joint(int joint) {
        const tenon::Joint& j = machine_.joints[at(joint)];
        return result_.parts[at(part_of(j.first, j.second))];
    }

    void distribute_drivers() {
        for (Driver driver : machine_.drivers) {
            if (cut_[at(driver.joint)])
                continue;
            Model& part = part_of_joint(driver.joint);
            driver.joint = joint_[at(driver.joint)];
            part.drivers.push_back(std::move(driver));
        }
    }

    void distribute_forces() {
        for (Force force : machine_.forces) {
            const bool in_joint = force.joint >= 0;
            Model& part =
                in_joint ? part_of_joint(force.joint) : result_.parts[at(part_of(force.first, force.second))];
            if (in_joint) {
                force.joint = joint_[at(force.joint)];
            } else {
                force.first = local(force.first);
                force.second = local(force.second);
            }
            copy_road(force, part);
            part.forces.push_back(std::move(force));
        }
    }

    /// A road is in every part that touches it.
    void copy_road(const Force& force, Model& part) const {
        const Key* key = type_of(force).key(ValueType::road);
        if (!key)
            return;
        const std::string name = force.text(key->name);
        if (std::ranges::find(part.roads, name, &Road::name) != part.roads.end())
            return;
        const auto road = std::ranges::find(machine_.roads, name, &Road::name);
        if (road != machine_.roads.end())
            part.roads.push_back(*road);
    }

    void distribute_places() {
        for (tenon::Port port : machine_.ports) {
            if (port.body == world) {
                result_.left_out.push_back(port.name);
                continue;
            }
            Model& part = result_.parts[at(body_[at(port.body)].part)];
            port.body = local(port.body);
            part.ports.push_back(std::move(port));
        }
        for (Flange flange : machine_.flanges) {
            Model& part = part_of_joint(flange.joint);
            flange.joint = joint_[at(flange.joint)];
            part.flanges.push_back(std::move(flange));
        }
    }

    /// To the part that has the element whose variable it names; names of elements are unique in the machine.
    void distribute_aliases() {
        for (const bool input : {true, false})
            for (const Alias& alias : input ? machine_.inputs : machine_.outputs) {
                Model* part = owner(alias.variable.substr(0, alias.variable.find('.')));
                if (!part)
                    result_.left_out.push_back(alias.name);
                else
                    (input ? part->inputs : part->outputs).push_back(alias);
            }
    }

    static bool has_element(const Model& part, const std::string& name) {
        const auto has = [&](const auto& list) {
            return std::any_of(list.begin(), list.end(), [&](const auto& e) { return e.name == name; });
        };
        return has(part.bodies) || has(part.joints) || has(part.drivers) || has(part.roads) ||
               has(part.forces) || has(part.ports) || has(part.flanges) || has(part.inputs) ||
               has(part.outputs);
    }

    Model* owner(const std::string& element) {
        for (Model& part : result_.parts)
            if (has_element(part, element))
                return &part;
        return nullptr;
    }

    void glue(const tenon::Joint& joint, int index) {
        system::GlueJoint glued;
        glued.name = joint.name;
        glued.type = joint.type;
        const bool points = type_of(joint).takes("points");
        const bool inside = joint.first != world && joint.second != world &&
                            body_[at(joint.first)].part == body_[at(joint.second)].part;
        glued.a = add_port(joint.first, points ? joint.point1 : joint.at, joint.name, inside ? "_a" : "");
        glued.b = add_port(joint.second, points ? joint.point2 : joint.at, joint.name, inside ? "_b" : "");
        const auto numbers = [](const Vec3& v) { return std::vector<double>{v.x(), v.y(), v.z()}; };
        for (const auto& [key, fallback, meaning] : type_of(joint).keys)
            if (key == "axis")
                glued.numbers["axis"] = numbers(joint.axis);
            else if (key == "axis2")
                glued.numbers["axis2"] = numbers(joint.axis2);
            else if (key == "length" && joint.length)
                glued.numbers["length"] = {*joint.length};
        if (points && joint.first == world)
            glued.numbers["at"] = numbers(joint.point1);
        if (points && joint.second == world)
            glued.numbers["at"] = numbers(joint.point2);
        for (const Driver& driver : machine_.drivers)
            if (driver.joint == index)
                add_motion(driver, glued);
        result_.joints.push_back(std::move(glued));
    }

    system::Side add_port(int body, const Vec3& place, const std::string& name, const char* side) {
        if (body == world)
            return {};
        Model& part = result_.parts[at(body_[at(body)].part)];
        tenon::Port port{name + side, local(body), place, Mat3::Identity()};
        while (has_element(part, port.name)) // the joint itself is gone
            port.name += "_";
        part.ports.push_back(port);
        return {static_cast<std::size_t>(body_[at(body)].part), port.name};
    }

    static void add_motion(const Driver& driver, system::GlueJoint& glued) {
        const Formula& f = driver.motion;
        if (!driver.table.empty()) {
            glued.numbers["motion.time"] = driver.table.times();
            glued.numbers["motion.value"] = driver.table.values();
            return;
        }
        const std::array<std::pair<const char*, double>, 5> all = {{{"offset", f.offset},
                                                                    {"rate", f.rate},
                                                                    {"amplitude", f.amplitude},
                                                                    {"frequency", f.frequency},
                                                                    {"phase", f.phase}}};
        for (const auto& [name, value] : all)
            glued.numbers[std::string("motion.") + name] = {value};
    }

    struct Place {
        int part = -1, index = -1;
    };
    const Model& machine_;
    std::vector<char> cut_;
    Groups groups_;
    std::vector<Place> body_;
    std::vector<int> joint_; ///< index in its part; -1: cut
    CutMachine result_;
};

} // namespace

CutMachine cut(const Model& machine, const std::vector<std::string>& joints) {
    return Cutter(machine, joints).run();
}

} // namespace tenon::glue
