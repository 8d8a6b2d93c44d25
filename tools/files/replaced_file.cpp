#include "tools/files/replaced_file.hpp"

#include "tools/files/errors.hpp"
#include "tools/files/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace tenon {
namespace {

/// A new file beside `target`; its name goes to `name`. Never one that is there, which might be a link of somebody else.
Descriptor make_temporary(const std::filesystem::path& target, std::string& name) {
    for (;;) {
        name = temporary_beside(target);
        Descriptor file(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (file.valid() || errno != EEXIST)
            return file;
    }
}

} // namespace

std::filesystem::path temporary_beside(const std::filesystem::path& target) {
    for (int i = 0;; ++i) {
        std::filesystem::path name =
            target.string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(i);
        std::error_code ignored;
        if (!std::filesystem::exists(std::filesystem::symlink_status(name, ignored)))
            return name;
    }
}

ReplacedFile::ReplacedFile(std::filesystem::path target) : target_(std::move(target)), resolved_(target_) {
    if (const int stream = stream_descriptor(target_); stream >= 0) {
        file_ = Descriptor(::fcntl(stream, F_DUPFD_CLOEXEC, 0));
        if (!file_.valid())
            fail(errno);
        return;
    }
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(target_, error);
    if (std::filesystem::exists(status)) {
        if (std::filesystem::is_directory(status))
            fail(EISDIR);
        if (!std::filesystem::is_regular_file(status)) {
            file_ = Descriptor(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
            if (!file_.valid())
                fail(errno);
            return;
        }
        resolved_ = std::filesystem::canonical(target_, error);
        if (error)
            fail(error.value());
    }
    file_ = make_temporary(resolved_, temporary_);
    if (!file_.valid()) {
        temporary_.clear();
        fail(errno);
    }
}

ReplacedFile::~ReplacedFile() {
    if (!temporary_.empty())
        ::unlink(temporary_.c_str());
}

void ReplacedFile::write(std::string_view bytes) {
    if (!write_all(file_.get(), bytes))
        fail(errno);
}

void ReplacedFile::commit() {
    if (temporary_.empty()) {
        if (!close_checked(file_))
            fail(errno);
        return;
    }
    if (::fsync(file_.get()) != 0 || !close_checked(file_) ||
        ::rename(temporary_.c_str(), resolved_.c_str()) != 0)
        fail(errno);
    temporary_.clear();
    sync_folder();
}

/// So that the name is on the disk too; file systems that cannot do it have nothing to lose.
void ReplacedFile::sync_folder() const {
    const std::filesystem::path parent = resolved_.has_parent_path() ? resolved_.parent_path() : ".";
    if (const Descriptor folder(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)); folder.valid())
        ::fsync(folder.get());
}

void ReplacedFile::fail(int error_number) const {
    throw OutputError(target_.string(), std::strerror(error_number));
}

} // namespace tenon
