#pragma once
// A model file as an FMU: everything that goes into the archive, made here without a compiler.

#include "modelDescription/description.hpp"
#include "tools/archive/archive.hpp"
#include "tools/model_file/model_reader.hpp"
#include "tools/platforms/platforms.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

struct ExportOptions {
    /// Whose libraries it gets; this one's are enough for what is run here and now.
    std::vector<Platform> platforms{this_platform};
    /// FMI 3.0: a variable for each element of an array, for importers that do not know arrays.
    bool scalars = false;
};

/// What an FMU has inside, in the order of its archive. `text`: the model file itself, for people; may be empty.
/// Throws Error(model) or Error(computation) where the machine cannot be simulated.
std::vector<ArchiveContent> fmu_content(const Model& model, std::string_view text, fmi::Version version,
                                        const ExportOptions& options = {});

} // namespace tenon
