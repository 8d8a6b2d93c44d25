#include "tools/import/library.hpp"

#include "tools/files/temporary_folder.hpp"
#include "tools/import/fmu.hpp"
#include "tools/import/open_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace tenon::fmi {

Library::Library(const std::filesystem::path& file, std::shared_ptr<const TemporaryFolder> folder)
    : folder_(std::move(folder)) {
    const OpenedLibrary opened = open_library(file, RTLD_NOW);
    if (!opened.handle)
        throw LoadError(fmt::format("cannot be loaded: {}", opened.problem));
    handle_ = opened.handle;
}

Library::~Library() {
    if (!is_fatal())
        ::dlclose(handle_);
}

void* Library::find(const char* name) const { return ::dlsym(handle_, name); }

} // namespace tenon::fmi
