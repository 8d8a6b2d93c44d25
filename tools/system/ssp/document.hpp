#pragma once
// Reads the .ssd files of a package into one tree.

#include "tools/system/ssp/package.hpp"
#include "tools/system/ssp/parameters.hpp"
#include "tools/system/ssp/tree.hpp"

#include <map>
#include <set>

namespace tenon::system {

/// What is known while the elements of a file are read.
struct SspFile {
    const SspPackage& package;
    std::filesystem::path inside; ///< path of the file in its package
    std::size_t source = 0;       ///< its index in System::sources
    SspUnits units;
    Element root;
    std::map<std::string, Element> systems; ///< by id
};

class SspTreeReader {
  public:
    /// Files and remarks are added to `system`, as is the folder for packages in packages.
    explicit SspTreeReader(System& system) : system_(system) {}

    /// Unpacks an archive, once, into a folder of its own that the system keeps.
    const SspPackage& unpacked(const std::filesystem::path& file, const std::string& name);

    /// The tree of an .ssd file; `visit` sees the main file's root as well. Throws InputError.
    template <class Visit>
    SspElement read(const SspPackage& package, const std::filesystem::path& inside, Visit visit) {
        const std::string name = package.shown(inside);
        const SspDocument document(package.read(inside), "SystemStructureDescription", name);
        return in_document(name, [&] {
            const SspFile file = opened(package, inside, document);
            visit(file);
            return read_root(file);
        });
    }

    /// Components of the outermost system that do a joint's work for other tools; left out here.
    std::set<std::string> couplers;

  private:
    SspFile opened(const SspPackage& package, const std::filesystem::path& inside,
                   const SspDocument& document);
    SspElement read_root(const SspFile& file);
    SspElement read_system(const SspFile& file, const Element& element);
    void read_elements(const SspFile& file, const Element& element, SspElement& system);
    void read_connections(const SspFile& file, const Element& element, SspElement& system) const;
    SspEnd read_end(const Element& connection, const char* element, const char* connector,
                    const char* indices) const;
    SspElement read_component(const SspFile& file, const Element& element);
    /// A component that is a system again: in another file, in another package, or elsewhere in this file.
    SspElement read_included(const SspFile& file, const Element& element, const SspSource& source);
    void read_common(const SspFile& file, const Element& element, SspElement& result);
    /// All bindings of an element, one after the other; `component` is its FMU, where it is one.
    void read_bindings(const SspFile& file, const Element& element, const std::filesystem::path& component,
                       std::vector<Setting>& settings);
    std::vector<Setting> read_binding(const SspFile& file, const Element& binding,
                                      const std::filesystem::path& component);
    /// The text behind a binding's or mapping's source, and the index of its file.
    std::pair<std::string, std::size_t> read_source(const SspFile& file, const Element& element,
                                                    const std::filesystem::path& component);
    std::size_t add_source(const std::string& name);
    bool is_coupler(const std::string& name) const;

    System& system_;
    std::vector<std::string>
        chain_; ///< files and systems that are being read, to find one that includes itself
    std::size_t elements_ = 0;
    std::map<std::filesystem::path, SspPackage> packages_;
    std::uint64_t unpacked_bytes_ = 0;
};

} // namespace tenon::system
