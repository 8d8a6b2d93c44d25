#pragma once
// The keys that joint types choose from, each with the member of Joint that holds it. Reader, writer, schema, checks and scenes
// take them from here.

#include "core/model/element.hpp"
#include "core/model/joint.hpp"
#include "core/model/key.hpp"

#include <array>
#include <optional>
#include <variant>

namespace tenon {

using JointMember = std::variant<Vec3 Joint::*, double Joint::*, std::optional<double> Joint::*,
                                 std::array<Vec3 Joint::*, 2>, std::array<int Joint::*, 2>>;

struct JointKey {
    Key key;
    JointMember member;
    /// Refuses what the key's limit does not tell; may be null.
    void (*check)(const Element&, const Model&, const Joint&) = nullptr;
};

const std::vector<JointKey>& joint_keys();
/// Throws Error(model) where there is no such key.
const JointKey& joint_key(std::string_view name);

} // namespace tenon
