#include "tools/glue/methods/method_choice.hpp"

#include "tools/system/check_context.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tenon::glue {
namespace {

using system::GlueJoint;
using system::System;

std::string lack(const MethodType& method, const std::vector<GluedFmu*>& fmus) {
    for (const GluedFmu* fmu : fmus)
        if (std::string what = method.lack(*fmu); !what.empty())
            return what;
    return {};
}

/// The word that the group's joints, or else the system, ask for; empty where the choice is left to us.
std::string asked_for(const System& system, const std::vector<std::size_t>& joints) {
    std::string word;
    for (const std::size_t number : joints) {
        const GlueJoint& joint = system.joints[number];
        if (joint.method.empty() || joint.method == "auto")
            continue;
        if (!word.empty() && joint.method != word)
            system::refuse(
                system, joint,
                fmt::format("joint '{}': method '{}', but a joint that is coupled with it asks for '{}'; all "
                            "joints of a group have one method",
                            printable(joint.name), joint.method, word));
        word = joint.method;
    }
    return word.empty() && find_method_type(system.master.method) ? system.master.method : word;
}

/// What is said where the system asks for a method that joints do not have.
std::string for_signals(const std::string& method) {
    return method == "auto" ? "" : fmt::format(" ('{}' is a method for signals)", method);
}

/// The first that the FMUs can do.
Choice automatic_choice(const System& system, const GlueJoint& first, const std::vector<GluedFmu*>& fmus) {
    std::vector<std::string_view> tried;
    std::vector<std::string> lacks; // each once, of the last method that has met it
    for (const MethodType* method : method_types()) {
        if (!method->automatic)
            continue;
        if (const std::string what = lack(*method, fmus); !what.empty()) {
            tried.push_back(method->name);
            std::erase(lacks, what);
            lacks.push_back(what);
            continue;
        }
        std::string reason(method->when_chosen);
        if (!tried.empty())
            reason = fmt::format("{} {} not possible, {}{}{}", fmt::join(tried, " and "),
                                 tried.size() == 1 ? "is" : "are", lacks.back(), reason.empty() ? "" : "; ",
                                 reason);
        return {method, true, reason + for_signals(system.master.method)};
    }
    system::refuse(
        system, first,
        fmt::format("joint '{}' cannot be glued: {}; method = \"compliant\" with stiffness and damping "
                    "puts a spring in its place, which deflects by force over stiffness",
                    printable(first.name), fmt::join(lacks, ", and ")));
}

} // namespace

Choice choose_method(const System& system, const std::vector<std::size_t>& joints,
                     const std::vector<GluedFmu*>& fmus) {
    const GlueJoint& first = system.joints[joints.front()];
    const std::string word = asked_for(system, joints);
    if (word.empty())
        return automatic_choice(system, first, fmus);
    const auto refuse = [&](const GlueJoint& joint, const std::string& what) {
        system::refuse(
            system, joint,
            fmt::format("joint '{}': method '{}' {}", printable(joint.name), printable(word), what));
    };
    const MethodType* method = find_method_type(word);
    if (!method)
        refuse(first, "is not one for joints");
    if (const std::string what = lack(*method, fmus); !what.empty())
        refuse(first, "is not possible: " + what);
    if (method->joint_lack)
        for (const std::size_t number : joints)
            if (const std::string what = method->joint_lack(system.joints[number]); !what.empty())
                refuse(system.joints[number], what);
    return {method, false,
            "as the system says" +
                (method->when_asked.empty() ? "" : ": " + std::string(method->when_asked))};
}

} // namespace tenon::glue
