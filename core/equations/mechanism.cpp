#include "core/equations/mechanism.hpp"

#include "core/math/error.hpp"
#include "core/model/joints/joint_types.hpp"

namespace tenon {

Derivatives Memory::input(int index, double t) const {
    const InputPolynomial& p = inputs[index];
    const double s = t - p.since;
    return {p.value + s * (p.rate + 0.5 * s * p.acceleration), p.rate + s * p.acceleration, p.acceleration};
}

Mechanism::Mechanism(const Model& model) : model_(model) {
    add_bodies();
    add_joints();
    add_drivers();
    add_gears();
    add_loads();
    find_groups();
}

void Mechanism::add_bodies() {
    for (const Body& given : model_.bodies) {
        MechanismBody body;
        body.name = given.name;
        body.mass = given.mass;
        body.inertia = given.inertia;
        body.com = given.com;
        body.start = {given.position + given.rotation * given.com, given.rotation};
        body_.push_back(std::move(body));
    }
}

void Mechanism::add_joints() {
    // Rows of a joint and of the drivers on it stand together: one block between two bodies.
    link_of_joint_.assign(model_.joints.size(), -1);
    const auto mark = [&](bool holonomic, bool angular, int joint, int driver) {
        row_holonomic_.push_back(holonomic ? 1 : 0);
        row_angular_.push_back(angular ? 1 : 0);
        row_joint_.push_back(joint);
        row_driver_.push_back(driver);
        ++rows_;
    };
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
        const Joint& joint = model_.joints[j];
        const JointType& type = type_of(joint);
        if (type.couples_joints())
            continue;
        MechanismLink link;
        link.joint = j;
        link.first = joint.first;
        link.second = joint.second;
        link.row = rows_;
        type.build(JointPlace{joint, start_of(joint.first), start_of(joint.second)}, link.parts);
        for (const auto& block : link.parts.rows) {
            for (int i = 0; i < block->size(); ++i)
                mark(block->holonomic(), block->angular(i), j, -1);
        }
        for (int d = 0; d < static_cast<int>(model_.drivers.size()); ++d) {
            if (model_.drivers[d].joint != j)
                continue;
            DriverRow row;
            row.driver = d;
            row.row = rows_;
            driver_.push_back(row);
            mark(true, link.parts.angle != nullptr, -1, d);
        }
        link.rows = rows_ - link.row;
        link_of_joint_[j] = static_cast<int>(link_.size());
        link_.push_back(std::move(link));
    }
    for (MechanismLink& link : link_) {
        if (link.parts.angle != nullptr) {
            link.angle_slot = static_cast<int>(slots_.size());
            slots_.push_back({link.parts.angle.get(), link.first, link.second, link.angle_slot});
        }
    }
}

Coordinate Mechanism::angle_of(int joint) const {
    const int l = link_of_joint_[joint];
    if (l < 0 || link_[l].parts.angle == nullptr) {
        return {};
    }
    return {link_[l].parts.angle.get(), link_[l].first, link_[l].second, link_[l].angle_slot};
}

Coordinate Mechanism::distance_of(int joint) const {
    const int l = link_of_joint_[joint];
    if (l < 0 || link_[l].parts.distance == nullptr) {
        return {};
    }
    return {link_[l].parts.distance.get(), link_[l].first, link_[l].second, -1};
}

Coordinate Mechanism::coordinate(int joint) const {
    const Coordinate angle = angle_of(joint);
    return angle.measure == nullptr ? distance_of(joint) : angle;
}

void Mechanism::add_drivers() {
    for (DriverRow& row : driver_) {
        const Driver& driver = model_.drivers[row.driver];
        row.coordinate = type_of(model_.joints[driver.joint]).driven_along(driver) ? distance_of(driver.joint)
                                                                                   : angle_of(driver.joint);
        if (row.coordinate.measure == nullptr)
            throw Error(
                ErrorKind::model,
                "joint '" + model_.joints[driver.joint].name + "' has no " +
                    (driver.coordinate.empty() ? std::string("angle or distance") : driver.coordinate) +
                    " that a driver could prescribe",
                driver.name);
        row_angular_[row.row] = row.coordinate.slot >= 0 ? 1 : 0;
        if (driver.input) {
            const bool angle = row.coordinate.slot >= 0;
            row.input =
                add_input(driver.name, angle ? "rad" : "m",
                          "prescribed motion of " + model_.joints[driver.joint].name, driver.motion.offset);
        }
    }
}

