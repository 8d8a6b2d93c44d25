#pragma once
// What of an FMU is on the disk while it has instances, and how an instance is made from it.

#include "tools/archive/archive.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/import/library.hpp"
#include "tools/import/slave.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace tenon::fmi {

struct UnpackedFmu {
    std::shared_ptr<const Description> description;
    std::shared_ptr<const TemporaryFolder> folder; ///< goes with the last who holds it
    /// Of the folder; absolute, since TMPDIR may be relative and the working directory change.
    std::filesystem::path root;
    std::string entry;          ///< of the library for this machine, below the root
    bool has_resources = false; ///< the archive has any

    std::filesystem::path library() const { return root / entry; }
};

/// The library for this machine and the resources in a folder of their own. Throws LoadError where the FMU is not for
/// Co-Simulation, has no library for this machine, or one that cannot be loaded.
UnpackedFmu unpack_fmu(const Archive& archive, const Description& description);

/// Runs the constructors of the library. Throws LoadError.
std::shared_ptr<Library> load_library(const UnpackedFmu& fmu);

/// Throws LoadError where the FMU gives no instance.
std::unique_ptr<Slave> make_instance(const UnpackedFmu& fmu, std::shared_ptr<Library> library,
                                     const InstanceOptions& options);

} // namespace tenon::fmi
