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
        const JointType* type = find_joint_type(joint.type);
        if (type->build == nullptr) {
            continue;
        }
        MechanismLink link;
        link.joint = j;
        link.first = joint.first;
        link.second = joint.second;
        link.row = rows_;
        type->build(JointPlace{joint, start_of(joint.first), start_of(joint.second)}, link.parts);
        for (const auto& block : link.parts.rows) {
            for (int i = 0; i < block->size(); ++i) {
                mark(block->holonomic(), block->angular(i), j, -1);
            }
        }
        for (int d = 0; d < static_cast<int>(model_.drivers.size()); ++d) {
            if (model_.drivers[d].joint != j) {
                continue;
            }
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

/// `which`: "angle", "distance" or empty for whichever the joint has, the angle first.
Coordinate Mechanism::coordinate(int joint, const std::string& which) const {
    const Coordinate angle = angle_of(joint);
    if (which == "distance" || (which.empty() && angle.measure == nullptr)) {
        return distance_of(joint);
    }
    return angle;
}

void Mechanism::add_drivers() {
    for (DriverRow& row : driver_) {
        const Driver& driver = model_.drivers[row.driver];
        row.coordinate = coordinate(driver.joint, driver.coordinate);
        if (row.coordinate.measure == nullptr) {
            throw Error(
                ErrorKind::model,
                "joint '" + model_.joints[driver.joint].name + "' has no " +
                    (driver.coordinate.empty() ? std::string("angle or distance") : driver.coordinate) +
                    " that a driver could prescribe",
                driver.name);
        }
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
        if (link_of_joint_[j] >= 0) {
            continue;
        }
        GearRow gear;
        gear.joint = j;
        gear.row = rows_++;
        gear.gradient = 4 * static_cast<int>(gear_.size());
        gear.ratio = joint.ratio;
        gear.first = coordinate(joint.joint1, "");
        gear.second = coordinate(joint.joint2, "");
        if (gear.first.measure == nullptr || gear.second.measure == nullptr) {
            throw Error(ErrorKind::model, "a gear needs two joints with an angle or a distance", joint.name);
        }
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
    const auto add_measure = [&](std::unique_ptr<Measure> measure, int first, int second, double k, double c,
                                 double free) {
        MeasureLoad load;
        load.measure = measure.get();
        load.own = std::move(measure);
        load.first = first;
        load.second = second;
        load.stiffness = k;
        load.damping = c;
        load.free = free;
        loads_.measure.push_back(std::move(load));
    };
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
        switch (force.type) {
        case ForceType::spring_damper: {
            const JointPlace at{Joint{}, start_of(force.first), start_of(force.second)};
            add_measure(length_measure(at.point1(force.point1), at.point2(force.point2)), force.first,
                        force.second, force.stiffness, force.damping,
                        force.free_length.value_or((force.point2 - force.point1).norm()));
            break;
        }
        case ForceType::torsion_spring: {
            const Coordinate c = coordinate(force.joint, "");
            if (c.measure == nullptr) {
                throw Error(ErrorKind::model, "a torsion_spring needs a joint with an angle or a distance",
                            force.name);
            }
            MeasureLoad load;
            load.measure = c.measure;
            load.first = c.first;
            load.second = c.second;
            load.slot = c.slot;
            load.stiffness = force.stiffness;
            load.damping = force.damping;
            load.free = force.free_angle;
            loads_.measure.push_back(std::move(load));
            break;
        }
        case ForceType::bushing: {
            const JointPlace at{Joint{}, start_of(force.first), start_of(force.second)};
            for (int i = 0; i < 3; ++i) {
                const Vec3 e = force.axes.col(i), f = force.axes.col((i + 1) % 3),
                           g = force.axes.col((i + 2) % 3);
                add_measure(point_measure(at.point1(force.at), at.point2(force.at), at.direction1(e)),
                            force.first, force.second, force.stiffness6[i], force.damping6[i], 0);
                add_measure(
                    twist_measure(at.direction1(g), at.direction2(f), at.direction1(f), at.direction2(g)),
                    force.first, force.second, force.stiffness6[i + 3], force.damping6[i + 3], 0);
            }
            break;
        }
        case ForceType::force:
        case ForceType::torque: {
            AppliedLoad load;
            load.body = force.second;
            const bool is_force = force.type == ForceType::force;
            const Frame start = start_of(load.body);
            load.point = is_force ? Vec3(start.D.transpose() * (force.at - start.r)) : Vec3::Zero();
            load.body_axes = force.body_axes;
            (is_force ? load.force : load.torque) = force.input ? Vec3::Zero() : force.vector;
            (is_force ? load.force_table : load.torque_table) = force.table;
            if (force.input) {
                (is_force ? load.force_input : load.torque_input) =
                    is_force
                        ? three_inputs(force.name + ".f", "N", "force of " + force.name, force.vector)
                        : three_inputs(force.name + ".t", "N.m", "torque of " + force.name, force.vector);
            }
            loads_.applied.push_back(std::move(load));
            break;
        }
        }
    }
    for (int j = 0; j < static_cast<int>(model_.joints.size()); ++j) {
        const Friction& friction = model_.joints[j].friction;
        if (friction.coulomb == 0 && friction.viscous == 0) {
            continue;
        }
        const Coordinate c = link_of_joint_[j] < 0 ? Coordinate{} : coordinate(j, "");
        if (c.measure == nullptr) {
            throw Error(ErrorKind::model, "friction needs a joint with an angle or a distance",
                        model_.joints[j].name);
        }
        MeasureLoad load;
        load.measure = c.measure;
        load.first = c.first;
        load.second = c.second;
        load.slot = c.slot;
        load.damping = friction.viscous;
        load.coulomb = friction.coulomb;
        load.speed = friction.speed;
        loads_.measure.push_back(std::move(load));
    }
    for (const Flange& flange : model_.flanges) {
        const Coordinate c = coordinate(flange.joint, "");
        if (c.measure == nullptr) {
            throw Error(ErrorKind::model, "a flange needs a revolute or prismatic joint", flange.name);
        }
        MeasureLoad load;
        load.measure = c.measure;
        load.first = c.first;
        load.second = c.second;
        load.slot = c.slot;
        load.input = c.slot >= 0
                         ? add_input(flange.name + ".tau", "N.m", "torque on flange " + flange.name, 0)
                         : add_input(flange.name + ".f", "N", "force on flange " + flange.name, 0);
        loads_.measure.push_back(std::move(load));
    }
    for (const Port& port : model_.ports) {
        if (port.body < 0) {
            continue;
        }
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
        if (input_[i].name == flange.name + ".tau" || input_[i].name == flange.name + ".f") {
            return static_cast<int>(i);
        }
    }
    return -1;
}

std::string Mechanism::row_name(int row) const {
    if (row_joint_[row] >= 0) {
        return "joint '" + model_.joints[row_joint_[row]].name + "'";
    }
    return "driver '" + model_.drivers[row_driver_[row]].name + "'";
}

Derivatives Mechanism::driver_signal(const DriverRow& row, double t, const Memory& memory) const {
    const Driver& driver = model_.drivers[row.driver];
    if (row.input >= 0) {
        return memory.input(row.input, t);
    }
    return driver.table.empty() ? driver.motion.at(t) : driver.table.at(t);
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