void Mechanism::add_gears() {
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
        const Joint& joint = model_.joints[j];
        if (link_of_joint_[j] >= 0)
            continue;
        GearRow gear;
        gear.joint = j;
        gear.row = rows_++;
        gear.gradient = 4 * static_cast<int>(gear_.size());
        gear.ratio = joint.ratio;
        gear.first = coordinate(joint.joint1);
        gear.second = coordinate(joint.joint2);
        if (gear.first.measure == nullptr || gear.second.measure == nullptr)
            throw Error(ErrorKind::model, "a gear needs two joints with an angle or a distance", joint.name);
        row_holonomic_.push_back(1);
        row_angular_.push_back(gear.second.slot >= 0 ? 1 : 0);
        row_joint_.push_back(j);
        row_driver_.push_back(-1);
        gear_.push_back(gear);
    }
}

int Mechanism::add_input(const std::string& name, const std::string& unit, const std::string& description,
                         double start) {
    input_.push_back({name, unit, description, start});
    return static_cast<int>(input_.size()) - 1;
}

void Mechanism::add_loads() {
    loads_.gravity = model_.gravity;
    const auto three_inputs = [&](const std::string& name, const std::string& unit,
                                  const std::string& description, const Vec3& start) {
        int index = -1;
        for (int i = 1; i <= 3; ++i) {
            const int k = add_input(name + "[" + std::to_string(i) + "]", unit, description, start[i - 1]);
            index = i == 1 ? k : index;
        }
        input_[index].array = Quantity{name, {3}, unit, description};
        return index;
    };
    for (const Force& force : model_.forces) {
        const ForceType& type = type_of(force);
        ForcePlace place{force, start_of(force.first), start_of(force.second)};
        place.roads = &model_.roads;
        if (force.joint >= 0) {
            place.joint = coordinate(force.joint);
            if (place.joint.measure == nullptr)
                throw Error(ErrorKind::model,
                            "a " + force.type + " needs a joint with an angle or a distance", force.name);
        }
        if (has_inputs(force)) {
            for (const ForceInput& input : type.inputs) {
                const std::string name = force.name + "." + std::string(input.suffix);
                const std::string unit(unit_along(slides(force, model_), input.unit, input.sliding_unit));
                const std::string description = std::string(input.description) + " of " + force.name;
                const int first = input.size == 1
                                      ? add_input(name, unit, description, force.number(input.start))
                                      : three_inputs(name, unit, description, force.vector(input.start));
                place.input = place.input < 0 ? first : place.input;
            }
        }
        const std::size_t first = loads_.measure.size(), first_wrench = loads_.wrench.size();
        type.build(place, loads_);
        for (std::size_t i = first; i < loads_.measure.size(); ++i) {
            MeasureLoad& load = loads_.measure[i];
            if (load.law)
                load.law_zero =
                    load.law->potential(load.measure->value(start_of(load.first), start_of(load.second), 0));
        }
        force_loads_.push_back({first, loads_.measure.size() - first});
        force_wrenches_.push_back({first_wrench, loads_.wrench.size() - first_wrench});
        for (std::size_t i = first_wrench; i < loads_.wrench.size(); ++i) {
            loads_.wrench[i].lag = lags_;
            lags_ += loads_.wrench[i].wrench->lags();
        }
    }
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
        const Friction& friction = model_.joints[j].friction;
        if (friction.coulomb == 0 && friction.viscous == 0)
            continue;
        const Coordinate c = link_of_joint_[j] < 0 ? Coordinate{} : coordinate(j);
        if (c.measure == nullptr)
            throw Error(ErrorKind::model, "friction needs a joint with an angle or a distance",
                        model_.joints[j].name);
        MeasureLoad load = load_along(c);
        load.damping = friction.viscous;
        load.coulomb = friction.coulomb;
        load.speed = friction.speed;
        loads_.measure.push_back(std::move(load));
    }
    for (const Flange& flange : model_.flanges) {
        const Coordinate c = coordinate(flange.joint);
        if (c.measure == nullptr)
            throw Error(ErrorKind::model, "a flange needs a revolute or prismatic joint", flange.name);
        MeasureLoad load = load_along(c);
        load.input = c.slot >= 0
                         ? add_input(flange.name + ".tau", "N.m", "torque on flange " + flange.name, 0)
                         : add_input(flange.name + ".f", "N", "force on flange " + flange.name, 0);
        loads_.measure.push_back(std::move(load));
    }
    for (const Port& port : model_.ports) {
        if (port.body < 0)
            continue;
        AppliedLoad load;
        load.body = port.body;
        const Frame start = start_of(port.body);
        load.point = start.D.transpose() * (port.at - start.r);
        load.force_input =
            three_inputs(port.name + ".f_0", "N", "force on the machine at port " + port.name, Vec3::Zero());
        load.torque_input = three_inputs(port.name + ".t_0", "N.m",
                                         "torque on the machine at port " + port.name, Vec3::Zero());
        loads_.applied.push_back(std::move(load));
    }
}

