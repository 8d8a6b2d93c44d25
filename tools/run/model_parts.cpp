#include "tools/run/model_parts.hpp"

#include "tools/export/export_fmu.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/toml.hpp"

#include <fmt/format.h>

#include <map>

namespace tenon::run {
namespace {

namespace fs = std::filesystem;

/// Returns what is to be said of the model.
std::vector<std::string> export_model(const system::System& system, const system::SystemFmu& part,
                                      const fs::path& out) {
    const std::string place = fmt::format("{}:{}: fmu '{}': ", system.file.string(), part.line, part.name);
    try {
        const ModelFile model = read_model_file(part.file);
        try {
            write_archive(
                out, fmu_content(model.model, read_text_file(part.file, toml_size_limit), fmi::Version::fmi2),
                Packing::quick);
        } catch (const Error& error) {
            throw model.located(error);
        }
        return model.warnings();
    } catch (const InputError& error) {
        throw InputError(error.fault(), place + error.what());
    }
}

} // namespace

SystemOfParts read_system_of_parts(const fs::path& file) {
    SystemOfParts of_parts{system::read_system(file), {}, {}};
    system::System& system = of_parts.system;
    for (const system::SystemFmu& part : system.fmus)
        of_parts.named.push_back(part.file.filename().string());
    if (system.ssp)
        return of_parts;
    std::map<fs::path, fs::path> exported;
    for (system::SystemFmu& part : system.fmus) {
        if (part.file.extension() != ".toml")
            continue;
        if (!system.unpacked)
            system.unpacked = std::make_shared<const TemporaryFolder>();
        std::error_code ignored;
        fs::path& fmu = exported[fs::weakly_canonical(part.file, ignored)];
        if (fmu.empty()) {
            const fs::path folder = system.unpacked->path() / std::to_string(exported.size());
            fs::create_directory(folder);
            fmu = folder / part.file.filename().replace_extension(".fmu");
            for (std::string& warning : export_model(system, part, fmu))
                of_parts.warnings.push_back(std::move(warning));
        }
        part.file = fmu;
    }
    return of_parts;
}

} // namespace tenon::run
