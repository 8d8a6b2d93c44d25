#include "tools/files/plain_file.hpp"

#include "tools/files/errors.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tenon {
PlainFile::PlainFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat status {};
    if (!descriptor_.valid() || ::fstat(descriptor_.get(), &status) != 0)
        throw unreadable(path_, errno);
    if (S_ISDIR(status.st_mode))
        throw unreadable(path_, "it is a directory");
    if (!S_ISREG(status.st_mode))
        throw unreadable(path_, "it is not a plain file");
    size_ = static_cast<std::uint64_t>(status.st_size);
}

std::string PlainFile::read(std::uint64_t offset, std::size_t length) const {
    std::string bytes(length, '\0');
    for (std::size_t done = 0; done < length;) {
        const ssize_t count =
            ::pread(descriptor_.get(), bytes.data() + done, length - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            throw unreadable(path_, std::strerror(errno));
        if (count == 0)
            throw unreadable(path_, "it has become shorter while it was read");
        done += static_cast<std::size_t>(count);
    }
    return bytes;
}

} // namespace tenon
