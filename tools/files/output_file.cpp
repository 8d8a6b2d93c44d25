#include "tools/files/output_file.hpp"

#include "tools/files/errors.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace tenon {

int stream_descriptor(const std::filesystem::path& path) {
    if (path == "/dev/stdout")
        return STDOUT_FILENO;
    if (path == "/dev/stderr")
        return STDERR_FILENO;
    const std::string number = path.filename().string();
    const char* end = number.data() + number.size();
    int descriptor = -1;
    if (path.parent_path() != "/dev/fd" || std::from_chars(number.data(), end, descriptor).ptr != end)
        return -1;
    return descriptor;
}

bool is_stream(const std::filesystem::path& path) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    return std::filesystem::is_character_file(status) || std::filesystem::is_fifo(status) ||
           std::filesystem::is_socket(status) || path.parent_path() == "/dev" ||
           path.parent_path() == "/dev/fd";
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
    if (const int stream = stream_descriptor(path_); stream >= 0) {
        descriptor_ = ::fcntl(stream, F_DUPFD_CLOEXEC, 0);
        if (descriptor_ < 0)
            fail(errno);
        return;
    }
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    created_ = descriptor_ >= 0;
    if (!created_ && errno == EEXIST)
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        fail(errno);
    struct stat status {};
    plain_ = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0)
        ::close(descriptor_);
}

void OutputFile::write(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor_, text.data(), text.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            fail(errno);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

void OutputFile::truncate(std::uint64_t size) {
    if (!plain_)
        return;
    const auto offset = static_cast<off_t>(size);
    if (::ftruncate(descriptor_, offset) != 0 || ::lseek(descriptor_, offset, SEEK_SET) != offset)
        fail(errno);
}

void OutputFile::sync() {
    if (plain_ && ::fsync(descriptor_) != 0)
        fail(errno);
}

void OutputFile::close() {
    // Not repeated after EINTR: Linux has closed the descriptor by then.
    if (const int descriptor = std::exchange(descriptor_, -1);
        descriptor >= 0 && ::close(descriptor) != 0 && errno != EINTR)
        fail(errno);
}

void OutputFile::discard() noexcept {
    if (const int descriptor = std::exchange(descriptor_, -1); descriptor >= 0)
        ::close(descriptor);
    if (created_)
        ::unlink(path_.c_str());
}

void OutputFile::fail(int error_number) const {
    throw OutputError(path_.string(), std::strerror(error_number));
}

} // namespace tenon
