#pragma once
// An SSP package on the disk: where a `source` points to, and that it stays inside.

#include "tools/archive/archive.hpp"
#include "tools/system/ssp/xml.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace tenon::system {

/// A `source` as a path inside the package: percent codes decoded, fragment apart. Refuses (as the element that has it) URIs
/// with a scheme or host, absolute paths, `..`, backslashes and control characters.
struct SspSource {
    std::filesystem::path path; ///< empty where the source is a fragment only
    std::string fragment;
};
SspSource parse_source(const Element& element, const std::string& source);

class SspPackage {
  public:
    /// A folder, or an archive that was unpacked to `folder`. `name` is what messages call it.
    SspPackage(std::filesystem::path folder, std::string name);

    const std::string& name() const { return name_; }
    /// "car.ssp/resources/a.ssv"
    std::string shown(const std::filesystem::path& inside) const;
    /// The file behind `path`, which is relative to the folder of `document`. Refuses (as `element`) what is not there or
    /// leads out of the package by a link.
    std::filesystem::path find(const Element& element, const std::filesystem::path& document,
                               const std::filesystem::path& path) const;
    /// The path of a file that find() gave, inside the package.
    std::filesystem::path inside(const std::filesystem::path& file) const;
    std::string read(const std::filesystem::path& inside) const;

  private:
    std::filesystem::path folder_;
    std::string name_;
};

} // namespace tenon::system
