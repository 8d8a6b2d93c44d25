#include "tools/host/shared_memory.hpp"

#include "tools/host/pipe.hpp"

#include "tools/host/process_setup.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>

namespace tenon::host {
namespace {} // namespace

SharedMemory::SharedMemory(std::size_t size)
    : file_(beyond_standard_streams(Descriptor(::memfd_create("tenon", MFD_CLOEXEC | MFD_ALLOW_SEALING)))) {
    if (!file_.valid() || ::ftruncate(file_.get(), static_cast<off_t>(size)) != 0)
        fail("no memory can be shared with another process");
    if (::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        fail("shared memory cannot be sealed");
    map(size);
    ::madvise(bytes_.data(), bytes_.size(), MADV_DONTFORK);
}

SharedMemory::~SharedMemory() { ::munmap(bytes_.data(), bytes_.size()); }

void SharedMemory::attach() { map(bytes_.size()); }

void SharedMemory::map(std::size_t size) {
    void* place = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (place == MAP_FAILED)
        fail("shared memory cannot be mapped");
    bytes_ = {static_cast<unsigned char*>(place), size};
}

} // namespace tenon::host
