// Which bodies a force has feedthrough to: those that joints connect to its own, the world aside.

#include "core/equations/mechanism.hpp"

#include <numeric>

namespace tenon {

void Mechanism::find_groups() {
    std::vector<int> parent(body_.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int b) {
        while (parent[static_cast<std::size_t>(b)] != b)
            b = parent[static_cast<std::size_t>(b)] =
                parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(b)])];
        return b;
    };
    const auto join = [&](int a, int b) {
        if (a >= 0 && b >= 0)
            parent[static_cast<std::size_t>(root(a))] = root(b);
    };
    for (const MechanismLink& link : link_)
        join(link.first, link.second);
    for (const GearRow& gear : gear_) { // a gear connects the joints' bodies, of which the world may be one
        const int a = gear.first.second >= 0 ? gear.first.second : gear.first.first;
        const int b = gear.second.second >= 0 ? gear.second.second : gear.second.first;
        join(gear.first.first, gear.first.second);
        join(gear.second.first, gear.second.second);
        join(a, b);
    }
    for (const MeasureLoad& load : loads_.measure) // an actuator's input reaches both its bodies
        if (load.command && (load.input >= 0 || load.follows_time()))
            join(load.first, load.second);
    group_.assign(body_.size(), -1);
    int groups = 0;
    for (int b = 0; b < bodies(); ++b) {
        int& of_root = group_[static_cast<std::size_t>(root(b))];
        if (of_root < 0)
            of_root = groups++;
        group_[static_cast<std::size_t>(b)] = of_root;
    }

    timed_.assign(static_cast<std::size_t>(groups), 0);
    const auto follows_time = [&](int first, int second) {
        if (const int group = group_of_body(second >= 0 ? second : first); group >= 0)
            timed_[static_cast<std::size_t>(group)] = 1;
    };
    for (const DriverRow& driver : driver_)
        if (driver.input < 0)
            follows_time(driver.coordinate.first, driver.coordinate.second);
    const auto acts_on = [&](int input, int body) {
        if (input >= 0)
            input_[static_cast<std::size_t>(input)].group = group_of_body(body);
    };
    for (const AppliedLoad& load : loads_.applied) {
        if (!load.force_table[0].empty() || !load.torque_table[0].empty())
            follows_time(load.body, load.body);
        for (int c = 0; c < 3; ++c) {
            acts_on(load.force_input < 0 ? -1 : load.force_input + c, load.body);
            acts_on(load.torque_input < 0 ? -1 : load.torque_input + c, load.body);
        }
    }
    for (const MeasureLoad& load : loads_.measure) {
        acts_on(load.input, load.second >= 0 ? load.second : load.first);
        if (load.follows_time())
            follows_time(load.first, load.second);
    }
}

int Mechanism::group_of_joint(int joint) const {
    const Joint& given = model_.joints[static_cast<std::size_t>(joint)];
    if (link_of_joint(joint) >= 0)
        return group_of_body(given.second >= 0 ? given.second : given.first);
    return given.joint1 >= 0 ? group_of_joint(given.joint1) : -1;
}

} // namespace tenon
