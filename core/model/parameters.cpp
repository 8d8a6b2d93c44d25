#include "core/model/parameters.hpp"

#include "core/math/error.hpp"
#include "core/model/forces/force_types.hpp"
#include "core/model/joints/joint_types.hpp"
#include "core/model/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <string_view>

namespace tenon {
namespace {

using Setter = std::function<void(double)>;

/// A parameter of a model that can be written to; used at once, so it may refer to the model's members.
struct Slot {
    Parameter parameter;
    Setter set;
};

class Slots {
  public:
    explicit Slots(Model& model) {
        add_vector("gravity", "m/s2", "gravity", model.gravity);
        tunable_since(0);
        for (Body& body : model.bodies)
            add_body(body);
        for (Joint& joint : model.joints)
            add_joint(joint);
        for (Driver& driver : model.drivers)
            add_driver(driver, model);
        const std::size_t forces = list.size();
        for (Force& force : model.forces)
            add_force(force, model);
        tunable_since(forces);
        add_solver(model.solver);
    }

    std::vector<Slot> list;

  private:
    void add(std::string name, std::string unit, std::string description, double value, Setter set) {
        list.push_back(
            {{std::move(name), std::move(unit), std::move(description), value, false, {}}, std::move(set)});
    }

    /// The last `size` numbers are one array.
    void make_array(const std::string& name, int size, const std::string& description) {
        Parameter& first = list[list.size() - static_cast<std::size_t>(size)].parameter;
        first.array = Quantity{name, {size}, first.unit, description};
    }

    /// What was added since `first` may be changed while the machine moves.
    void tunable_since(std::size_t first) {
        for (std::size_t i = first; i < list.size(); ++i)
            list[i].parameter.tunable = true;
    }

    void add(std::string name, std::string unit, std::string description, double& place) {
        add(std::move(name), std::move(unit), std::move(description), place,
            [&place](double value) { place = value; });
    }

    void add_vector(const std::string& name, const std::string& unit, const std::string& description,
                    Vec3& place) {
        for (int i = 0; i < 3; ++i)
            add(indexed(name, i), unit, description + ", " + "xyz"[i], place[i]);
        make_array(name, 3, description);
    }

    /// An absent vector reads as zero and comes into being when one of its elements is set.
    void add_vector(const std::string& name, const std::string& unit, const std::string& description,
                    std::optional<Vec3>& place) {
        for (int i = 0; i < 3; ++i)
            add(indexed(name, i), unit, description + ", " + "xyz"[i], place ? (*place)[i] : 0,
                [&place, i](double value) {
                    if (!place)
                        place = Vec3::Zero();
                    (*place)[i] = value;
                });
        make_array(name, 3, description);
    }

