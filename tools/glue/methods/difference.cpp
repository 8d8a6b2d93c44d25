// Method difference: multipliers linear over the step, corrected by the response of trial steps (iterated.hpp).

#include "tools/glue/methods/iterated.hpp"

namespace tenon::glue {

const MethodType difference_method = {
    .name = "difference",
    .lack =
        [](const GluedFmu& fmu) {
            std::string what = no_rollback(fmu);
            return what.empty() ? no_two_forces(fmu) : what;
        },
    .make = [](GroupParts parts) -> std::unique_ptr<Group> {
        return std::make_unique<IteratedGroup>(std::move(parts), IteratedGroup::Way::difference);
    },
    .estimates_error = true,
};

} // namespace tenon::glue
