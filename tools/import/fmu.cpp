#include "tools/import/fmu.hpp"

#include "modelDescription/reader.hpp"
#include "tools/files/errors.hpp"
#include "tools/import/platform.hpp"
#include "tools/import/unpacked_fmu.hpp"

#include <fmt/format.h>

namespace tenon::fmi {
namespace {

constexpr const char* description_entry = "modelDescription.xml";
constexpr const char* terminals_entry = "terminalsAndIcons/terminalsAndIcons.xml";
constexpr std::size_t longest_path = 4096;

/// "FILE: ENTRY:LINE: what" for what the readers find.
template <class Read> void read_entry(const Archive& archive, const char* entry, Read&& read) {
    try {
        read(archive.read(entry));
    } catch (const DescriptionError& error) {
        throw bad_input(fmt::format("{}: {}", archive.file().string(), entry), error.line(), error.what());
    }
}

Description read_all(const Archive& archive) {
    if (!archive.has(description_entry))
        throw bad_input(
            archive.file().string(), 0,
            fmt::format("is not an FMU: there is no {} at the top of the archive", description_entry));
    Description description;
    read_entry(archive, description_entry,
               [&](const std::string& xml) { description = read_description(xml); });
    if (archive.has(terminals_entry))
        read_entry(archive, terminals_entry,
                   [&](const std::string& xml) { read_terminals(xml, description); });
    return description;
}

} // namespace

/// What the instances of an FMU share. Each holds what it needs of it, so that it outlives the Fmu.
struct Fmu::Loaded {
    UnpackedFmu fmu;
    std::shared_ptr<Library> library; ///< of all instances, or of the first where each has its own
    int instances = 0;

    std::shared_ptr<Library> library_for_one_more();
};

/// An FMU that allows one instance in a process gets a copy of its file for each further one: the loader takes another
/// file for another library, with variables of its own.
std::shared_ptr<Library> Fmu::Loaded::library_for_one_more() {
    if (library->is_fatal())
        throw LoadError(
            "its library has reported a fatal error and must not be called again in this process");
    if (!fmu.description->capabilities.only_once_per_process || instances++ == 0)
        return library;
    const std::filesystem::path file = fmu.library();
    std::filesystem::path copy = file;
    copy.replace_filename(fmt::format("{}-{}.so", file.stem().string(), instances));
    std::filesystem::copy_file(file, copy);
    return std::make_shared<Library>(copy, fmu.folder);
}

Fmu::Fmu(const std::filesystem::path& file, const ArchiveLimits& limits)
    : archive_(file, limits), description_(read_all(archive_)) {}

std::string Fmu::binary() const {
    const std::string entry = library_entry(description_);
    return archive_.has(entry) ? entry : std::string();
}

std::shared_ptr<Fmu::Loaded> Fmu::load() const {
    auto loaded = std::make_shared<Loaded>();
    loaded->fmu = unpack_fmu(archive_, description_);
    loaded->library = load_library(loaded->fmu);
    return loaded;
}

std::unique_ptr<Slave> Fmu::instantiate(const InstanceOptions& options) const {
    try {
        if (!loaded_)
            loaded_ = load();
        return make_instance(loaded_->fmu, loaded_->library_for_one_more(), options);
    } catch (const LoadError& error) {
        throw LoadError(fmt::format("{}: {}", printable(file().string(), longest_path), error.what()));
    } catch (const std::filesystem::filesystem_error& error) {
        throw LoadError(fmt::format("{}: cannot be unpacked: {}", printable(file().string(), longest_path),
                                    error.what()));
    }
}

} // namespace tenon::fmi
