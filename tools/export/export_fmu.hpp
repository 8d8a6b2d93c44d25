#pragma once
// A model file as an FMU: everything that goes into the archive, made here without a compiler.

#include "modelDescription/description.hpp"
#include "tools/archive/archive.hpp"
#include "tools/model_file/model_reader.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// The library that every FMU of this version has inside.
std::string_view fmu_library(fmi::Version version);

/// What an FMU has inside, in the order of its archive. `text`: the model file itself, for people; may be empty.
/// Throws Error(model) or Error(computation) where the machine cannot be simulated.
std::vector<ArchiveContent> fmu_content(const Model& model, std::string_view text, fmi::Version version);

} // namespace tenon