int Mechanism::flange_input(const Flange& flange) const {
    for (std::size_t i = 0; i < input_.size(); ++i) {
        if (input_[i].name == flange.name + ".tau" || input_[i].name == flange.name + ".f")
            return static_cast<int>(i);
    }
    return -1;
}

std::string Mechanism::row_name(int row) const {
    if (row_joint_[row] >= 0)
        return "joint '" + model_.joints[row_joint_[row]].name + "'";
    return "driver '" + model_.drivers[row_driver_[row]].name + "'";
}

Derivatives Mechanism::driver_signal(const DriverRow& row, double t, const Memory& memory) const {
    const Driver& driver = model_.drivers[row.driver];
    if (row.input >= 0)
        return memory.input(row.input, t);
    return driver.table.empty() ? driver.motion.at(t) : driver.table.at(t);
}

std::vector<ForceReading> Mechanism::force_readings(int force) const {
    const Force& given = model_.forces[force];
    const ForceType& type = type_of(given);
    return type.readings == nullptr ? std::vector<ForceReading>() : type.readings(slides(given, model_));
}

void Mechanism::read_force(int force, const std::vector<Kinematics>& k, double t, const Memory& memory,
                           std::span<Effort> efforts, std::span<double> values) const {
    const auto [begin, count] = force_loads_[force];
    for (std::size_t i = 0; i < count; ++i) {
        const MeasureLoad& load = loads_.measure[begin + i];
        RigidRow row;
        load.measure->rigid(at(k, load.first), at(k, load.second), memory.near(load.slot, t), row);
        const LoadEffort effort = load.at(row.value, row.rate, given(load, t, memory));
        efforts[i] = {row.value, row.rate, effort.elastic + effort.loss,
                      load.law ? load.law->beyond(row.value) : 0.0};
    }
    const auto [first_wrench, wrenches] = force_wrenches_[force];
    std::size_t tail = values.size();
    for (std::size_t i = first_wrench + wrenches; i-- > first_wrench;) {
        const WrenchLoad& load = loads_.wrench[i];
        const auto size = static_cast<std::size_t>(load.wrench->results());
        tail -= size;
        load.wrench->read(at(k, load.first), at(k, load.second), memory.lags(load, t),
                          values.subspan(tail, size));
    }
    if (const ForceType& type = type_of(model_.forces[force]); type.read)
        type.read(efforts.first(count), values.first(tail));
}

void Mechanism::follow_lags(const std::vector<Kinematics>& k, double t, const Memory& memory, bool settled,
                            Vector& value, Vector& rate) const {
    for (const WrenchLoad& load : loads_.wrench)
        if (load.wrench->lags() > 0)
            load.wrench->follow(at(k, load.first), at(k, load.second), memory.lags(load, t), settled,
                                value.data() + load.lag, rate.data() + load.lag);
}

void Mechanism::check_wrenches(const std::vector<Kinematics>& k, double t, bool start) const {
    for (const WrenchLoad& load : loads_.wrench) {
        load.wrench->check(t, at(k, load.first), at(k, load.second));
        if (start)
            load.wrench->check_start(at(k, load.first), at(k, load.second));
    }
}

void applied_wrench(const AppliedLoad& load, double t, const Memory& memory, Vec3& force, Vec3& torque) {
    force = load.force;
    torque = load.torque;
    for (int i = 0; i < 3; ++i) {
        if (!load.force_table[i].empty())
            force[i] = load.force_table[i].at(t).value;
        if (!load.torque_table[i].empty())
            torque[i] = load.torque_table[i].at(t).value;
        if (load.force_input >= 0)
            force[i] += memory.input(load.force_input + i, t).value;
        if (load.torque_input >= 0)
            torque[i] += memory.input(load.torque_input + i, t).value;
    }
}

std::vector<GraphKkt::Link> Mechanism::graph_links() const {
    std::vector<GraphKkt::Link> links;
    for (const MechanismLink& link : link_) {
        links.push_back({link.first, link.second, link.row, link.rows});
    }
    return links;
}

std::vector<GraphKkt::Coupling> Mechanism::graph_couplings() const {
    std::vector<GraphKkt::Coupling> couplings;
    for (const GearRow& gear : gear_) {
        couplings.push_back({gear.row,
                             gear.gradient,
                             {gear.first.first, gear.first.second, gear.second.first, gear.second.second}});
    }
    return couplings;
}

} // namespace tenon
