#pragma once
// A file that is written from the front, whose every error is noticed.

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace tenon {

/// The descriptor that /dev/stdout, /dev/stderr or /dev/fd/N names; -1 for every other path. Opened by its path, a file that
/// a stream was redirected to would be written from its front, or replaced, whatever it held.
int stream_descriptor(const std::filesystem::path& path);

/// A device or pipe: written to, never replaced, and nothing is written beside it.
bool is_stream(const std::filesystem::path& path);

/// Throws OutputError wherever the operating system refuses.
class OutputFile {
  public:
    /// Opens without changing what the file holds, and creates it where there is none. A stream of this process is written
    /// where it stands.
    explicit OutputFile(std::filesystem::path path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// All of `text` at the current place, or an exception.
    void write(std::string_view text);
    /// Cuts a plain file to `size` bytes and goes there; nothing happens to pipes, devices and streams of this process.
    void truncate(std::uint64_t size);
    /// Everything written so far is on the disk afterwards; nothing happens to pipes and devices.
    void sync();
    /// Closing can be the first to notice a full disk.
    void close();
    /// Closes, and removes the file where this object has created it.
    void discard() noexcept;

    const std::filesystem::path& path() const { return path_; }

  private:
    [[noreturn]] void fail(int error_number) const;

    std::filesystem::path path_;
    int descriptor_ = -1;
    bool created_ = false;
    bool plain_ = false;
};

} // namespace tenon
