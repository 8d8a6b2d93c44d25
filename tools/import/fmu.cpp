#include "tools/import/fmu.hpp"

#include "modelDescription/reader.hpp"
#include "tools/import/library.hpp"
#include "tools/import/platform.hpp"
#include "tools/import/slave2.hpp"
#include "tools/import/slave3.hpp"
#include "tools/io/errors.hpp"

#include <fmt/format.h>

#include <algorithm>

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
            fmt::format("is no FMU: there is no {} at the top of the archive", description_entry));
    Description description;
    read_entry(archive, description_entry,
               [&](const std::string& xml) { description = read_description(xml); });
    if (archive.has(terminals_entry))
        read_entry(archive, terminals_entry,
                   [&](const std::string& xml) { read_terminals(xml, description); });
    return description;
}

std::string other_interfaces(const Description& description) {
    if (description.has_model_exchange && description.has_scheduled_execution)
        return "Model Exchange and Scheduled Execution";
    return description.has_model_exchange        ? "Model Exchange"
           : description.has_scheduled_execution ? "Scheduled Execution"
                                                 : "no interface";
}

template <class Functions> std::vector<std::string> function_names() {
    Functions functions;
    std::vector<std::string> names;
    for_each_function(functions, [&](const char* name, auto) { names.emplace_back(name); });
    return names;
}

std::vector<std::string> required_functions(Version version) {
    return version == Version::fmi2 ? function_names<Functions2>() : function_names<Functions3>();
}

} // namespace

/// What the instances of an FMU share. Each holds what it needs of it, so that it outlives the Fmu.
struct Fmu::Loaded {
    std::shared_ptr<const Description> description;
    std::shared_ptr<const TemporaryFolder> folder;
    std::filesystem::path
        root; ///< of the folder; absolute, since TMPDIR may be relative and the working directory change
    std::filesystem::path file;       ///< the library's
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
    if (!description->capabilities.only_once_per_process || instances++ == 0)
        return library;
    std::filesystem::path copy = file;
    copy.replace_filename(fmt::format("{}-{}.so", file.stem().string(), instances));
    std::filesystem::copy_file(file, copy);
    return std::make_shared<Library>(copy, folder);
}

Fmu::Fmu(const std::filesystem::path& file, const ArchiveLimits& limits)
    : archive_(file, limits), description_(read_all(archive_)) {}

std::string Fmu::binary() const {
    const std::string entry = library_entry(description_);
    return archive_.has(entry) ? entry : std::string();
}

std::shared_ptr<Fmu::Loaded> Fmu::load() const {
    const std::string entry = binary();
    if (entry.empty())
        throw LoadError(missing_library(archive_, description_));
    if (const std::string problem =
            library_problem(archive_.read(entry), required_functions(description_.version));
        !problem.empty())
        throw LoadError(fmt::format("{} {}", entry, problem));

    auto loaded = std::make_shared<Loaded>();
    loaded->description = std::make_shared<const Description>(description_);
    loaded->folder = std::make_shared<const TemporaryFolder>();
    loaded->root = std::filesystem::absolute(loaded->folder->path());
    loaded->file = loaded->root / entry;
    archive_.unpack(loaded->root, entry.substr(0, entry.rfind('/')));
    archive_.unpack(loaded->root, "resources");
    std::filesystem::create_directories(loaded->root /
                                        "resources"); // FMI 2.0 names it even where there is none
    try {
        loaded->library = std::make_shared<Library>(loaded->file, loaded->folder);
    } catch (const LoadError& error) {
        throw LoadError(fmt::format("{} {}", entry, error.what()));
    }
    return loaded;
}

std::unique_ptr<Slave> Fmu::instantiate(const InstanceOptions& options) const {
    try {
        if (!description_.has_co_simulation)
            throw LoadError(
                fmt::format("is no FMU for Co-Simulation; it has {}; export it again for Co-Simulation",
                            other_interfaces(description_)));
        if (!loaded_)
            loaded_ = load();
        const bool has_resources = std::ranges::any_of(archive_.entries(), [](const ArchiveEntry& entry) {
            return entry.name.starts_with("resources/");
        });
        const SlaveParts parts{loaded_->library_for_one_more(), loaded_->description,
                               loaded_->root / "resources", has_resources};
        if (description_.version == Version::fmi2)
            return std::make_unique<Slave2>(parts, options);
        return std::make_unique<Slave3>(parts, options);
    } catch (const LoadError& error) {
        throw LoadError(fmt::format("{}: {}", printable(file().string(), longest_path), error.what()));
    } catch (const std::filesystem::filesystem_error& error) {
        throw LoadError(fmt::format("{}: cannot be unpacked: {}", printable(file().string(), longest_path),
                                    error.what()));
    }
}

} // namespace tenon::fmi
