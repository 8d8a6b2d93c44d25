#include "tools/system/system_file.hpp"

#include "tools/archive/archive.hpp"
#include "tools/files/errors.hpp"
#include "tools/files/text_file.hpp"
#include "tools/model_file/toml.hpp"
#include "tools/system/ssp/reader.hpp"
#include "tools/system/system_toml.hpp"

#include <array>
#include <fstream>

namespace tenon::system {
namespace {

namespace fs = std::filesystem;

constexpr const char* ssd_file = "SystemStructure.ssd";

bool begins_like_archive(const fs::path& file) {
    std::array<char, 4> begin{};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    return std::string_view(begin.data(), begin.size()) == "PK\x03\x04";
}

FileKind archive_kind(const fs::path& file) {
    const Archive archive(file);
    if (archive.has("modelDescription.xml"))
        return FileKind::fmu;
    return archive.has(ssd_file) ? FileKind::ssp : FileKind::other_archive;
}

} // namespace

FileKind file_kind(const fs::path& file) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored) && fs::exists(file / ssd_file, ignored))
        return FileKind::ssp;
    if (!fs::is_regular_file(file, ignored))
        return FileKind::model;
    const fs::path ending = file.extension();
    if (begins_like_archive(file))
        return archive_kind(file);
    // Broken archives are refused as what they are called.
    if (ending == ".fmu")
        return FileKind::fmu;
    if (ending == ".ssp")
        return FileKind::ssp;
    return is_system_text(read_text_file(file, toml_size_limit)) ? FileKind::system : FileKind::model;
}

System read_system(const fs::path& file) {
    if (std::error_code ignored; fs::is_directory(file, ignored) && !fs::exists(file / ssd_file, ignored))
        throw InputError(InputFault::unreadable,
                         tenon::shown(file) +
                             ": cannot be read (a folder is a system where it has a SystemStructure.ssd)");
    switch (file_kind(file)) {
    case FileKind::ssp:
        return read_ssp(file);
    case FileKind::fmu:
        throw bad_input(
            file.string(), 0,
            "this is an FMU, not a system; a system names its FMUs in [[fmu]] tables of a .toml file");
    case FileKind::other_archive:
        throw bad_input(file.string(), 0,
                        file.extension() == ".fmu"
                            ? "this archive is not an FMU: it has no modelDescription.xml"
                            : "this archive is not an SSP: it has no SystemStructure.ssd");
    case FileKind::system:
    case FileKind::model:
        break;
    }
    return parse_system(read_text_file(file, toml_size_limit), file.string());
}

} // namespace tenon::system
