#pragma once
// The way to a slave that lives elsewhere. Today: a process on this machine, over shared memory (process_line.hpp). A host
// on another machine is another Line with the same messages (operation.hpp, message.hpp). A new Line to the same FMU, a
// state restored from bytes and the last step again is a restart after a crash.

#include "tools/host/call_times.hpp"
#include "tools/host/operation.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace tenon::host {

/// What came back. Whoever sent it may be broken or hostile: the content is only bytes, and may change while it is read.
struct Arrival {
    Reply reply = Reply::failed;
    fmi::Status status = fmi::Status::fatal; ///< of an answer
    std::span<const unsigned char> content{};
    bool lost = false; ///< nothing came, and nothing ever will: Line::why_lost()
};

class Line {
  public:
    virtual ~Line() = default; ///< ends the slave at once

    /// Where the content of the next request goes.
    virtual std::span<unsigned char> space() = 0;
    /// Sends `size` bytes of it, waits for what comes back and delivers what the slave has logged until then. Throws
    /// nothing. Allocates nothing unless there is something to tell.
    virtual Arrival exchange(Operation operation, std::size_t size, Patience& patience) noexcept = 0;
    /// "its process died of signal 11 (Segmentation fault)": part of a sentence.
    virtual const std::string& why_lost() const = 0;
};

} // namespace tenon::host
