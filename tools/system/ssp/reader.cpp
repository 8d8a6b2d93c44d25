#include "tools/system/ssp/reader.hpp"

#include "tools/system/check_context.hpp"
#include "tools/system/ssp/document.hpp"
#include "tools/system/ssp/flatten.hpp"
#include "tools/system/ssp/glue.hpp"

#include <fmt/format.h>

namespace tenon::system {
namespace {

namespace fs = std::filesystem;

constexpr const char* main_file = "SystemStructure.ssd";

void read_into(System& system, const fs::path& file) {
    std::error_code ignored;
    SspTreeReader reader(system);
    const SspPackage package = fs::is_directory(file, ignored) ? SspPackage(file, file.string())
                                                               : reader.unpacked(file, file.string());
    GlueAnnotation glue;
    const SspElement root = reader.read(package, main_file, [&](const SspFile& main) {
        glue = read_glue(main.root, main.source);
        reader.couplers = glue.couplers;
        system.name = main.root.has("name") ? main.root.text("name") : fs::path(file).stem().string();
    });
    flatten_ssp(root, system);
    if (system.fmus.empty())
        throw bad_input(package.shown(main_file), root.line,
                        fmt::format("system '{}' has no components", printable(root.name)));
    apply_glue(std::move(glue), system);
}

} // namespace

System read_ssp(const fs::path& file) {
    System system;
    system.file = file;
    system.ssp = true;
    try {
        read_into(system, file);
    } catch (const InputError& error) {
        throw InputError(error.fault(), without_folder(system, error.what()));
    }
    return system;
}

} // namespace tenon::system
