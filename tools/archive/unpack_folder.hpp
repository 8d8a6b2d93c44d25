#pragma once
// A folder that an archive is unpacked into: nothing is written outside of it, over what is there, or through a symbolic
// link, also while somebody else changes the folder; and all or nothing stays.

#include "tools/files/descriptor.hpp"

#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tenon {

/// Opens `path` below `folder` without following a symbolic link anywhere; invalid, with errno, where that is
/// impossible. `path` has no `..` and is not absolute. The kernel checks it (openat2, Linux 5.6), or else the second
/// function, component by component.
Descriptor open_beneath(int folder, const std::string& path, int flags, mode_t mode = 0);
Descriptor open_beneath_stepwise(int folder, const std::string& path, int flags, mode_t mode = 0);

/// Names are those of checked archives: relative, `/`, no `..`. Throws OutputError.
class UnpackFolder {
  public:
    explicit UnpackFolder(std::filesystem::path folder);
    /// Removes all it has made, unless it was kept.
    ~UnpackFolder();
    UnpackFolder(const UnpackFolder&) = delete;
    UnpackFolder& operator=(const UnpackFolder&) = delete;

    /// Mode 0700, with its parents; one that is there stays as it is.
    void make_folder(const std::string& name);
    /// A new file, open for writing; its parents are made.
    Descriptor make_file(const std::string& name, mode_t mode);
    void keep() { kept_ = true; }
    [[noreturn]] void fail(const std::string& name, int error_number) const;

  private:
    struct Made {
        std::string name;
        bool folder = false;
    };
    Descriptor parent(const std::string& name) const;

    std::filesystem::path path_;
    Descriptor folder_;
    std::vector<Made> made_;
    std::set<std::string> folders_; ///< known to be there
    bool kept_ = false;
};

} // namespace tenon