    void add_body(Body& body) {
        const std::string& b = body.name;
        add(b + ".mass", "kg", "mass", body.mass);
        tunable_since(list.size() - 1);
        add_vector(b + ".com", "m", "centre of mass in the body frame", body.com);
        static constexpr int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
        static constexpr std::string_view element[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
        for (int k = 0; k < 6; ++k) {
            const int i = row[k], j = column[k];
            add(indexed(b + ".inertia", k), "kg.m2",
                "inertia about the centre of mass, body axes, " + std::string(element[k]), body.inertia(i, j),
                [&body, i, j](double value) { body.inertia(i, j) = body.inertia(j, i) = value; });
            tunable_since(list.size() - 1);
        }
        make_array(b + ".inertia", 6, "inertia about the centre of mass, body axes");
        add_vector(b + ".position", "m", "origin of the body frame at the start", body.position);
        add_vector(b + ".velocity", "m/s", "velocity of the body frame's origin at the start", body.velocity);
        add_vector(b + ".angular_velocity", "rad/s", "angular velocity at the start", body.angular_velocity);
    }

    void add_joint(Joint& joint) {
        const JointType& type = type_of(joint);
        if (!type.has_angle && !type.has_distance)
            return;
        const bool turns = type.has_angle;
        add(joint.name + ".friction.coulomb", turns ? "N.m" : "N", "Coulomb friction",
            joint.friction.coulomb);
        add(joint.name + ".friction.viscous", turns ? "N.m.s/rad" : "N.s/m", "viscous friction",
            joint.friction.viscous);
        tunable_since(list.size() - 2);
    }

    void add_driver(Driver& driver, const Model& model) {
        if (driver.input || !driver.table.empty())
            return;
        const std::string unit = drives_distance(driver, model) ? "m" : "rad";
        add(driver.name + ".offset", unit, "value at the start without the sine", driver.motion.offset);
        add(driver.name + ".rate", unit + "/s", "steady rate", driver.motion.rate);
        add(driver.name + ".amplitude", unit, "amplitude of the sine", driver.motion.amplitude);
        add(driver.name + ".frequency", "Hz", "frequency of the sine", driver.motion.frequency);
        add(driver.name + ".phase", "rad", "phase of the sine", driver.motion.phase);
    }

    static bool drives_distance(const Driver& driver, const Model& model) {
        return driver.joint >= 0 && driver.joint < static_cast<int>(model.joints.size()) &&
               type_of(model.joints[static_cast<std::size_t>(driver.joint)]).driven_along(driver);
    }

    /// "N m/rad" as FMI spells it.
    static std::string fmi_unit(std::string_view unit) {
        std::string text(unit.empty() ? "1" : unit);
        std::replace(text.begin(), text.end(), ' ', '.');
        return text;
    }

    void add_force(Force& force, const Model& model) {
        const bool along_distance = slides(force, model);
        for (const Key& key : type_of(force).keys)
            if (key.type == ValueType::stop && !key.parameter.empty())
                add_stop(force, key, along_distance);
            else if (!key.parameter.empty())
                add_key(force, key, unit_along(along_distance, key.unit, key.sliding_unit));
    }

    void add_stop(Force& force, const Key& key, bool along_distance) {
        const std::optional<Stop> stop = force.stop(key.name);
        if (!stop)
            return;
        const auto number = [&](std::string_view what, const char* unit, double Stop::*member) {
            add(force.name + '.' + std::string(key.name) + '.' + std::string(what), unit,
                std::string(key.parameter) + ": " + std::string(what), (*stop).*member,
                [&force, &key, member](double value) {
                    Stop changed = *force.stop(key.name);
                    changed.*member = value;
                    force.set(key.name, changed);
                });
        };
        number("at", along_distance ? "m" : "rad", &Stop::at);
        number("stiffness", along_distance ? "N/m" : "N.m/rad", &Stop::stiffness);
        number("damping", along_distance ? "N.s/m" : "N.m.s/rad", &Stop::damping);
    }

    void add_key(Force& force, const Key& key, std::string_view unit) {
        const std::string name = force.name + '.' + std::string(key.name);
        const std::string description(key.parameter);
        switch (key.type) {
        case ValueType::effort:
            if (has_inputs(force) || !force.effort_table(key.name).empty())
                return;
            [[fallthrough]];
        case ValueType::number:
            if (key.fallback == "none" && !force.has(key.name))
                return; // a limit that is not there
            add(name, fmi_unit(unit), description, force.number(key.name),
                [&force, &key](double value) { force.set(key.name, value); });
            return;
        case ValueType::six_numbers:
            for (std::size_t i = 0; i < 6; ++i) {
                add(indexed(name, static_cast<int>(i)), fmi_unit(unit_of(key, i)),
                    description + (i < 3 ? " along " : " about ") + "xyz"[i % 3], force.six(key.name)[i],
                    [&force, &key, i](double value) {
                        std::array<double, 6> six = force.six(key.name);
                        six[i] = value;
                        force.set(key.name, std::vector<double>(six.begin(), six.end()));
                    });
                if (i == 2) // those along the axes have one unit
                    make_array(name, 3, description + " along x");
            }
            return;
        case ValueType::load:
            if (has_inputs(force) || !is_empty(force.table(key.name)))
                return;
            for (int i = 0; i < 3; ++i)
                add(indexed(name, i), fmi_unit(unit), description + ", " + "xyz"[i],
                    force.vector(key.name)[i], [&force, &key, i](double value) {
                        Vec3 vector = force.vector(key.name);
                        vector[i] = value;
                        force.set(key.name, vector);
                    });
            make_array(name, 3, description);
            return;
        default:
            throw Error(ErrorKind::usage, "'" + name + "' is not of a type that can be a parameter", name);
        }
    }

    void add_solver(SolverSettings& solver) {
        add("solver.step", "s", "step size", solver.step);
        add("solver.stop", "s", "stop time", solver.stop);
        add("solver.tolerance", "1", "tolerance of the integrator's equations", solver.tolerance);
        for (auto& [name, option] : solver.options) {
            const std::string description = "option of the integrator";
            if (double* number = std::get_if<double>(&option))
                add("solver." + name, "1", description, *number);
            else if (bool* on = std::get_if<bool>(&option))
                add("solver." + name, "1", description + ", 0 or 1", *on ? 1 : 0,
                    [on](double value) { *on = value != 0; });
        }
    }

    static std::string indexed(const std::string& name, int i) {
        return name + '[' + std::to_string(i + 1) + ']';
    }
};

/// The option's name in `solver.<option>`; empty for everything else.
std::string option_of(const std::string& name) {
    static constexpr std::string_view prefix = "solver.";
    if (!name.starts_with(prefix))
        return {};
    const std::string option = name.substr(prefix.size());
    const bool word = std::all_of(option.begin(), option.end(),
                                  [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return word && option != "integrator" && option != "coordinates" ? option : std::string();
}

} // namespace

std::vector<Parameter> parameters(const Model& model) {
    Model copy = model; // the slots can be written to
    std::vector<Parameter> result;
    for (Slot& slot : Slots(copy).list)
        result.push_back(std::move(slot.parameter));
    return result;
}

namespace {
void require_finite(const std::string& name, double value) {
    if (!std::isfinite(value))
        throw Error(ErrorKind::usage, "parameter '" + name + "' must be a finite number");
}
} // namespace

void set_parameters(Model& model, std::span<const ParameterChange> changes) {
    const Slots slots(model);
    for (const ParameterChange& change : changes) {
        const Slot& slot = slots.list.at(change.index);
        require_finite(slot.parameter.name, change.value);
        slot.set(change.value);
    }
}

void set_parameter(Model& model, const std::string& name, double value) {
    require_finite(name, value);
    const Slots slots(model);
    std::vector<std::string> names;
    for (const Slot& slot : slots.list) {
        if (slot.parameter.name == name)
            return slot.set(value);
        names.push_back(slot.parameter.name);
    }
    if (const std::string option = option_of(name); !option.empty()) {
        model.solver.options[option] = value;
        return;
    }
    throw Error(ErrorKind::usage, "unknown parameter '" + name + "'; " + suggestion(name, names));
}

} // namespace tenon
