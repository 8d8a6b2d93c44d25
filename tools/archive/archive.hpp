#pragma once
// Zip archives as FMI and SSP allow them, by libzip: read only after every entry has been checked (archive_checks.hpp),
// written byte for byte the same from the same content.

#include "tools/files/finding.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

/// What an archive may be; the reasons are in docs. Defaults are those of hostile input.
struct ArchiveLimits {
    std::uint64_t total = 2ull << 30; ///< bytes of all entries, unpacked
    std::uint64_t entry = 1ull << 30; ///< bytes of one entry, unpacked
    std::uint64_t ratio = 200;        ///< unpacked to packed size of entries above 1 MB
    std::size_t entries = 20000;
    std::size_t depth = 16; ///< folders in folders
};

struct ArchiveEntry {
    std::string name; ///< with `/`; folders end in it; without `./` before it
    std::uint64_t size = 0, packed = 0;
    int method = 0;         ///< 0 stored, 8 deflated
    int version_needed = 0; ///< times ten, as in the header
    int flags = 0;
};

/// An archive whose names, sizes and headers have been found harmless. Nothing is on the disk yet.
class Archive {
  public:
    /// Throws InputError: unreadable when it cannot be read, malformed with file, entry, rule and limit when it breaks a rule.
    explicit Archive(const std::filesystem::path& file, const ArchiveLimits& limits = {});
    ~Archive();
    Archive(Archive&&) noexcept;
    Archive& operator=(Archive&&) noexcept;

    const std::filesystem::path& file() const;
    /// Each name once.
    const std::vector<ArchiveEntry>& entries() const;
    /// What is against the letter and harmless: `./` before names, identical entries, zip64 and the like.
    const FindingList& deviations() const;
    bool has(std::string_view name) const;
    /// The content of an entry, counted while it is unpacked and compared with its checksum. Throws InputError(malformed), also
    /// where there is none of that name.
    std::string read(std::string_view name) const;
    /// Unpacks all entries below `prefix` (all when empty) into `folder`, which exists; parents are made, nothing that
    /// exists is overwritten, no symbolic link is followed; files get mode 0600, those in binaries/ 0500. Throws
    /// InputError or OutputError; what was unpacked by then stays, for the owner of the folder to remove.
    void unpack(const std::filesystem::path& folder, std::string_view prefix = {}) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

struct ArchiveContent {
    std::string name;
    std::string data;
};

/// Deflated as far as it goes, or stored: for files that are read once and thrown away.
enum class Packing { small, quick };

/// Writes the entries in the order given (deflated by default, fixed time from SOURCE_DATE_EPOCH or 1980-01-01, mode 0644, no extra
/// fields), to a temporary file beside it that takes the name only when complete. Throws OutputError, also above 4 GiB.
void write_archive(const std::filesystem::path& file, const std::vector<ArchiveContent>& entries,
                   Packing packing = Packing::small);

} // namespace tenon
