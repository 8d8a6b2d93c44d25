#include "tools/glue/method_choice.hpp"

#include "tools/system/check_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon::glue {
namespace {

using system::GlueJoint;
using system::System;

constexpr std::array methods = {Method::newton, Method::difference, Method::dead_beat, Method::compliant};

std::string name_of(const GluedFmu& fmu) {
    return fmt::format("fmu '{}'", printable(fmu.participant().name));
}

std::string no_way_back(const GluedFmu& fmu) {
    return fmu.participant().rollback
               ? ""
               : name_of(fmu) + " cannot go back to an earlier state (canGetAndSetFMUState)";
}

std::string no_compliance(const GluedFmu& fmu) {
    if (fmu.source() != ComplianceSource::none)
        return "";
    for (const Port& port : fmu.ports())
        if (port.acceleration.empty())
            return fmt::format(
                "{} gives no accelerations of its port '{}' (members a_0 and al_0 of a terminal aux)",
                name_of(fmu), printable(port.terminal));
    return name_of(fmu) + " gives accelerations that do not follow the forces on its ports";
}

std::string no_two_forces(const GluedFmu& fmu) {
    const bool one = fmu.participant().efforts.delivery() == master::Efforts::Delivery::halves &&
                     !fmu.participant().variable_step;
    return one ? name_of(fmu) + " takes one constant force a step, and steps of one size only" : "";
}

/// What an FMU lacks for a method; empty: nothing.
std::string lack(Method method, const GluedFmu& fmu) {
    std::string what;
    if (method == Method::newton || method == Method::difference) {
        what = no_way_back(fmu);
        if (what.empty())
            what = no_two_forces(fmu);
    }
    if (what.empty() && (method == Method::newton || method == Method::dead_beat))
        what = no_compliance(fmu);
    return what;
}

std::string lack(Method method, const std::vector<GluedFmu*>& fmus) {
    for (const GluedFmu* fmu : fmus)
        if (std::string what = lack(method, *fmu); !what.empty())
            return what;
    return {};
}

bool has_springs(const GlueJoint& joint) {
    return joint.numbers.contains("stiffness") && joint.numbers.contains("damping");
}

std::string reason(Method method, const std::vector<GluedFmu*>& fmus) {
    switch (method) {
    case Method::newton:
        return "its FMUs go back to earlier states and tell how their ports give way";
    case Method::difference:
        return "newton is not possible, " + lack(Method::newton, fmus);
    case Method::dead_beat:
        return "newton and difference are not possible, " + lack(Method::difference, fmus) +
               "; less accurate, take small steps";
    case Method::compliant:
        break;
    }
    return {};
}

/// The word that the group's joints, or else the system, ask for.
std::string asked_for(const System& system, const std::vector<std::size_t>& joints) {
    std::string word;
    for (const std::size_t number : joints) {
        const GlueJoint& joint = system.joints[number];
        if (joint.method.empty() || joint.method == "auto")
            continue;
        if (!word.empty() && joint.method != word)
            system::refuse(
                system, joint,
                fmt::format(
                    "joint '{}': method '{}', but a joint that hangs together with it asks for '{}'; all "
                    "joints of a group have one method",
                    printable(joint.name), joint.method, word));
        word = joint.method;
    }
    const std::string& method = system.master.method;
    const bool is_for_joints =
        std::ranges::any_of(methods, [&](Method m) { return method == method_name(m); });
    return word.empty() && is_for_joints ? method : word;
}

/// What is said where the system asks for a method that joints do not have.
std::string for_signals(const std::string& method) {
    return method == "auto" ? "" : fmt::format(" ('{}' is a method for signals)", method);
}

void check_springs(const System& system, const std::vector<std::size_t>& joints) {
    for (const std::size_t number : joints)
        if (!has_springs(system.joints[number]))
            system::refuse(system, system.joints[number],
                           fmt::format("joint '{}': method 'compliant' needs 'stiffness' and 'damping'",
                                       printable(system.joints[number].name)));
}

} // namespace

Choice choose_method(const System& system, const std::vector<std::size_t>& joints,
                     const std::vector<GluedFmu*>& fmus) {
    const GlueJoint& first = system.joints[joints.front()];
    const std::string word = asked_for(system, joints);
    if (word.empty()) {
        for (const Method method : {Method::newton, Method::difference, Method::dead_beat})
            if (lack(method, fmus).empty())
                return {method, true, reason(method, fmus) + for_signals(system.master.method)};
        system::refuse(
            system, first,
            fmt::format(
                "joint '{}' cannot be glued: {}, and {}; method = \"compliant\" with stiffness and damping "
                "puts a spring in its place, which gives way by force over stiffness",
                printable(first.name), lack(Method::difference, fmus), lack(Method::dead_beat, fmus)));
    }
    const Method method = *std::ranges::find_if(methods, [&](Method m) { return word == method_name(m); });
    if (const std::string what = lack(method, fmus); !what.empty())
        system::refuse(
            system, first,
            fmt::format("joint '{}': method '{}' is not possible: {}", printable(first.name), word, what));
    if (method == Method::compliant) {
        check_springs(system, joints);
        return {
            method, false,
            "as the system says: a spring in place of the joint, which gives way by force over stiffness"};
    }
    return {method, false, "as the system says"};
}

} // namespace tenon::glue
