#pragma once
// How a group of joints is glued: as the system says, or by what its FMUs can do, with the reason (docs/gluing.md).

#include "tools/glue/methods/method_types.hpp"

#include <string>
#include <vector>

namespace tenon::glue {

struct Choice {
    const MethodType* method = nullptr;
    bool automatic = true; ///< may be changed during the run
    std::string reason;
};

/// `joints`: their numbers in the system. Throws InputError(malformed) with the joint's line where no method, or not the one that is asked
/// for, can be used.
Choice choose_method(const system::System& system, const std::vector<std::size_t>& joints,
                     const std::vector<GluedFmu*>& fmus);

} // namespace tenon::glue
