#include "tools/import/unpacked_fmu.hpp"
#include "tools/files/temporary_folder.hpp"

#include "tools/import/fmu.hpp"
#include "tools/import/platform.hpp"
#include "tools/import/slave2.hpp"
#include "tools/import/slave3.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::fmi {
namespace {

constexpr const char* resources = "resources";

std::string other_interfaces(const Description& description) {
    if (description.has_model_exchange && description.has_scheduled_execution)
        return "Model Exchange and Scheduled Execution";
    return description.has_model_exchange        ? "Model Exchange"
           : description.has_scheduled_execution ? "Scheduled Execution"
                                                 : "no interface";
}

} // namespace

UnpackedFmu unpack_fmu(const Archive& archive, const Description& description) {
    if (!description.has_co_simulation)
        throw LoadError(
            fmt::format("is not an FMU for Co-Simulation; it has {}; export it again for Co-Simulation",
                        other_interfaces(description)));
    const std::string entry = find_library(archive, description);
    if (entry.empty())
        throw LoadError(missing_library(archive, description));
    const LibraryContent library = read_library(archive, entry, description.version);
    if (!library.problem.empty())
        throw LoadError(fmt::format("{} {}", entry, library.problem));
    if (const std::vector<std::string> needed = indispensable(library.missing); !needed.empty())
        throw LoadError(fmt::format(
            "{} does not export {} ({} of its functions missing); the FMU was linked incompletely", entry,
            needed.front(), library.missing.size()));

    UnpackedFmu fmu;
    fmu.description = std::make_shared<const Description>(description);
    fmu.folder = std::make_shared<const TemporaryFolder>();
    fmu.root = std::filesystem::absolute(fmu.folder->path());
    fmu.entry = entry;
    fmu.has_resources = std::ranges::any_of(
        archive.entries(), [](const ArchiveEntry& one) { return one.name.starts_with("resources/"); });
    archive.unpack(fmu.root, entry.substr(0, entry.rfind('/')));
    archive.unpack(fmu.root, resources);
    std::filesystem::create_directories(fmu.root / resources); // FMI 2.0 names it even where there is none
    return fmu;
}

std::shared_ptr<Library> load_library(const UnpackedFmu& fmu) {
    try {
        return std::make_shared<Library>(fmu.library(), fmu.folder);
    } catch (const LoadError& error) {
        throw LoadError(fmt::format("{} {}", fmu.entry, error.what()));
    }
}

std::unique_ptr<Slave> make_instance(const UnpackedFmu& fmu, std::shared_ptr<Library> library,
                                     const InstanceOptions& options) {
    const SlaveParts parts{std::move(library), fmu.description, fmu.root / resources, fmu.has_resources};
    if (fmu.description->version == Version::fmi2)
        return std::make_unique<Slave2>(parts, options);
    return std::make_unique<Slave3>(parts, options);
}

} // namespace tenon::fmi
