#pragma once
// The registry of glue methods: one line per method, one file <name>.cpp each. Their words and help texts are those of
// tools/system/methods.hpp.

#include "tools/glue/group.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tenon::glue {

struct MethodType {
    std::string_view name;
    /// What an FMU lacks for it: "fmu 'x' ..."; empty: nothing.
    std::string (*lack)(const GluedFmu&) = nullptr;
    std::unique_ptr<Group> (*make)(GroupParts) = nullptr;
    bool automatic = true;        ///< tried, in the order of the registry, where the choice is left to us
    bool estimates_error = false; ///< steps can be adaptive
    bool cubic = false;           ///< multipliers can be cubic
    /// What a joint lacks for it; null: nothing ever.
    std::string (*joint_lack)(const system::GlueJoint&) = nullptr;
    std::string_view when_chosen = {},
                     when_asked = {}; ///< said of it where we, or the system, have chosen it
};

extern const MethodType newton_method, difference_method, dead_beat_method, compliant_method;

/// In the order in which they are tried.
std::span<const MethodType* const> method_types();
/// Null where there is no such method.
const MethodType* find_method_type(std::string_view name);

// What several methods need; empty where the FMU has it.
std::string no_rollback(const GluedFmu& fmu);
std::string no_compliance(const GluedFmu& fmu);
/// The force can change within a step.
std::string no_two_forces(const GluedFmu& fmu);

} // namespace tenon::glue
