#pragma once
// The registry of stepping schemes for signals: one line a scheme, one file <name>.cpp each. Their words and help texts are those of
// tools/system/methods.hpp.

#include "tools/master/ensemble.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace tenon::master {

struct SchemeType {
    std::string_view name;
    std::unique_ptr<Scheme> (*make)(Ensemble&) = nullptr;
    /// What it needs of an FMU as "...", which fmu 'x' cannot, with the FMU's capability flag; and who cannot. Null: it takes all.
    std::string_view need = {}, capability = {};
    std::vector<std::size_t> (*unfit)(const Ensemble&) = nullptr;
    bool parallel = true;       ///< FMUs step at the same time, where there are threads
    bool beside_joints = false; ///< what signals are exchanged by in systems with joints, too

    std::vector<std::size_t> unfit_of(const Ensemble& ensemble) const {
        return unfit ? unfit(ensemble) : std::vector<std::size_t>();
    }
};

const std::vector<SchemeType>& scheme_types();
/// Null where there is no such scheme.
const SchemeType* find_scheme_type(std::string_view name);

} // namespace tenon::master
