// Method newton: multipliers linear (iterated.hpp) or cubic (cubic.hpp) over the step, corrected by the compliance of the ports.

#include "tools/glue/methods/cubic.hpp"
#include "tools/glue/methods/iterated.hpp"

namespace tenon::glue {

const MethodType newton_method = {
    .name = "newton",
    .lack = [](const GluedFmu& fmu) -> std::string {
        for (const auto& lack : {no_rollback, no_two_forces, no_compliance})
            if (std::string what = lack(fmu); !what.empty())
                return what;
        return {};
    },
    .make = [](GroupParts parts) -> std::unique_ptr<Group> {
        if (parts.settings.cubic)
            return std::make_unique<CubicGroup>(std::move(parts));
        return std::make_unique<IteratedGroup>(std::move(parts), IteratedGroup::Way::newton);
    },
    .estimates_error = true,
    .cubic = true,
    .when_chosen = "its FMUs support rollback and give the compliance of their ports",
};

} // namespace tenon::glue
