#pragma once
// `tenon info` for FMUs and for systems of them, for people.

#include "tools/import/fmu.hpp"
#include "tools/system/system.hpp"
#include "tools/system/terminals.hpp"

#include <string>
#include <vector>

namespace tenon::verbs {

struct ShownSystem {
    system::CheckedSystem checked;
    std::vector<std::string> files; ///< one per FMU: the file that the system names, be it a model
    std::string svg;                ///< where its graph was drawn; empty: nowhere
};

void print_fmu(const fmi::Fmu& fmu, bool verbose);
void print_system(const ShownSystem& shown, bool verbose);

/// What the ports of a joint are; the joint has been checked.
system::PortKind port_kind_of(const system::CheckedSystem& checked, const system::GlueJoint& joint);
/// Equations of a joint. How many of them are redundant is not known before the FMUs have moved to their start.
int rows_of(const system::CheckedSystem& checked, const system::GlueJoint& joint);
/// Motions that the joint leaves to its sides.
int free_motions_of(const system::CheckedSystem& checked, const system::GlueJoint& joint);

/// "binaries/" of an FMU: the folders that hold a library, comma separated; empty where there are none.
std::string platforms(const fmi::Fmu& fmu);

} // namespace tenon::verbs
