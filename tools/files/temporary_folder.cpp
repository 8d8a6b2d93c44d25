#include "tools/files/temporary_folder.hpp"

#include "tools/files/errors.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tenon {
namespace {

std::string& mark() {
    static std::string only = "tenon";
    return only;
}

void remove(std::filesystem::path& folder) {
    // What cannot be removed stays: at the end of a run there is nobody left to do better.
    std::error_code ignored;
    if (!folder.empty())
        std::filesystem::remove_all(std::exchange(folder, {}), ignored);
}

} // namespace

TemporaryFolder::TemporaryFolder() {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::temp_directory_path(error);
    if (error)
        throw OutputError("the temporary directory (TMPDIR)", error.message());
    std::string name = (place / (mark() + "-XXXXXX")).string();
    if (!::mkdtemp(name.data()))
        throw OutputError(name, std::strerror(errno));
    path_ = name;
}

TemporaryFolder::~TemporaryFolder() { remove(path_); }

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
    if (this != &other) {
        remove(path_);
        path_ = std::exchange(other.path_, {});
    }
    return *this;
}

void mark_temporary_folders(std::string text) { mark() = std::move(text); }

void remove_temporary_folders(const std::string& text) {
    std::error_code ignored;
    const std::filesystem::path place = std::filesystem::temp_directory_path(ignored);
    for (const auto& entry : std::filesystem::directory_iterator(place, ignored))
        if (entry.path().filename().string().starts_with(text + "-"))
            std::filesystem::remove_all(entry.path(), ignored);
}

} // namespace tenon
