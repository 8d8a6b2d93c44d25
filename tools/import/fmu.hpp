#pragma once
// An FMU from anywhere: its archive checked, its description read, its library loaded on demand.

#include "modelDescription/description.hpp"
#include "tools/archive/archive.hpp"
#include "tools/import/slave.hpp"

#include <filesystem>
#include <memory>

namespace tenon::fmi {

/// How the library of an FMU was loaded or its instance made; one line with what is missing and what to do.
class LoadError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What becomes of an FMU that is against the letter of the standard and does no harm (docs/foreign-fmus.md).
enum class Letter { noted, refused };

/// Checked and read, not unpacked and not loaded.
class Fmu {
  public:
    /// Throws InputError that names file, entry or line, and the rule.
    explicit Fmu(const std::filesystem::path& file, Letter letter = Letter::noted,
                 const ArchiveLimits& limits = {});

    const std::filesystem::path& file() const { return archive_.file(); }
    const Archive& archive() const { return archive_; }
    const Description& description() const { return description_; }
    /// What is against the letter, of archive, description and library.
    const FindingList& deviations() const { return deviations_; }
    /// Throws InputError with the first deviation, where there is one.
    void refuse_deviations() const;
    /// The entry of the archive that holds the library for this machine ("binaries/linux64/x.so"); empty: there is none.
    std::string binary() const;

    /// Loads the library (unpacked into a folder of its own, once for all instances; RTLD_NOW | RTLD_LOCAL) and makes an
    /// instance. Further instances share the library, except where the FMU allows only one in a process: then each gets its
    /// own copy of the file. Throws LoadError. The slave keeps library and folder alive.
    std::unique_ptr<Slave> instantiate(const InstanceOptions& options) const;

  private:
    Archive archive_;
    FindingList deviations_;
    Description description_;
    void look_at_library();
    void check();
    struct Loaded;
    std::shared_ptr<Loaded> load() const;
    mutable std::shared_ptr<Loaded> loaded_;
};

} // namespace tenon::fmi
