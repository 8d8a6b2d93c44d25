#include "tools/import/library.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/temporary_folder.hpp"
#include "tools/import/fmu.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace tenon::fmi {
namespace {

constexpr std::size_t longest_loader_message = 500;

/// What to do about a message of the loader.
std::string_view hint(std::string_view message) {
    const auto says = [&](std::string_view part) { return message.find(part) != message.npos; };
    if (says("cannot open shared object file"))
        return "; install that library, or have it packed beside the FMU's own";
    if (says("undefined symbol"))
        return "; the FMU was linked incompletely";
    if (says("version `"))
        return "; the FMU was built on a newer system than this";
    if (says("failed to map segment"))
        return "; TMPDIR must name a folder from which programs may run";
    return "";
}

/// dlerror() without the folder, whose name says nothing to anybody.
std::string loader_message(const std::filesystem::path& folder) {
    const char* text = ::dlerror();
    std::string message = text ? text : "no reason is known";
    const std::string prefix = folder.string() + "/";
    for (std::size_t at; (at = message.find(prefix)) != message.npos;)
        message.erase(at, prefix.size());
    return printable(message, longest_loader_message);
}

} // namespace

Library::Library(const std::filesystem::path& file, std::shared_ptr<const TemporaryFolder> folder)
    : folder_(std::move(folder)) {
    handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) {
        const std::string message = loader_message(file.parent_path());
        throw LoadError(fmt::format("cannot be loaded: {}{}", message, hint(message)));
    }
}

Library::~Library() {
    if (!is_fatal())
        ::dlclose(handle_);
}

void* Library::find(const char* name) const { return ::dlsym(handle_, name); }

} // namespace tenon::fmi
