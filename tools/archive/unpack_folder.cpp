#include "tools/archive/unpack_folder.hpp"

#include "tools/files/errors.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tenon {
namespace {

constexpr int open_folder = O_PATH | O_DIRECTORY;

/// "a/b" of "a/b/c"; "." of "c".
std::string parent_of(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string::npos ? "." : name.substr(0, slash);
}

/// Without a slash in it: what is made in the parent.
const char* last_of(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    return name.c_str() + (slash == std::string::npos ? 0 : slash + 1);
}

} // namespace

Descriptor open_beneath(int folder, const std::string& path, int flags, mode_t mode) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_NOFOLLOW | O_CLOEXEC);
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    Descriptor opened(static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how)));
    // An older kernel, or a sandbox that does not know the call.
    if (!opened.valid() && (errno == ENOSYS || errno == EPERM))
        return open_beneath_stepwise(folder, path, flags, mode);
    return opened;
}

Descriptor open_beneath_stepwise(int folder, const std::string& path, int flags, mode_t mode) {
    Descriptor at;
    std::size_t start = 0;
    for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', start)) {
        const std::string component = path.substr(start, slash - start);
        Descriptor next(::openat(at.valid() ? at.get() : folder, component.c_str(),
                                 open_folder | O_NOFOLLOW | O_CLOEXEC));
        if (!next.valid())
            return next;
        at = std::move(next);
        start = slash + 1;
    }
    return Descriptor(
        ::openat(at.valid() ? at.get() : folder, path.c_str() + start, flags | O_NOFOLLOW | O_CLOEXEC, mode));
}

UnpackFolder::UnpackFolder(std::filesystem::path folder)
    : path_(std::move(folder)), folder_(::open(path_.c_str(), open_folder | O_CLOEXEC)) {
    if (!folder_.valid())
        fail("", errno);
}

UnpackFolder::~UnpackFolder() {
    for (std::size_t i = kept_ ? 0 : made_.size(); i-- > 0;)
        if (const Descriptor at = parent(made_[i].name); at.valid())
            ::unlinkat(at.get(), last_of(made_[i].name), made_[i].folder ? AT_REMOVEDIR : 0);
}

void UnpackFolder::make_folder(const std::string& name) {
    if (name == "." || folders_.contains(name))
        return;
    make_folder(parent_of(name));
    const Descriptor at = parent(name);
    if (!at.valid())
        fail(name, errno);
    if (::mkdirat(at.get(), last_of(name), 0700) == 0)
        made_.push_back({name, true});
    else if (errno != EEXIST)
        fail(name, errno);
    if (!open_beneath(folder_.get(), name, open_folder).valid()) // a file or a symbolic link is there
        fail(name, errno);
    folders_.insert(name);
}

Descriptor UnpackFolder::make_file(const std::string& name, mode_t mode) {
    make_folder(parent_of(name));
    Descriptor file = open_beneath(folder_.get(), name, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (!file.valid())
        fail(name, errno);
    made_.push_back({name, false});
    return file;
}

void UnpackFolder::fail(const std::string& name, int error_number) const {
    const std::filesystem::path where = name.empty() ? path_ : path_ / name;
    throw OutputError(where.string(),
                      error_number == ELOOP ? "a symbolic link is in the way" : std::strerror(error_number));
}

Descriptor UnpackFolder::parent(const std::string& name) const {
    return open_beneath(folder_.get(), parent_of(name), open_folder);
}

} // namespace tenon
